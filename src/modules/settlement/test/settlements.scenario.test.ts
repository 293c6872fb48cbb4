import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal, sum } from '#kit/contract/decimal.ts';
import { mixedOf } from '#kit/contract/totals.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { publishRates } from '#test/support/rates.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  countSettlements,
  exportLines,
  exportSettlements,
  listSettlements,
  settlementDetail,
  settlementLines,
  summarySettlements,
  verifySettlement,
} from '../contract/settlements.ts';
import { settlementLoader } from '../server/loader.ts';
import { CA, E1_LINES, E1_SHOP, makeAccount, source, US, v2File } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

/** Three periods of one store and one of its sister in Canada; the last ends in the far future. */
beforeAll(async () => {
  world = await createWorld();
  await publishRates(world);
  owner = await world.owner();
  account = await makeAccount(world, owner);
  const principal = { amountType: 'ItemPrice', amountDescription: 'Principal', sku: 'A', quantity: 1 };
  const files = [
    v2File({ settlementId: '15000000001', total: '10.79' }, [...E1_LINES, ...E1_SHOP]),
    v2File(
      {
        settlementId: '15000000002',
        total: '21.31',
        startAt: '2026-01-15T00:00:00Z',
        endAt: '2026-01-29T00:00:00Z',
        depositAt: '2026-01-31T00:00:00Z',
      },
      [
        {
          transactionType: 'other-transaction',
          amountType: 'other-transaction',
          amountDescription: 'Previous Reserve Amount Balance',
          amount: '21.31',
        },
      ],
    ),
    v2File(
      {
        settlementId: '15000000003',
        total: '-5.00',
        startAt: '2026-01-29T00:00:00Z',
        endAt: '2026-02-12T00:00:00Z',
        depositAt: '2090-02-14T00:00:00Z',
      },
      [
        {
          transactionType: 'other-transaction',
          amountType: 'other-transaction',
          amountDescription: 'Transfer of funds unsuccessful: closed account',
          amount: '7.00',
        },
        {
          transactionType: 'other-transaction',
          amountType: 'other-transaction',
          amountDescription: 'Subscription Fee',
          amount: '-12.00',
        },
      ],
    ),
  ];
  for (const file of files) await world.as(owner, (ctx) => settlementLoader.load(ctx, source(account, file)));
  const canadian = v2File(
    { settlementId: '25000000001', total: '99.00', currency: 'CAD', depositAt: '2090-01-17T00:00:00Z' },
    [{ ...principal, amount: '99.00', marketplaceName: 'Amazon.ca' }],
  );
  await world.as(owner, (ctx) => settlementLoader.load(ctx, source(account, canadian, { marketplaceIds: [CA] })));
});
afterAll(() => world.close());

describe('a finance clerk looks through the settlements', () => {
  it('sees them newest first, with a state for the payout and the number of each', async () => {
    const { records, total } = await owner.call(listSettlements, { body: {} });
    expect(total).toBe(4);
    const states = Object.fromEntries(records.map((row) => [row.settlementId, row.transfer]));
    expect(states).toEqual({
      '15000000001': 'paid',
      '15000000002': 'paid',
      '15000000003': 'owed',
      '25000000001': 'pending',
    });
    expect(records.map((row) => row.endAt)).toEqual(
      records
        .map((row) => row.endAt)
        .toSorted()
        .toReversed(),
    );
    expect(await owner.call(countSettlements, { body: {} })).toEqual({ owed: 1, paid: 2, pending: 1, all: 4 });
  });

  it('filters by store, date, state and number, and adds up each currency, all of them converted', async () => {
    const stores = [`${US}-${account.id}`];
    const us = await owner.call(listSettlements, { body: { filter: { stores } } });
    expect(us.total).toBe(3);
    expect(us.totals).toMatchObject({ total: '27.1000', gap: '0.0000', currency: 'USD' });
    const all = await owner.call(listSettlements, { body: {} });
    expect(all.totals).toMatchObject({ total: null, currency: null, lineCount: (us.totals?.lineCount as number) + 1 });
    // The presets: 7.1 for a dollar, 5.1 for a Canadian one.
    expect(mixedOf(all.totals ?? {}, 'total')).toMatchObject({
      each: [
        { currency: 'CAD', amount: '99.0000' },
        { currency: 'USD', amount: '27.1000' },
      ],
      converted: '697.3100',
      missing: [],
    });
    expect(mixedOf(all.totals ?? {}, 'gap')?.converted).toBe('0.0000');
    const january = await owner.call(listSettlements, {
      body: { filter: { stores, date: { from: '2026-01-15', to: '2026-01-29' } } },
    });
    expect(january.records.map((row) => row.settlementId)).toEqual(['15000000002', '15000000001']);
    const found = await owner.call(listSettlements, { body: { filter: { search: '5000000002' } } });
    expect(found.records.map((row) => row.settlementId)).toEqual(['15000000002']);
    const none = await owner.call(listSettlements, { body: { filter: { search: '%' } } });
    expect(none.total).toBe(0);
    const wrong = await owner.send(listSettlements, { body: { sort: 'company_id' } });
    expect(wrong.code).toBe(400);
  });

  it('reads the cards: what is settled, by currency, and what failed to arrive', async () => {
    const { cards, totals, pivot } = await owner.call(summarySettlements, { body: {} });
    expect(mixedOf(totals, 'settled')?.each.map((one) => [one.currency, plainDecimal(one.amount ?? '')])).toEqual([
      ['USD', '27.1'],
      ['CAD', '99'],
    ]);
    expect(cards.map((card) => [card.currency, plainDecimal(card.settled), plainDecimal(card.failed)])).toEqual([
      ['USD', '27.1', '7'],
      ['CAD', '99', '0'],
    ]);
    const dollars = pivot.filter((row) => row.currency === 'USD').map((row) => row.amount);
    expect(plainDecimal(sum(dollars))).toBe('27.1');
  });

  it('checks that a reserve held back in one period comes back in the next', async () => {
    const { records } = await owner.call(listSettlements, { body: { filter: { search: '15000000002' } } });
    const { ok, checks } = await owner.call(verifySettlement, { params: { id: records[0]?.id ?? '' } });
    expect(ok).toBe(true);
    expect(checks.find((check) => check.code === 'C')).toMatchObject({ ok: true, expected: '21.31', gap: '0' });
  });

  it('takes lists and lines along as files', async () => {
    const list = await owner.send(exportSettlements, { body: { format: 'csv', filter: {} } });
    expect(list.raw.toString('utf8').trim().split('\r\n')).toHaveLength(5);
    const { records } = await owner.call(listSettlements, { body: { filter: { search: '15000000001' } } });
    const lines = await owner.send(exportLines, {
      params: { id: records[0]?.id ?? '' },
      body: { format: 'csv', filter: { shop: true }, columns: ['amountDescription', 'amount'] },
    });
    const rows = lines.raw.toString('utf8').replace('\uFEFF', '').trim().split('\r\n');
    expect(rows[0]).toBe('金额说明,金额');
    expect(rows).toHaveLength(6);
    expect(rows).toContain('Storage Fee,-12.3400');
    const wrong = await owner.send(exportSettlements, { body: { format: 'csv', filter: {}, sort: 'nothing' } });
    expect(wrong.code).toBe(400);
  });
});

describe('who may see it', () => {
  it('nobody without the permission, nobody of another company', async () => {
    const { records } = await owner.call(listSettlements, { body: {} });
    const id = records[0]?.id ?? '';
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listSettlements, { body: {} })).total).toBe(0);
    for (const endpoint of [settlementDetail, settlementLines, verifySettlement, exportLines]) {
      const answer = await outsider.send(endpoint, { params: { id }, body: {} } as never);
      expect([answer.status, answer.code]).toEqual([404, 404]);
    }
    const nobody = await world.member(owner, ['fin:profit:view']);
    expect((await nobody.send(listSettlements, { body: {} })).status).toBe(403);
    const viewer = await world.member(owner, ['fin:settlement:view']);
    expect((await viewer.call(listSettlements, { body: {} })).total).toBe(4);
    expect((await viewer.send(exportSettlements, { body: {} })).status).toBe(403);
    expect((await viewer.send(verifySettlement, { params: { id } })).status).toBe(403);
  });
});
