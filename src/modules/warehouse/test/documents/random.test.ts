// Random commands to documents, one after the other and by many people at once: whatever is refused, the laws hold.

import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentDef } from '#kit/contract/document.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { depth, seed } from '#test/support/depth.ts';
import { createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { type Answer, createWorld, type World } from '#test/support/world.ts';
import { assembly, assemblyCalls } from '../../contract/documents/assembly.ts';
import { saveSetting } from '../../contract/documents/choices.ts';
import { exchange, exchangeCalls } from '../../contract/documents/exchange.ts';
import { inbound, inboundCalls } from '../../contract/documents/inbound.ts';
import { outbound, outboundCalls } from '../../contract/documents/outbound.ts';
import { overseas, overseasCalls } from '../../contract/documents/overseas.ts';
import { stocktake, stocktakeCalls } from '../../contract/documents/stocktake.ts';
import { transfer, transferCalls } from '../../contract/documents/transfer.ts';
import { checkLedger, foldSnapshots } from '../../server/health/run.ts';

const SKUS = ['R1', 'R2', 'R3'];
const CLIENTS = 10;

let world: World;
beforeAll(async () => {
  world = await createWorld({ poolSize: CLIENTS });
});
afterAll(() => world.close());

const KINDS = {
  inbound: { def: inbound as DocumentDef, calls: inboundCalls as unknown as Record<string, Endpoint> },
  outbound: { def: outbound as DocumentDef, calls: outboundCalls as unknown as Record<string, Endpoint> },
  transfer: { def: transfer as DocumentDef, calls: transferCalls as unknown as Record<string, Endpoint> },
  overseas: { def: overseas as DocumentDef, calls: overseasCalls as unknown as Record<string, Endpoint> },
  exchange: { def: exchange as DocumentDef, calls: exchangeCalls as unknown as Record<string, Endpoint> },
  stocktake: { def: stocktake as DocumentDef, calls: stocktakeCalls as unknown as Record<string, Endpoint> },
  assembly: { def: assembly as DocumentDef, calls: assemblyCalls as unknown as Record<string, Endpoint> },
};
type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];

const command = fc.record({
  /** A new document, or a step of one that is there. */
  make: fc.integer({ min: 0, max: 9 }),
  kind: fc.constantFrom<Kind[]>(
    'inbound',
    'inbound',
    'outbound',
    'outbound',
    'transfer',
    'overseas',
    'exchange',
    'stocktake',
    'assembly',
  ),
  sku: fc.integer({ min: 0, max: 2 }),
  other: fc.integer({ min: 0, max: 2 }),
  qty: fc.integer({ min: 1, max: 30 }),
  nth: fc.nat(),
  /** Mostly the way ahead, sometimes anything. */
  way: fc.integer({ min: 0, max: 19 }),
  flag: fc.boolean(),
});
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Run {
  house: House;
  documents: { kind: Kind; id: string }[];
  done: number;
  refused: number;
}

/** The next step of each state, so that many documents reach their end. */
const AHEAD: Record<string, string> = {
  draft: 'submit',
  rejected: 'submit',
  pending: 'approve',
  receiving: 'receive',
  partial: 'receive',
  picking: 'pick',
  picked: 'ship',
  allocating: 'ship',
  shipped: 'receive',
  counting: 'count',
  recounting: 'recount',
  ready: 'start',
  processing: 'finish',
  done: 'reverse',
};

function newBody(house: House, one: Command): object {
  const product = (index: number) => productOf(house, SKUS[index] ?? 'R1');
  const line = { productId: product(one.sku), qty: one.qty };
  const head = { warehouseId: house.main };
  switch (one.kind) {
    case 'inbound':
      return { ...head, lines: [{ ...line, unitCost: ((one.nth % 90_000) / 1000 + 0.0001).toFixed(4) }] };
    case 'transfer':
      return {
        ...head,
        toWarehouseId: house.second,
        freight: `${(one.nth % 500) / 100}`,
        feeSplit: 'QTY',
        lines: [line],
      };
    case 'overseas':
      return {
        ...head,
        toWarehouseId: house.overseas,
        carrier: '随机物流',
        freight: `${(one.nth % 500) / 100}`,
        feeSplit: 'QTY',
        lines: [line],
      };
    case 'exchange':
      return { ...head, lines: [{ ...line, toProductId: product(one.other) }] };
    case 'stocktake':
      return { ...head, mode: one.flag ? 'LIVE' : 'FREEZE', products: [product(one.sku)] };
    case 'assembly':
      return {
        ...head,
        type: one.flag ? 'ASSEMBLE' : 'DISASSEMBLE',
        productId: product(one.other),
        qty: 1 + (one.qty % 4),
        otherFee: '1.23',
        lines: [line],
      };
    default:
      return { ...head, lines: [line] };
  }
}

function noteAnswer(run: Run, answer: Answer<unknown>): void {
  if (answer.code === 201) run.done += 1;
  else run.refused += 1;
  // Refusals are words for people; a fault or two postings in each other's way are neither.
  expect([200, 400, 409], `${answer.status} ${answer.msg}`).toContain(answer.status);
  expect(answer.msg).not.toContain('数据正被他人修改');
}

async function stepBody(run: Run, kind: Kind, id: string, name: string, one: Command): Promise<object> {
  const body = { id, reason: '随机' };
  if (!['receive', 'pick', 'count', 'recount', 'putBoxes', 'totals', 'split'].includes(name)) return body;
  const data = KINDS[kind].calls.data;
  if (!data) return body;
  const { lines } = (await run.house.owner.call(data as never, { params: { id } } as never)) as {
    lines: { id: string; qty: number; doneQty: number; bookQty: number | null }[];
  };
  if (name === 'putBoxes') {
    const items = lines.map(({ id: lineId, qty }) => ({ lineId, qty: one.way === 0 ? qty + 1 : qty }));
    return { ...body, boxes: [{ length: '60', width: '40', height: '40', weight: '15.2', items }] };
  }
  if (name === 'totals') {
    // What the warehouse abroad counted altogether: also less than before.
    return {
      ...body,
      lines: lines.map(({ id: lineId, qty }) => ({ lineId, total: one.flag ? qty : one.qty % (qty + 1) })),
    };
  }
  return {
    ...body,
    lines: lines.map((line) => {
      const open = Math.max(1, line.qty - line.doneQty);
      const qty = one.flag ? open : 1 + (one.qty % open);
      if (kind === 'stocktake')
        return { lineId: line.id, counted: Math.max(0, (line.bookQty ?? 0) + (one.qty % 7) - 3), unitCost: '1' };
      return { lineId: line.id, qty, ...(name === 'pick' ? { short: !one.flag } : {}) };
    }),
  };
}

/** Calls that read a document or make a new one. */
const NO_STEPS = new Set([
  'list',
  'counts',
  'export',
  'data',
  'save',
  'template',
  'lines',
  'upload',
  'print',
  'labels',
  'notes',
  'boxes',
  'marks',
]);

/** The next step of an order for a warehouse abroad, where it is another one than that of a transfer. */
function abroad(state: string, one: Command): string | undefined {
  if (state === 'allocating') return 'pack';
  if (state === 'packing') return one.way % 2 === 0 ? 'putBoxes' : 'ship';
  return ['shipped', 'partial'].includes(state) && one.way % 3 === 0 ? 'totals' : undefined;
}

async function carryOut(run: Run, one: Command): Promise<void> {
  const { owner } = run.house;
  const doc = run.documents[one.nth % Math.max(1, run.documents.length)];
  if (one.make < 1 || !doc) {
    const save = KINDS[one.kind].calls.save as Endpoint;
    const answer = await owner.send(save, { body: newBody(run.house, one) } as never);
    noteAnswer(run, answer);
    if (answer.code === 201) run.documents.push({ kind: one.kind, id: (answer.data as Outcome).id });
    return;
  }
  const { calls } = KINDS[doc.kind];
  const { document } = (await owner.call(calls.data as never, { params: { id: doc.id } } as never)) as {
    document: { state: string };
  };
  const ahead = doc.kind === 'stocktake' && document.state === 'draft' ? 'start' : (AHEAD[document.state] ?? 'cancel');
  const next = doc.kind === 'overseas' ? abroad(document.state, one) : undefined;
  const counted =
    doc.kind === 'stocktake' && ['count', 'recount'].includes(ahead) && one.way % 2 === 0 ? 'submit' : ahead;
  const steps = Object.keys(calls).filter((name) => !NO_STEPS.has(name));
  const name =
    one.way < 16 && !(document.state === 'done' && one.way > 2)
      ? (next ?? counted)
      : (steps[one.nth % steps.length] ?? 'cancel');
  const call = calls[name];
  if (!call) return;
  const body = await stepBody(run, doc.kind, doc.id, name, one);
  const key = { 'idempotency-key': `k-${doc.id}-${one.nth}-${one.way}-${name}` };
  const first = await owner.send(call, { body } as never, key);
  noteAnswer(run, first);
  // A double click: the same answer, whatever it was, and nothing more happens.
  if (one.flag && first.code === 201) {
    const second = await owner.send(call, { body } as never, key);
    expect(second.data).toEqual(first.data);
  }
}

async function newRun(): Promise<Run> {
  const house = await createHouse(world, SKUS);
  await house.owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0', recountShare: '0.02', recountAmount: '200' },
  });
  return { house, documents: [], done: 0, refused: 0 };
}

/** An order for the warehouse abroad that is picked and in its box. */
async function packed(run: Run, sku: number): Promise<void> {
  const { owner } = run.house;
  const one = { ...fc.sample(command, 1)[0], kind: 'overseas', sku, qty: 3, way: 1 } as Command;
  const { id } = await owner.call(overseasCalls.save, { body: newBody(run.house, one) } as never);
  for (const step of [overseasCalls.submit, overseasCalls.approve, overseasCalls.pack]) {
    await owner.call(step, { body: { id } } as never);
  }
  const boxes = await stepBody(run, 'overseas', id, 'putBoxes', one);
  await owner.call(overseasCalls.putBoxes, { body: boxes } as never);
  run.documents.push({ kind: 'overseas', id });
}

/** One row for each law of the documents that is broken. */
async function broken(run: Run): Promise<unknown[]> {
  return world.as(run.house.owner, async (ctx) => {
    await foldSnapshots(ctx);
    const ledger = (await checkLedger(ctx)).filter((check) => check.broken > 0);
    const ways = NAMES.flatMap((name) =>
      Object.values(KINDS[name].def.transitions).flatMap((rule) =>
        rule.from.map((from) => `${KINDS[name].def.name} ${from} ${rule.to}`),
      ),
    );
    const { rows } = await sql<{ law: string }>`
      WITH d AS (SELECT * FROM warehouse.document WHERE company_id = ${ctx.companyId}),
           l AS (SELECT d.kind, d.state, d.to_warehouse_id, d.warehouse_id, l.* FROM warehouse.document_line AS l
                   JOIN d ON d.id = l.document_id WHERE l.company_id = ${ctx.companyId})
      SELECT 'I17 a step that is not listed: ' || t.document_type || ' ' || t.from_state || ' ' || t.to_state AS law
        FROM kit.timeline AS t WHERE t.company_id = ${ctx.companyId} AND t.kind = 'transition'
         AND t.document_type || ' ' || t.from_state || ' ' || t.to_state <> ALL (${ways})
      UNION ALL
      SELECT 'I17 version of ' || d.number FROM d
       WHERE d.version <> (SELECT count(*) FROM kit.timeline AS t WHERE t.company_id = ${ctx.companyId}
                            AND t.document_id = d.id AND (t.kind = 'transition' OR t.title = '修改'))
      UNION ALL
      SELECT 'held by a document that is over: ' || d.number FROM d JOIN warehouse.reservation AS r
          ON r.company_id = ${ctx.companyId} AND r.document_id = d.id::text AND r.held > 0
       WHERE d.state IN ('draft', 'rejected', 'done', 'cancelled')
      UNION ALL
      SELECT 'expected and not waited for' FROM (
        SELECT (SELECT coalesce(sum(qty), 0) FROM warehouse.stock_balance WHERE company_id = ${ctx.companyId} AND status = 'EXPECTED') AS have,
               (SELECT coalesce(sum(greatest(qty - done_qty, 0)), 0) FROM l
                 WHERE (kind = 'inbound' AND state IN ('receiving', 'partial')) OR (kind = 'transfer' AND state = 'allocating')
                    OR (kind = 'overseas' AND state IN ('allocating', 'packing'))) AS wanted) AS x
       WHERE have <> wanted
      UNION ALL
      SELECT 'I9 on the way and not in a transfer' FROM (
        SELECT (SELECT coalesce(sum(qty), 0) FROM warehouse.stock_balance WHERE company_id = ${ctx.companyId} AND status = 'IN_TRANSIT') AS have,
               (SELECT coalesce(sum(qty - done_qty), 0) FROM l WHERE kind IN ('transfer', 'overseas') AND state IN ('shipped', 'partial')) AS wanted) AS x
       WHERE have <> wanted
      UNION ALL
      SELECT 'I9 sent, received and lost of ' || document_id FROM l
       WHERE kind IN ('transfer', 'overseas') AND state = 'done' AND qty <> done_qty + short_qty
      UNION ALL
      SELECT 'I18 count of ' || document_id FROM (
        SELECT l.document_id, sum(CASE WHEN l.skipped THEN 0 ELSE coalesce(l.recount_qty, l.counted_qty) - l.book_qty END) AS wanted,
               coalesce((SELECT sum(e.qty) FROM warehouse.stock_posting AS p JOIN warehouse.stock_entry AS e
                  ON e.company_id = p.company_id AND e.posting_id = p.id AND e.status <> 'OUTSIDE'
                WHERE p.company_id = ${ctx.companyId} AND p.source_id = l.document_id::text), 0) AS posted
          FROM l WHERE l.kind = 'stocktake' AND l.state = 'done' GROUP BY 1) AS x
       WHERE wanted <> posted
      UNION ALL
      SELECT 'frozen by a count that is over' FROM warehouse.freeze AS f JOIN d ON d.id::text = f.document_id
       WHERE f.company_id = ${ctx.companyId} AND f.released_at IS NULL AND d.state IN ('done', 'cancelled')`.execute(
      ctx.db,
    );
    return [...ledger, ...rows];
  });
}

describe('random commands to documents', () => {
  it('one after the other keep every law', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 40, maxLength: 80 }), async (commands) => {
        const run = await newRun();
        for (const one of commands) await carryOut(run, one);
        expect(await broken(run)).toEqual([]);
      }),
      { numRuns: depth(1, 3), endOnFailure: true },
    );
  });

  it('by many people at once keep every law, without a deadlock', async () => {
    const run = await newRun();
    // Stock to begin with and no leaning to small numbers: documents of every kind get to their postings.
    for (const sku of SKUS) await stocked(world, run.house, sku, 60, '9.9900');
    // The longest way has most steps: some begin it halfway.
    for (const sku of [0, 1, 2, 0, 1, 2]) await packed(run, sku);
    const commands: Command[] = [];
    const hand = async () => {
      for (let one = commands.pop(); one; one = commands.pop()) await carryOut(run, one);
    };
    const posted = () =>
      world.as(run.house.owner, async (ctx) => {
        const { rows } = await sql<{ type: string }>`
          SELECT DISTINCT source_type || ' ' || source_event AS type FROM warehouse.stock_posting WHERE company_id = ${ctx.companyId}`.execute(
          ctx.db,
        );
        return rows.map((row) => row.type);
      });
    const kinds = (types: readonly string[]) => new Set(types.map((type) => type.split(' ')[0])).size;
    // Who comes first differs from run to run, and with it how far a document gets: more commands, until enough kinds of
    // documents have moved stock.
    let types: string[] = [];
    for (let round = 0; round < 6 && (kinds(types) < 4 || !types.includes('warehouse.overseas ship')); round += 1) {
      commands.push(...fc.sample(fc.noBias(command), { numRuns: depth(200, 600), seed: seed + round }));
      await Promise.all(Array.from({ length: CLIENTS }, hand));
      types = await posted();
    }
    expect(await broken(run)).toEqual([]);
    expect(kinds(types)).toBeGreaterThanOrEqual(4);
    expect(types).toContain('warehouse.overseas ship');
    // Enough got through that the laws had something to hold.
    expect(run.done).toBeGreaterThan(depth(20, 100));
    expect(run.refused).toBeGreaterThan(depth(0, 5));
  });
});
