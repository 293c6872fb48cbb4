import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { type AccountRef, reimbursements, storageFees } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { type PaidSumFilter, paidSums } from '../contract/events.ts';
import { type StorageSumFilter, storageSums } from '../contract/fees.ts';
import { type Cells, type Load, loading, tsv } from './facts-support.ts';
import { makeAccount } from './support.ts';

const STORAGE = [
  'asin',
  'fnsku',
  'product_name',
  'fulfillment_center',
  'country_code',
  'item_volume',
  'volume_units',
  'product_size_tier',
  'average_quantity_on_hand',
  'estimated_total_item_volume',
  'month_of_charge',
  'base_rate',
  'currency',
  'estimated_monthly_storage_fee',
];
const stored = (
  label: string,
  month: string,
  centre: string,
  average: string,
  fee: string,
  more: Cells = {},
): Cells => ({
  asin: `B-${label}`,
  fnsku: label,
  product_name: label,
  fulfillment_center: centre,
  country_code: 'US',
  item_volume: '0.222222',
  volume_units: 'cubic feet',
  product_size_tier: 'Large standard-size',
  average_quantity_on_hand: average,
  estimated_total_item_volume: '200',
  month_of_charge: month,
  base_rate: '0.78',
  currency: 'USD',
  estimated_monthly_storage_fee: fee,
  ...more,
});

const PAID = [
  'approval-date',
  'reimbursement-id',
  'case-id',
  'amazon-order-id',
  'reason',
  'sku',
  'fnsku',
  'currency-unit',
  'amount-per-unit',
  'amount-total',
  'quantity-reimbursed-cash',
  'quantity-reimbursed-inventory',
  'quantity-reimbursed-total',
  'original-reimbursement-id',
];
const paid = (id: string, sku: string, day: string, amount: string, quantity: number): Cells => ({
  'approval-date': `${day}T20:00:00+00:00`,
  'reimbursement-id': id,
  reason: 'Lost_Warehouse',
  sku,
  fnsku: `X-${sku}`,
  'currency-unit': 'USD',
  'amount-total': amount,
  'quantity-reimbursed-cash': quantity,
  'quantity-reimbursed-total': quantity,
});

let world: World;
let owner: Person;
let load: Load;
let account: AccountRef;

const cents = (value: unknown): string | null =>
  value === null || value === undefined ? null : plainDecimal(new Decimal(String(value)).toFixed(4));
const storageOf = (filter: StorageSumFilter) => owner.call(storageSums.list, { body: { filter } });
const paidOf = (filter: PaidSumFilter) => owner.call(paidSums.list, { body: { filter } });

beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 11, 10, 2) - Date.now() });
  owner = await world.owner();
  load = loading(world, owner);
  account = await makeAccount(world, owner);
  const whole = { from: '2026-01-01T08:00:00.000Z', to: '2026-12-10T08:00:00.000Z', at: '2026-12-10T10:00:00.000Z' };
  const period = { ...whole, wholeDays: true };
  // Worked example 6: 900 pieces of 0.222222 ft³ at 0.78 in September and at 2.40 in October, then in two warehouses.
  const rows = [
    stored('X-A', '2026-09', 'ONT8', '900', '156.00'),
    stored('X-A', '2026-10', 'ONT8', '600', '320.00'),
    stored('X-A', '2026-10', 'PHX7', '300', '160.00'),
    stored('X-NEW', '2026-10', 'ONT8', '10', '5.33'),
  ];
  await load(account, storageFees.type, tsv(STORAGE, rows), period);
  await load(
    account,
    reimbursements.type,
    tsv(PAID, [
      paid('P1', 'A', '2026-11-03', '20.00', 2),
      paid('P2', 'A', '2026-11-12', '30.00', 3),
      paid('P3', 'A', '2026-11-13', '-10.00', 1),
      paid('P4', 'B', '2026-11-04', '8.00', 1),
    ]),
    period,
  );
}, 120_000);
afterAll(() => world.close());

it('storage: a month against the month before, over all warehouses; the fee of a piece is of sums', async () => {
  const filter = { dates: { from: '2026-10-05', to: '2026-10-20' } };
  const { records, totals } = await storageOf(filter);
  expect(
    records.map((row) => [row.fnsku, cents(row.storageFee), cents(row.storageFeeBefore), cents(row.storageFeeChange)]),
  ).toEqual([
    ['X-A', '480', '156', '2.0769'],
    ['X-NEW', '5.33', '0', null],
  ]);
  expect([records[0]?.average, records[0]?.perPiece, records[0]?.perPieceBefore].map(cents)).toEqual([
    '900',
    '0.5333',
    '0.1733',
  ]);
  expect([totals?.storageFee, totals?.storageFeeBefore, totals?.perPiece, totals?.perPieceBefore].map(cents)).toEqual([
    '485.33',
    '156',
    '0.5333',
    '0.1733',
  ]);
  // Nobody has told of August.
  const early = await storageOf({ dates: { from: '2026-09-01', to: '2026-09-30' } });
  expect(early.records).toMatchObject([{ fnsku: 'X-A', storageFeeBefore: null, storageFeeChange: null }]);
  const { points, told } = await owner.call(storageSums.trend, {
    body: { filter: { dates: { from: '2026-09-01', to: '2026-10-31' } } },
  });
  expect(told).toEqual({ now: 2, before: 0 });
  expect(points.map(({ day, now, before }) => [day, cents(now.storageFee), before.storageFee])).toEqual([
    ['2026-09-01', '156', null],
    ['2026-10-01', '485.33', null],
  ]);
  const usual = await owner.call(storageSums.trend, { body: { filter: {} } });
  expect(usual.period).toEqual({ from: '2026-09-01', to: '2026-11-30' });
});

it('reimbursements: reversals are in the sum, and a day without a payment had none', async () => {
  const filter = { dates: { from: '2026-11-11', to: '2026-11-18' } };
  const { records, totals } = await paidOf(filter);
  expect(
    records.map((row) => [row.product.code, cents(row.paidAmount), cents(row.paidAmountBefore), row.payments]),
  ).toEqual([
    ['A', '20', '20', 2],
    ['B', '0', '8', 0],
  ]);
  expect([totals?.paidAmount, totals?.paidAmountBefore, totals?.paidAmountChange].map(cents)).toEqual([
    '20',
    '28',
    '-0.2857',
  ]);
  const { points } = await owner.call(paidSums.trend, { body: { filter } });
  expect(points.map(({ now, before }) => [cents(now.paidAmount), cents(before.paidAmount)])).toEqual([
    ['0', '20'],
    ['30', '8'],
    ['-10', '0'],
    ['0', '0'],
    ['0', '0'],
    ['0', '0'],
    ['0', '0'],
    ['0', '0'],
  ]);
});

it('who may see no amounts gets none: neither in rows, nor in sums, nor in the chart', async () => {
  const blind = await world.member(owner, ['amz:inventory:view']);
  const filter = { dates: { from: '2026-11-11', to: '2026-11-18' } };
  const { records, totals } = await blind.call(paidSums.list, { body: { filter } });
  expect(records).toHaveLength(2);
  for (const shown of [...records, totals ?? {}]) {
    expect(Object.entries(shown).filter(([key, value]) => key.startsWith('paidAmount') && value !== null)).toEqual([]);
  }
  const { points } = await blind.call(paidSums.trend, { body: { filter } });
  expect(Object.keys(points[0]?.now ?? {})).toEqual(['quantity']);
  const stranger = await world.owner();
  expect((await stranger.call(storageSums.list, { body: { filter: {} } })).total).toBe(0);
});
