import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AccountRef,
  inventoryPlanning,
  ledgerDetail,
  ledgerSummary,
  storageFees,
} from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { agingForecast, dropRateCard, type RateCard, readRateCards, saveRateCard } from '../contract/aging.ts';
import { planning } from '../contract/planning.ts';
import { refreshAging } from '../server/aging/refresh.ts';
import { type Cells, DETAIL, type Load, loading, SUMMARY, tsv } from './facts-support.ts';
import { makeAccount } from './support.ts';

/** 2026-03-01 in Los Angeles, the day of the planning report. */
const PRESENT = {
  from: '2026-03-01T08:00:00.000Z',
  to: '2026-03-01T20:00:00.000Z',
  at: '2026-03-01T20:00:00.000Z',
  wholeDays: false,
};
const PAST = {
  from: '2025-08-01T07:00:00.000Z',
  to: '2026-03-02T08:00:00.000Z',
  at: '2026-03-02T10:00:00.000Z',
  wholeDays: true,
};

const AGES = ['0-to-90', '91-to-180', '181-to-270', '271-to-365', '366-to-455', '456-plus'] as const;
const COLUMNS = [
  'snapshot-date',
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'condition',
  'available',
  'pending-removal-quantity',
  ...AGES.map((name) => `inv-age-${name}-days`),
  'currency',
  ...[7, 30, 60, 90].map((days) => `units-shipped-t${days}`),
  'alert',
  'your-price',
  'recommended-action',
  'sell-through',
  'storage-type',
  'marketplace',
  'days-of-supply',
  'estimated-excess-quantity',
  'estimated-storage-cost-next-month',
  'inbound-quantity',
  'Total Reserved Quantity',
  'unfulfillable-quantity',
  'historical-days-of-supply',
  'fba-inventory-level-health-status',
  'Recommended ship-in quantity',
  'Recommended ship-in date',
];

/** Goods of the planning report: pieces by band of age, and what left in 7 and 30 days. */
const lying = (sku: string, ages: readonly number[], shipped7: number, shipped30: number): Cells => ({
  'snapshot-date': '2026-03-01',
  sku,
  fnsku: `X-${sku}`,
  asin: 'B000000001',
  condition: 'New',
  available: ages.reduce((all, one) => all + one, 0),
  'pending-removal-quantity': 0,
  ...Object.fromEntries(AGES.map((name, at) => [`inv-age-${name}-days`, ages[at] ?? 0])),
  currency: 'USD',
  'units-shipped-t7': shipped7,
  'units-shipped-t30': shipped30,
  'units-shipped-t60': shipped30 * 2,
  'units-shipped-t90': shipped30 * 3,
  'storage-type': 'Standard',
  marketplace: 'US',
  'estimated-excess-quantity': 0,
  'inbound-quantity': 0,
  'Total Reserved Quantity': 0,
  'unfulfillable-quantity': 0,
});

const received = (sku: string, day: string, quantity: number): Cells => ({
  Date: `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`,
  FNSKU: `X-${sku}`,
  ASIN: 'B000000001',
  MSKU: sku,
  'Event Type': 'Receipts',
  'Reference ID': `FBA${sku}${day}`,
  Quantity: quantity,
  'Fulfillment Center': 'ONT8',
  Disposition: 'SELLABLE',
  Country: 'US',
});

const STORED = [
  'asin',
  'fnsku',
  'product_name',
  'fulfillment_center',
  'country_code',
  'item_volume',
  'volume_units',
  'product_size_tier',
  'average_quantity_on_hand',
  'month_of_charge',
  'currency',
  'estimated_monthly_storage_fee',
];
const stored = (sku: string): Cells => ({
  asin: 'B000000001',
  fnsku: `X-${sku}`,
  fulfillment_center: 'ONT8',
  country_code: 'US',
  item_volume: '0.05',
  volume_units: 'cubic feet',
  product_size_tier: 'Large Standard-Size',
  average_quantity_on_hand: '100',
  month_of_charge: '2026-01',
  currency: 'USD',
  estimated_monthly_storage_fee: '3.90',
});

let world: World;
let owner: Person;
let account: AccountRef;
let load: Load;

/** Days of February and the two months before it: `hand` pieces lie there at the end of each, and `gone` leave on each. */
const books = (sku: string, hand: number, gone: number): Cells[] =>
  Array.from({ length: 90 }, (_, back) => {
    const day = new Date(Date.parse('2026-03-01') - back * 86_400_000).toISOString().slice(0, 10);
    return {
      Date: `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`,
      FNSKU: `X-${sku}`,
      ASIN: 'B000000001',
      MSKU: sku,
      Disposition: 'SELLABLE',
      'Starting Warehouse Balance': hand + gone,
      'Customer Shipments': -gone,
      'Ending Warehouse Balance': hand,
      Location: 'US',
    };
  });

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeAccount(world, owner);
  load = loading(world, owner);
  await load(
    account,
    inventoryPlanning.type,
    tsv(COLUMNS, [lying('OLD', [100, 50], 14, 60), lying('GUESS', [0, 0, 0, 30], 0, 0), lying('SHORT', [60], 84, 360)]),
    PRESENT,
  );
  await load(
    account,
    ledgerDetail.type,
    // Of the older arrival 50 of 120 lie there still; of the younger ones all.
    tsv(DETAIL, [received('OLD', '2025-09-10', 120), received('OLD', '2025-12-31', 100)]),
    PAST,
  );
  await load(account, ledgerSummary.type, tsv(SUMMARY, books('SHORT', 210, 12)), PAST);
  await load(account, storageFees.type, tsv(STORED, ['OLD', 'GUESS', 'SHORT'].map(stored)));
  await world.as(owner, (ctx) => refreshAging(ctx, account.id));
});
afterAll(() => world.close());

const rows = async (filter: object = {}) => (await owner.call(planning.list, { body: { filter } })).records;
const row = async (sku: string) => {
  const found = (await rows()).find((one) => one.product.code === sku);
  if (!found) throw new Error(sku);
  return found;
};

it('tells what the next count will cost, by the days of the ledger (example 8)', async () => {
  expect(await row('OLD')).toMatchObject({ nextDay: '2026-03-15', nextQty: 22, nextFee: '0.550000' });
  // No receipt tells of these: they lie in the middle of their band.
  const { layers, hold } = await owner.call(agingForecast, { body: { id: (await row('GUESS')).id } });
  expect(layers).toEqual([{ day: '2025-04-17', age: 318, quantity: 30, estimated: true }]);
  // 30 pieces of 0.05 ft³ at 5.90 (331 to 365 days), then at 6.90 a cubic foot or 0.30 a piece, whichever is more.
  expect(hold.months.map((month) => month.surcharge)).toEqual(['8.85', '8.85', '10.35', '10.35', '10.35', '11.85']);
  expect(hold.surcharge).toBe('60.60');
  expect(await row('GUESS')).toMatchObject({ halfFee: '60.600000' });
});

it('tells of stock that is kept too short, and how much lacks (example 9)', async () => {
  expect(await row('SHORT')).toMatchObject({
    supply30: '17.5',
    supply90: '17.5',
    lowBand: '14–21天',
    lowMonth: '252.000000',
    toReach: 276,
  });
  expect((await rows({ costs: 'low' })).map((one) => one.product.code)).toEqual(['SHORT']);
  expect((await rows({ costs: 'aged' })).map((one) => one.product.code).sort()).toEqual(['GUESS', 'OLD']);
});

it('adds up by currency, and is ordered by what it costs', async () => {
  const { totals, records } = await owner.call(planning.list, { body: { sort: 'halfFee', order: 'desc' } });
  expect(records[0]?.product.code).toBe('GUESS');
  expect(totals).toMatchObject({ nextQty: 52, nextFee: '9.400000' });
});

it('shows what selling faster, or taking goods out, would change', async () => {
  const { id } = await row('GUESS');
  const out = await owner.call(agingForecast, { body: { id, remove: 10, removeFee: '0.6' } });
  expect(out.plan).toMatchObject({ surcharge: '40.40', removal: '6.00' });
  const faster = await owner.call(agingForecast, { body: { id, perDay: '1' } });
  expect(faster.plan?.months.map((month) => month.left)).toEqual([16, 0, 0, 0, 0, 0]);
  expect(faster.hold).toEqual(out.hold);
  const over = await owner.send(agingForecast, { body: { id, remove: 31 } });
  expect(over).toMatchObject({ code: 400, msg: '移除数量不能超过可售 30' });
});

it('reckons with the rates of the company, and with the usual ones again when they are taken away', async () => {
  const card: RateCard = {
    kind: 'AGED',
    country: 'US',
    validFrom: '2026-02-01',
    currency: 'USD',
    volumeUnit: 'FT3',
    bands: [{ tier: 'ALL', from: 181, to: null, perVolume: null, perUnit: '1', exempt: false }],
  };
  const wrong = await owner.send(saveRateCard, { body: { ...card, currency: 'EUR' } });
  expect(wrong).toMatchObject({ code: 400, msg: 'US 的费率币种应为 USD' });
  await owner.call(saveRateCard, { body: card });
  await world.as(owner, (ctx) => refreshAging(ctx, account.id));
  expect(await row('GUESS')).toMatchObject({ nextFee: '30.000000' });
  const cards = await owner.call(dropRateCard, { body: card });
  expect(cards.filter((one) => one.own)).toEqual([]);
  await world.as(owner, (ctx) => refreshAging(ctx, account.id));
  expect(await row('GUESS')).toMatchObject({ nextFee: '8.850000' });
});

it('is kept by whoever may keep rates, and seen by no other company', async () => {
  const reader = await world.member(owner, ['amz:inventory:view']);
  expect((await reader.call(readRateCards, {})).length).toBeGreaterThan(2);
  expect(
    (await reader.send(dropRateCard, { body: { kind: 'AGED', country: 'US', validFrom: '2026-02-01' } })).status,
  ).toBe(403);
  const stranger = await world.owner();
  expect((await stranger.send(agingForecast, { body: { id: (await row('OLD')).id } })).status).toBe(404);
  expect((await stranger.call(planning.list, { body: {} })).records).toEqual([]);
});
