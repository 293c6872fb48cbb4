import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import {
  agedFees as agedReader,
  customerReturns,
  ledgerDetail,
  ledgerSummary,
  feePreviews as previewReader,
  reimbursements,
  removalOrders,
} from '#modules/marketplace/server/index.ts';
import { reasons, shareReturns } from '#modules/returns/contract/reasons.ts';
import { returns } from '#modules/returns/contract/returns.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { reimbursements as paid, removals, sumReimbursements } from '../contract/events.ts';
import { agedFees, feePreviews } from '../contract/fees.ts';
import { balances, chartBalances, movements, proveLedger } from '../contract/ledger.ts';
import { monthDay } from '../server/facts/fees.ts';
import {
  asked,
  balance,
  type Cells,
  DETAIL,
  type Load,
  loaderOf,
  loading,
  move,
  SUMMARY,
  siteOf,
  source,
  tsv,
} from './facts-support.ts';
import { CA, makeAccount, US } from './support.ts';

let world: World;
let owner: Person;
let load: Load;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  load = loading(world, owner);
});
afterAll(() => world.close());

it('screens prove: opening balance + movements = closing balance, and say where it is not so', async () => {
  const account = await makeAccount(world, owner);
  const period = asked('2026-06-01', '2026-06-04', '10:00');
  await load(account, ledgerDetail.type, tsv(DETAIL, [move(1, 10), move(2, -1), move(3, -3)]), period);
  await load(
    account,
    ledgerSummary.type,
    tsv(SUMMARY, [
      balance(1, 0, { Receipts: 10 }, 10),
      balance(2, 10, { 'Customer Shipments': -1 }, 9),
      balance(3, 9, { 'Customer Shipments': -3 }, 5),
    ]),
    period,
  );
  const filter = siteOf(account);
  const proof = (more: object) => owner.call(proveLedger, { body: { filter: { ...filter, ...more } } });
  expect(await proof({ dates: { from: '2026-06-02', to: '2026-06-02' } })).toEqual({
    starting: 10,
    ending: 9,
    moved: -1,
    difference: 0,
    byEvent: [{ event: 'Shipments', quantity: -1 }],
  });
  expect(await proof({})).toMatchObject({ starting: 0, ending: 5, moved: 6, difference: 1 });
  expect(await proof({ events: ['Shipments'] })).toMatchObject({ starting: null, moved: -4, difference: null });
  const list = await owner.call(movements.list, { body: { filter } });
  expect(list.totals).toEqual({ quantity: 6 });
  expect(list.records.map((row) => [row.day, row.quantity])).toEqual([
    ['2026-06-03', -3],
    ['2026-06-02', -1],
    ['2026-06-01', 10],
  ]);
  const odd = await owner.call(balances.list, { body: { filter: { ...filter, odd: true } } });
  expect(odd.records.map((row) => [row.day, row.gap])).toEqual([['2026-06-03', 1]]);
  const days = await owner.call(chartBalances, { body: { filter } });
  expect(days.map((day) => day.sellable)).toEqual([10, 9, 5]);
});

it('the course leaves out a last day that only some of the stocks have begun', async () => {
  const account = await makeAccount(world, owner);
  const days = (...list: number[]) =>
    tsv(
      SUMMARY,
      list.map((day) => balance(day, 5, {}, 5)),
    );
  const bring = (site: string, text: string) =>
    world.as(owner, (ctx) =>
      loaderOf(ledgerSummary.type).load(ctx, { ...source(account, ledgerSummary.type, text), marketplaceIds: [site] }),
    );
  await bring(US, days(1, 2, 3));
  await bring(CA, days(1, 2, 3, 4).replaceAll('\tUS', '\tCA'));
  const filter = { sites: [`${US}-${account.id}`, `${CA}-${account.id}`] };
  const chart = await owner.call(chartBalances, { body: { filter } });
  expect(chart.map((one) => [one.day, one.sellable])).toEqual([
    ['2026-06-01', 10],
    ['2026-06-02', 10],
    ['2026-06-03', 10],
  ]);
});

describe('fees', () => {
  it('of a month are kept by month, whatever way the report writes it', () => {
    expect(['2026-06', 'Jun-26', 'June 2026', '06/2026', '2026-13'].map(monthDay)).toEqual([
      '2026-06-01',
      '2026-06-01',
      '2026-06-01',
      null,
      null,
    ]);
  });

  it('that Amazon cannot tell are nothing, not zero; the newest report is the one that is shown', async () => {
    const account = await makeAccount(world, owner);
    const columns = [
      'sku',
      'fnsku',
      'currency',
      'estimated-fee-total',
      'estimated-referral-fee-per-unit',
      'item-package-weight',
      'unit-of-weight',
    ];
    const row = {
      sku: 'A',
      fnsku: 'X1',
      currency: 'USD',
      'estimated-fee-total': '7.31',
      'estimated-referral-fee-per-unit': '--',
    };
    const at = (day: string) => ({
      from: `${day}T20:00:00Z`,
      to: `${day}T20:00:00Z`,
      at: `${day}T20:00:00Z`,
      wholeDays: true,
    });
    await load(
      account,
      previewReader.type,
      tsv(columns, [{ ...row, 'estimated-fee-total': '6.05' }]),
      at('2026-06-01'),
    );
    await load(account, previewReader.type, tsv(columns, [row]), at('2026-06-08'));
    const { records } = await owner.call(feePreviews.list, { body: { filter: siteOf(account) } });
    expect(records.map((one) => [one.day, plainDecimal(one.feeTotal ?? ''), one.referral])).toEqual([
      ['2026-06-08', '7.31', null],
    ]);
  });

  it('on aged stock add up per tier, and a report read again changes nothing', async () => {
    const account = await makeAccount(world, owner);
    const columns = [
      'snapshot-date',
      'sku',
      'fnsku',
      'country',
      'qty-charged',
      'currency',
      'amount-charged',
      'surcharge-age-tier',
      'rate-surcharge',
    ];
    const tier = (name: string, quantity: number, fee: string): Cells => ({
      'snapshot-date': '2026-06-15',
      sku: 'A',
      fnsku: 'X1',
      country: 'US',
      'qty-charged': quantity,
      currency: 'USD',
      'amount-charged': fee,
      'surcharge-age-tier': name,
    });
    const text = tsv(columns, [tier('181-210 days', 40, '1.00'), tier('271-300 days', 30, '8.175')]);
    const period = asked('2026-06-01', '2026-07-01', '10:00');
    expect(await load(account, agedReader.type, text, period)).toMatchObject({ inserted: 2 });
    expect(await load(account, agedReader.type, text, period)).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
    const { records, totals } = await owner.call(agedFees.list, {
      body: { filter: siteOf(account), sort: 'agedFee', order: 'asc' },
    });
    expect(records.map((one) => [one.tier, one.agedFee && plainDecimal(one.agedFee)])).toEqual([
      ['181-210 days', '1'],
      ['271-300 days', '8.175'],
    ]);
    expect(totals).toEqual({ quantity: 70 });
  });
});

it('returns are counted by reason and by day, and both add up to the list', async () => {
  const account = await makeAccount(world, owner);
  const columns = [
    'return-date',
    'order-id',
    'sku',
    'asin',
    'fnsku',
    'quantity',
    'fulfillment-center-id',
    'detailed-disposition',
    'reason',
    'license-plate-number',
  ];
  const row = (hour: string, plate: string, reason: string): Cells => ({
    'return-date': `2026-06-02T${hour}:00:00+00:00`,
    'order-id': '111-1111111-1111111',
    sku: 'A',
    fnsku: 'X1',
    quantity: 1,
    'fulfillment-center-id': 'IND9',
    'detailed-disposition': 'SELLABLE',
    reason,
    'license-plate-number': plate,
  });
  // Six in the morning of the second is still the first in Los Angeles.
  const rows = [
    row('06', 'L1', 'DEFECTIVE'),
    row('09', 'L2', 'DEFECTIVE'),
    row('09', 'L2', 'DEFECTIVE'),
    row('10', 'L3', 'UNWANTED_ITEM'),
  ];
  await load(account, customerReturns.type, tsv(columns, rows), asked('2026-06-01', '2026-06-03', '10:00'));
  const filter = siteOf(account);
  const list = await owner.call(returns.list, { body: { filter } });
  expect([list.total, list.totals]).toEqual([3, { quantity: 3 }]);
  expect(await owner.call(shareReturns, { body: { filter } })).toEqual({
    total: 3,
    reasons: [
      { key: 'DEFECTIVE', quantity: 2 },
      { key: 'UNWANTED_ITEM', quantity: 1 },
    ],
    days: [
      { key: '2026-06-01', quantity: 1 },
      { key: '2026-06-02', quantity: 2 },
    ],
    skus: [{ key: 'A', quantity: 3, cumulative: '1' }],
    parties: [{ key: '', quantity: 3 }],
  });
  const { records } = await owner.call(reasons.list, { body: { filter } });
  expect(
    records.map((row) => [
      row.reason,
      row.reasonClass,
      row.share?.slice(0, 6),
      row.cumulative?.slice(0, 6),
      row.sellable,
    ]),
  ).toEqual([
    ['DEFECTIVE', 'quality', '0.6666', '0.6666', 2],
    ['UNWANTED_ITEM', 'other', '0.3333', '1', 1],
  ]);
});

it('reimbursements keep their amounts to the cent, a reversal included, and add up per currency', async () => {
  const account = await makeAccount(world, owner);
  const columns = [
    'approval-date',
    'reimbursement-id',
    'amazon-order-id',
    'reason',
    'sku',
    'fnsku',
    'currency-unit',
    'amount-per-unit',
    'amount-total',
    'quantity-reimbursed-total',
    'original-reimbursement-id',
  ];
  const row = (id: string, amount: string, more: Cells = {}): Cells => ({
    'approval-date': '2026-06-02T20:00:00+00:00',
    'reimbursement-id': id,
    reason: 'Lost_Warehouse',
    sku: 'A',
    fnsku: 'X1',
    'currency-unit': 'USD',
    'amount-total': amount,
    'quantity-reimbursed-total': 1,
    ...more,
  });
  const rows = [
    row('1', '6.40'),
    row('1', '6.40'),
    row('2', '1,012.05'),
    row('3', '-6.40', { 'original-reimbursement-id': '1' }),
  ];
  const text = tsv(columns, [...rows, row('4', '5', { 'currency-unit': '?' })]);
  const counts = await load(account, reimbursements.type, text, asked('2026-06-02', '2026-06-03', '10:00'));
  expect(counts).toMatchObject({ inserted: 3, quarantined: 1 });
  const filter = siteOf(account);
  const { records } = await owner.call(paid.list, { body: { filter, sort: 'amount', order: 'asc' } });
  expect(records.map((one) => plainDecimal(one.amount ?? ''))).toEqual(['-6.4', '6.4', '1012.05']);
  const [sum] = await owner.call(sumReimbursements, { body: { filter } });
  expect(sum).toMatchObject({ currency: 'USD', count: 3, quantity: 3 });
  expect(plainDecimal(sum?.amount ?? '')).toBe('1012.05');
});

it('removal orders move on, and an older report does not move them back', async () => {
  const account = await makeAccount(world, owner);
  const columns = [
    'request-date',
    'order-id',
    'order-type',
    'order-status',
    'last-updated-date',
    'sku',
    'fnsku',
    'disposition',
    'requested-quantity',
    'shipped-quantity',
    'removal-fee',
    'currency',
  ];
  const state = (status: string, hour: string, shipped: number): string =>
    tsv(columns, [
      {
        'request-date': '2026-06-02T12:00:00+00:00',
        'order-id': 'RM1',
        'order-type': 'Return',
        'order-status': status,
        'last-updated-date': `2026-06-05T${hour}:00:00+00:00`,
        sku: 'A',
        fnsku: 'X1',
        disposition: 'Unsellable',
        'requested-quantity': 4,
        'shipped-quantity': shipped,
      },
    ]);
  await load(account, removalOrders.type, state('Pending', '10', 0));
  expect(await load(account, removalOrders.type, state('Completed', '12', 4))).toMatchObject({ updated: 1 });
  expect(await load(account, removalOrders.type, state('Pending', '11', 0))).toMatchObject({ updated: 0 });
  const { records } = await owner.call(removals.list, { body: { filter: siteOf(account) } });
  expect(records.map((row) => [row.status, row.shipped, row.fee])).toEqual([['Completed', 4, null]]);
});
