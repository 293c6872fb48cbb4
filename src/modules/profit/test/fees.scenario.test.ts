import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { costSteps, saveCostShare, shareCost } from '#modules/costshare/contract/calls.ts';
import { depth, seed } from '#test/support/depth.ts';
import { type FileLine, makeAccount, settle, US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listGroup, monthlyGroup } from '../contract/group.ts';
import { DIMENSIONS, type Dimension, drillProfit, listProfit, totalProfit } from '../contract/report.ts';
import { amountOf } from '../contract/statement.ts';
import { fold, rebuild, rollup } from './support.ts';

let world: World;
let owner: Person;
let store: string;

const date = { from: '2026-01-01', to: '2026-02-28' };
const sold = (sku: string, amount: string, quantity: number): FileLine => ({
  orderId: '113-1111111-1111111',
  marketplaceName: 'Amazon.com',
  postedAt: '2026-01-10T20:00:00Z',
  sku,
  amountType: 'ItemPrice',
  amountDescription: 'Principal',
  amount,
  quantity,
});
const head = { feeType: '站外推广', currency: 'CNY', from: '2026-01-10', to: '2026-01-12', remark: '' };

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  const account = await makeAccount(world, owner);
  store = `${US}-${account.id}`;
  await settle(world, owner, account, [sold('SKU-A', '300.00', 10), sold('SKU-B', '100.00', 30)]);
  await world.as(owner, (ctx) =>
    sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, 'USD', '2026-01-01', 7, '测试'), (${ctx.companyId}, 'USD', '2026-02-01', 8, '测试')`.execute(
      ctx.db,
    ),
  );
  await fold(world, owner);
});
afterAll(() => world.close());

const cny = { date, currency: 'CNY' as const };
const report = async (dimension: Dimension) =>
  (await owner.call(listProfit, { body: { pagesize: 100, filter: { ...cny, dimension } } })).records;
const feesOf = (rows: readonly { fees?: string | null | undefined }[]) =>
  Decimal.sum(0, ...rows.map(({ fees }) => fees ?? Number.NaN)).toFixed();
const ledger = () =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ cny: string }>`
      SELECT trim_scale(-coalesce(sum(amount_cny), 0))::text AS cny FROM costshare.cost_line
       WHERE company_id = ${ctx.companyId} AND date BETWEEN ${date.from}::date AND ${date.to}::date`.execute(ctx.db);
    return rows[0]?.cny ?? '0';
  });
const save = (amount: string, rows: readonly { store: string; sku: string; amount: string }[], change: object = {}) =>
  owner.call(saveCostShare, { body: { ...head, amount, rows: [...rows], ...change } });

it('shares 100.00 by net sales 3 : 1 and by units 1 : 3, and 100.00 over three as 33.34, 33.33, 33.33', async () => {
  const share = (base: 'NET_SALES' | 'UNITS') =>
    owner.call(shareCost, {
      body: { stores: [store], base, amount: '100', currency: 'CNY', from: date.from, to: date.to },
    });
  const byNet = await share('NET_SALES');
  expect(byNet).toMatchObject({
    base: 'NET_SALES',
    rows: [
      { sku: 'SKU-A', amount: '75.00' },
      { sku: 'SKU-B', amount: '25.00' },
    ],
  });
  const byUnits = await share('UNITS');
  expect(byUnits.rows.map(({ amount }) => amount)).toEqual(['25.00', '75.00']);
});

it('brings a cost into every view of the profit, and its drill leads to the document', async () => {
  const before = new Map((await report('sku')).map((row) => [row.sku, row.profit]));
  const { id, number } = await save('70', [
    { store, sku: 'SKU-A', amount: '49' },
    { store, sku: '', amount: '21' },
  ]);
  await owner.call(costSteps.post, { body: { id } });
  await fold(world, owner);
  const rows = new Map((await report('sku')).map((row) => [row.sku, row]));
  // 49.00 of its own and three quarters of the store's 21.00, four decimals a day: 7.00 × 0.75 × 3.
  expect(rows.get('SKU-A')?.fees).toBe('-64.75');
  expect(rows.get('SKU-B')?.fees).toBe('-5.25');
  expect(new Decimal(rows.get('SKU-A')?.profit ?? 0).minus(before.get('SKU-A') ?? 0).toFixed()).toBe('-64.75');
  expect(rows.get('SKU-A')?.platformNet).toBe('2100');

  const total = await owner.call(totalProfit, { body: { filter: cny } });
  expect(total.current).toMatchObject({ fees: '-70', platformNet: '2800', profit: '2730' });
  const [group] = (await owner.call(listGroup, { body: { filter: cny } })).records;
  expect(group).toMatchObject({ fees: '-70', profit: '2730' });
  const monthly = await owner.call(monthlyGroup, { body: { filter: cny } });
  expect(monthly.rows[0] && amountOf(monthly.rows[0], 'fees')).toBe('-70');
  // In dollars by the month's rate: days without money stand in the store's currency and bring no other one.
  const usd = (await owner.call(listProfit, { body: { filter: { date, dimension: 'store' } } })).records;
  expect(usd).toHaveLength(1);
  expect(usd[0]).toMatchObject({ currency: 'USD', fees: '-10', profit: '390' });

  const drill = await owner.call(drillProfit, { body: { filter: { ...cny, sku: 'SKU-A', figure: 'fees' } } });
  expect(new Set(drill.fees.map((fee) => fee.number))).toEqual(new Set([number]));
  expect(drill.fees).toHaveLength(6);
  expect(drill.proof.map(({ gap }) => Number(gap))).toEqual([0, 0]);
  expect(drill.proof.map(({ figure }) => Number(figure))).toEqual([-49, -21]);

  const noCosts = await world.member(owner, ['fin:profit:view']);
  const hidden = (await noCosts.call(listProfit, { body: { filter: { ...cny, dimension: 'sku' } } })).records;
  expect(hidden.every((row) => row.fees === undefined && row.profit === undefined)).toBe(true);
  await expect(noCosts.call(drillProfit, { body: { filter: { ...cny, figure: 'fees' } } })).rejects.toThrow();
  expect((await noCosts.call(totalProfit, { body: { filter: cny } })).current.fees).toBeNull();

  await owner.call(costSteps.void, { body: { id, reason: '重复' } });
  await fold(world, owner);
  expect(feesOf(await report('sku'))).toBe('0');
  expect(new Map((await report('sku')).map((row) => [row.sku, row.profit]))).toEqual(before);
});

it('equals the ledger in every dimension, after whatever was posted, edited, taken back and counted again', async () => {
  const step = fc.record({
    do: fc.constantFrom('new', 'edit', 'unpost', 'post', 'void', 'fold'),
    which: fc.nat(20),
    sku: fc.constantFrom('SKU-A', 'SKU-B', 'SKU-NEW', ''),
    cents: fc.integer({ min: 1, max: 1_000_000 }),
    from: fc.constantFrom('2026-01-05', '2026-01-10', '2026-01-30', '2026-02-03'),
    currency: fc.constantFrom('CNY', 'USD'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const made: string[] = [];
      for (const { do: what, which, sku, cents, from, currency } of steps) {
        const id = made[which % Math.max(made.length, 1)];
        const amount = new Decimal(cents).div(100).toFixed();
        const form = { from, to: from === '2026-01-30' ? '2026-02-02' : from, currency };
        if (what === 'new' || id === undefined) {
          const { id: fresh } = await save(amount, [{ store, sku, amount }], form);
          await owner.call(costSteps.post, { body: { id: fresh } });
          made.push(fresh);
        } else if (what === 'edit') await save(amount, [{ store, sku, amount }], { ...form, id }).catch(refusedOnly);
        else if (what === 'fold') await fold(world, owner);
        else await owner.call(costSteps[what], { body: { id, reason: '试' } }).catch(refusedOnly);
      }
      await fold(world, owner);
      const booked = await ledger();
      for (const dimension of Object.keys(DIMENSIONS) as Dimension[]) {
        expect(new Decimal(feesOf(await report(dimension))).minus(booked).abs().toNumber(), dimension).toBeLessThan(
          1e-4,
        );
      }
      const counted = await rollup(world, owner);
      await rebuild(world, owner);
      expect(await rollup(world, owner)).toEqual(counted);
      const { proof } = await owner.call(drillProfit, { body: { filter: { ...cny, figure: 'fees' } } });
      expect(proof.every(({ gap }) => new Decimal(gap).isZero())).toBe(true);
    }),
    { numRuns: depth(4, 40), seed },
  );
});

/** A step that the state of a document does not allow changes nothing; anything else is a fault. */
function refusedOnly(error: unknown): void {
  if (!/单据/.test(String(error))) throw error;
}
