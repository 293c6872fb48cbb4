import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderSteps } from '#modules/purchase/contract/order-calls.ts';
import { type Buyers, createBuyers, draftOrder } from '#modules/purchase/test/support.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { luck } from '../support/depth.ts';
import { flowFor, step } from './support.ts';

const random = luck('approval kill');

const ORDER = 'purchase.order';
const ORDERS = 24;
const KILLS = 6;
/** Steps of the flow by their keys; the two of the second are asked at the same time. */
const STEPS = ['a1', 'a2', 'a3'];
const AGREEMENTS = 4;

let world: World;
let buyers: Buyers;
let people: Person[];

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A']);
  people = await Promise.all([1, 2, 3, 4].map(() => world.member(buyers.owner, [])));
  const [a, b, c, d] = people;
  if (!a || !b || !c || !d) throw new Error('nobody to agree');
  const steps = [step('a1', '主管', [a]), step('a2', '会签', [b, c], { mode: 'all' }), step('a3', '老板', [d])];
  await flowFor(buyers.owner, ORDER, '三级审批', steps, { dedup: 'none' });
  for (let n = 0; n < ORDERS; n += 1) {
    const order = await draftOrder(buyers, [{ sku: 'A', qty: 10, unitPrice: '2' }]);
    await buyers.buyer.call(orderSteps.submit, { body: { id: order.id } });
  }
});
afterAll(() => world.close());

/** Starts a process that agrees to everything; it ends the hard way, or when all is decided. */
async function agreeAndDie(afterMs: number | undefined): Promise<void> {
  const settings = {
    url: world.databaseUrl,
    dataDir: world.runtime.config.dataDir,
    companyId: buyers.owner.companyId,
    people: people.map((one) => one.userId),
  };
  const script = fileURLToPath(new URL('./approving-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CLOCK_SHIFT_SEC: String(Math.round(world.clock.shiftMs / 1_000)) },
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.resume();
  if (afterMs === undefined) while ((await running()) > 0) await sleep(50);
  else await sleep(afterMs);
  child.kill('SIGKILL');
  await ended;
}

const read = <Row>(query: (companyId: string) => ReturnType<typeof sql<Row>>) =>
  world.as(buyers.owner, async (ctx) => (await query(ctx.companyId).execute(ctx.db)).rows);

async function running(): Promise<number> {
  const rows = await read<{ n: number }>(
    (company) =>
      sql`SELECT count(*)::int AS n FROM approval.instance WHERE company_id = ${company} AND state = 'running'`,
  );
  return rows[0]?.n ?? 0;
}

interface Outcome {
  state: string;
  instance: string;
  approvals: number;
  steps: string[];
  open: number;
  told: number;
}

/** Each order beside its approval: the two may never tell different stories, whenever somebody looks. */
const outcomes = () =>
  read<Outcome>(
    (company) => sql`
      SELECT o.state, i.state AS instance,
             (SELECT count(*)::int FROM kit.timeline AS t WHERE t.company_id = ${company} AND t.document_type = ${ORDER}
                 AND t.document_id = o.id AND t.to_state = 'approved') AS approvals,
             (SELECT coalesce(json_agg(k.node_key ORDER BY k.no), '[]') FROM approval.task AS k
               WHERE k.company_id = ${company} AND k.instance_id = i.id AND k.state = 'approved') AS steps,
             (SELECT count(*)::int FROM approval.task AS k WHERE k.company_id = ${company} AND k.instance_id = i.id
                 AND k.state IN ('waiting', 'pending')) AS open,
             (SELECT count(*)::int FROM approval.log AS l WHERE l.company_id = ${company} AND l.instance_id = i.id
                 AND l.action = 'approve') AS told
        FROM purchase.purchase_order AS o
        JOIN approval.instance AS i ON i.company_id = o.company_id AND i.doc_id = o.id
       WHERE o.company_id = ${company}`,
  );

function requireOneStory(all: readonly Outcome[]): void {
  expect(all).toHaveLength(ORDERS);
  for (const one of all) {
    // Never ended half, never twice, no step skipped, and nobody's agreement counted without being told.
    expect(one.instance).toBe(one.state === 'approved' ? 'approved' : 'running');
    expect(one.approvals).toBe(one.state === 'approved' ? 1 : 0);
    expect(one.told).toBe(one.steps.length);
    const passed = [...new Set(one.steps)];
    expect(passed).toEqual(STEPS.slice(0, passed.length));
    if (one.steps.includes('a3')) expect(one.steps.filter((key) => key === 'a2')).toHaveLength(2);
    if (one.state === 'approved') expect([one.steps.length, one.open]).toEqual([AGREEMENTS, 0]);
    else expect(one.open).toBeGreaterThan(0);
  }
}

it(`processes that are killed ${KILLS} times while four people agree leave no approval half, double or short`, async () => {
  for (let round = 0; round < KILLS; round += 1) {
    await agreeAndDie(15 + Math.round(random() * 150));
    requireOneStory(await outcomes());
  }
  const before = await outcomes();
  expect(before.some((one) => one.steps.length > 0)).toBe(true);
  await agreeAndDie(undefined);
  const after = await outcomes();
  requireOneStory(after);
  expect(after.every((one) => one.state === 'approved')).toBe(true);
});
