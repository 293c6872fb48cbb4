import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkLedger } from '../server/health/run.ts';
import { createLedgerWorld, createStock, foldAll, type Stock, type World, within } from './support.ts';

const LINES = 60;
const KILLS = 5;

let world: World;
let stock: Stock;

beforeAll(async () => {
  world = await createLedgerWorld();
  stock = await createStock(
    world,
    Array.from({ length: LINES }, (_, index) => `K${index}`),
  );
});
afterAll(() => world.close());

/** Starts a process that posts, and ends it the hard way a little later. */
async function postAndDie(afterMs: number): Promise<void> {
  const settings = {
    url: world.databaseUrl,
    dataDir: world.runtime.config.dataDir,
    companyId: stock.companyId,
    warehouse: stock.main,
    products: [...stock.products.values()],
  };
  const script = fileURLToPath(new URL('./posting-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CLOCK_SHIFT_SEC: String(Math.round(world.runtime.clock.shiftMs / 1_000)) },
  });
  await once(child.stdout, 'data');
  await sleep(afterMs);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

it(`a process that is killed ${KILLS} times in the middle of its postings leaves none of them half`, async () => {
  for (let round = 0; round < KILLS; round += 1) await postAndDie(20 + round * 37);
  const { rows } = await world.admin.query<{ postings: number; whole: number; entries: number; layers: number }>(
    `SELECT count(*)::int AS postings, count(*) FILTER (WHERE e.n = $2)::int AS whole, coalesce(sum(e.n), 0)::int AS entries,
            (SELECT count(*)::int FROM warehouse.cost_layer WHERE company_id = $1) AS layers
       FROM warehouse.stock_posting AS p
       LEFT JOIN LATERAL (SELECT count(*) AS n FROM warehouse.stock_entry AS e WHERE e.company_id = $1 AND e.posting_id = p.id) AS e ON true
      WHERE p.company_id = $1`,
    [stock.companyId, 2 * LINES],
  );
  const [found] = rows;
  expect(found?.postings).toBeGreaterThan(KILLS);
  expect(found?.whole).toBe(found?.postings);
  expect(found?.layers).toBe((found?.postings ?? 0) * LINES);
  await foldAll(world, stock);
  const results = await within(world, stock, checkLedger);
  expect(results.filter((result) => result.broken > 0)).toEqual([]);
});
