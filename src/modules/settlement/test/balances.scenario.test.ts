import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal, plainDecimal, sum } from '#kit/contract/decimal.ts';
import { runStream, streamDetail } from '#modules/marketplace/contract/sync-matrix.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import { type BalanceRow, checkBalance, countBalances, exportBalances, listBalances } from '../contract/balances.ts';
import { listOpen } from '../contract/open.ts';
import { settlementLines } from '../contract/settlements.ts';

const DAY = 86_400_000;
const SELLER = 'A1SANDBOX0001';

let world: MarketplaceWorld;
let owner: Person;
let authid: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
  owner = await world.owner();
  ({ accountId: authid } = await connectStore(owner, SELLER));
  await untilSynced(owner, authid);
});
afterAll(() => world.close());

const detail = (stream: string) => owner.call(streamDetail, { query: { authid, stream } });
const runsOf = async (stream: string) => (await detail(stream)).runs.filter(({ error }) => error === null).length;
const rows = async (filter: object = {}): Promise<BalanceRow[]> =>
  (await owner.call(listBalances, { body: { filter, pagesize: 100 } })).records;

/** Has streams run once more, one after the other, and waits for each. */
async function read(...streams: string[]): Promise<void> {
  for (const stream of streams) {
    const before = await runsOf(stream);
    await owner.call(runStream, { body: { authid, stream } });
    await expect.poll(() => runsOf(stream), { timeout: PATIENCE_MS, interval: 100 }).toBeGreaterThan(before);
  }
}

const seller = () => {
  const found = world.sandbox.business.accounts.find((one) => one.sellingPartnerId === SELLER && one.region === 'na');
  if (!found) throw new Error('the sandbox has no such seller');
  return found;
};

/** What was posted in the two minutes that the API keeps back: the balance has it, its transactions have not. */
function tooYoung(groupId: string): string {
  const now = world.sandbox.clock.now();
  const young = world.sandbox.business.transactions(seller(), { from: now - 120_000, to: now + 1 }, now);
  return sum(young.filter((one) => one.financialEventGroupId === groupId).map(({ total }) => total));
}

async function expectAgreement(): Promise<void> {
  const now = world.sandbox.clock.now();
  const told = world.sandbox.business.eventGroups(seller(), now);
  const kept = new Map((await rows()).map((row) => [row.groupId, row]));
  expect([...kept.keys()].sort()).toEqual(told.map(({ groupId }) => groupId).sort());
  for (const group of told) {
    const row = kept.get(group.groupId);
    expect(plainDecimal(row?.total ?? '')).toBe(plainDecimal(group.total));
    expect(plainDecimal(row?.beginning ?? '')).toBe(plainDecimal(group.beginning));
    if (group.endAt === undefined) {
      const young = tooYoung(group.groupId);
      expect(row).toMatchObject({ state: 'open', verdict: 'ongoing', endAt: null, transfer: null });
      expect(plainDecimal(row?.difference ?? '')).toBe(plainDecimal(young));
      expect(row?.reason).toBe(Number(young) === 0 ? 'current' : 'moving');
    } else {
      expect(row).toMatchObject({ state: 'closed', verdict: 'agreed', reason: null, deferred: null });
      expect(new Decimal(row?.difference ?? 1).isZero()).toBe(true);
      expect(row?.settlementDoc).not.toBeNull();
    }
  }
}

test('after the first synchronisation every closed period agrees to the cent, and the open ones are in progress', async () => {
  await read('settlements', 'finances', 'finances.groups');
  await expect
    .poll(async () => (await rows({ verdict: 'agreed' })).length, { timeout: PATIENCE_MS })
    .toBeGreaterThan(3);
  await expectAgreement();
  const counts = await owner.call(countBalances, { body: {} });
  expect(counts).toEqual({ agreed: (counts.all ?? 0) - 2, ongoing: 2, all: counts.all });
});

test('each figure opens its lines: the settlement of a closed period, the released money of an open one', async () => {
  const [closed] = await rows({ verdict: 'agreed' });
  const lines = await owner.call(settlementLines, { params: { id: closed?.settlementDoc ?? '' }, body: {} });
  expect(plainDecimal(String(lines.totals?.amount))).toBe(plainDecimal(closed?.ours ?? ''));
  const [open] = await rows({ state: 'open', currency: 'USD' });
  const filter = { state: 'released' as const, group: open?.groupId };
  const behind = await owner.call(listOpen, { body: { filter } });
  expect(plainDecimal(String(behind.totals?.amount))).toBe(plainDecimal(open?.ours ?? ''));
  // Deferred money is no part of either: it stands beside them.
  const stores = [open?.storeKey ?? ''];
  const deferred = await owner.call(listOpen, { body: { filter: { state: 'deferred', stores, currency: 'USD' } } });
  expect(Number(open?.deferred)).toBeGreaterThan(0);
  expect(plainDecimal(String(deferred.totals?.amount))).toBe(plainDecimal(open?.deferred ?? ''));
});

test('sixteen days later the period that was open has closed, waits for its file, and agrees once that is here', async () => {
  const open = (await rows({ state: 'open' })).map(({ groupId }) => groupId);
  world.sandbox.world.commandClock({ advanceMs: 16 * DAY });
  await read('finances', 'finances.again', 'finances.groups');
  const waiting = (await rows({ state: 'closed' })).filter((row) => row.verdict !== 'agreed');
  expect(waiting.map(({ groupId }) => groupId)).toEqual(expect.arrayContaining(open));
  for (const row of waiting) {
    const old = Date.parse(row.readAt) - Date.parse(row.endAt ?? '') > 3 * DAY;
    expect(row).toMatchObject({
      ours: null,
      verdict: old ? 'differs' : 'ongoing',
      reason: old ? 'noFile' : 'awaitsFile',
    });
  }
  await read('settlements');
  const closedAndNotAgreed = async () =>
    (await rows({ state: 'closed' })).filter(({ verdict }) => verdict !== 'agreed').length;
  await expect.poll(closedAndNotAgreed, { timeout: PATIENCE_MS, interval: 100 }).toBe(0);
  await expectAgreement();
  const after = (await rows()).filter(({ groupId }) => open.includes(groupId));
  expect(after.map(({ verdict }) => verdict)).toEqual(open.map(() => 'agreed'));
});

test('the transfer of a period is there once Amazon tells of it', async () => {
  const told = world.sandbox.business.eventGroups(seller(), world.sandbox.clock.now());
  const paid = told.filter(({ transfer }) => transfer?.status === 'Succeeded');
  expect(paid.length).toBeGreaterThan(2);
  const kept = new Map((await rows()).map((row) => [row.groupId, row]));
  for (const { groupId, transfer, total } of paid) {
    const row = kept.get(groupId);
    expect(row).toMatchObject({ transfer: 'succeeded', traceId: transfer?.traceId, accountTail: '417' });
    expect(Date.parse(row?.transferAt ?? '')).toBe(transfer?.at);
    expect(plainDecimal(row?.converted ?? '')).toBe(plainDecimal(total));
  }
});

test('a line that was tampered with is a difference of its amount', async () => {
  const [row] = await rows({ verdict: 'agreed', currency: 'USD' });
  await world.as(owner, (ctx) =>
    sql`
      INSERT INTO settlement.money_line
      SELECT (jsonb_populate_record(l, '{"part": 99, "amount": "12.34"}')).* FROM settlement.money_line AS l
       WHERE l.company_id = ${ctx.companyId} AND l.source_doc_id = ${row?.settlementDoc}::uuid
       ORDER BY l.line_no LIMIT 1`.execute(ctx.db),
  );
  const checked = await owner.call(checkBalance, { params: { id: row?.id ?? '' } });
  expect(checked).toMatchObject({ verdict: 'differs', reason: 'amount' });
  expect(plainDecimal(checked.difference ?? '')).toBe('-12.34');
  expect((await rows({ verdict: 'differs' })).map(({ id }) => id)).toEqual([row?.id]);
  // The daily reading finds it as well.
  await read('finances.groups');
  expect((await rows({ verdict: 'differs' })).map(({ id }) => id)).toEqual([row?.id]);
});

test('it is a file too, and a stranger sees nothing of it', async () => {
  const file = await owner.send(exportBalances, { body: { format: 'csv', filter: { verdict: 'differs' } } });
  const [head, line] = file.raw.toString('utf8').trim().split('\r\n');
  expect(head).toContain('亚马逊总额');
  expect(line).toContain('差异');
  expect(line).toContain('-12.34');
  const stranger = await world.owner();
  expect((await stranger.call(listBalances, { body: {} })).total).toBe(0);
  const [row] = await rows();
  expect((await stranger.send(checkBalance, { params: { id: row?.id ?? '' } })).status).toBe(404);
});
