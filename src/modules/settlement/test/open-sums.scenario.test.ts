import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal, sum } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listOpen, openSums } from '../contract/open.ts';
import { summarySettlements } from '../contract/settlements.ts';
import { landTransactions } from '../server/land.ts';
import type { ApiTransaction } from '../server/leaves.ts';
import { settlementLoader } from '../server/loader.ts';
import { parseTransaction } from '../server/transactions.ts';
import { makeAccount, source, US, v2File } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

const usd = (amount: number) => ({ currencyCode: 'USD', currencyAmount: amount });
const leaf = (breakdownType: string, amount: number) => ({
  breakdownType,
  breakdownAmount: usd(amount),
  breakdowns: [],
});

/** A sale of 20.00 less a commission of 3.00. */
function sale(
  id: string,
  day: string,
  status: string,
  order: string,
  related: Record<string, string> = {},
): ApiTransaction {
  const tree = [
    { breakdownType: 'Sales', breakdownAmount: usd(20), breakdowns: [leaf('Product Charges', 20)] },
    {
      breakdownType: 'Expenses',
      breakdownAmount: usd(-3),
      breakdowns: [{ breakdownType: 'Amazon Fees', breakdownAmount: usd(-3), breakdowns: [leaf('Commission', -3)] }],
    },
  ];
  const names = { ORDER_ID: order, SHIPMENT_ID: `S-${order}`, ...related };
  return {
    transactionId: id,
    transactionType: 'Shipment',
    transactionStatus: status,
    postedDate: `${day}T18:00:00Z`,
    totalAmount: usd(17),
    marketplaceDetails: { marketplaceId: US },
    relatedIdentifiers: Object.entries(names).map(([relatedIdentifierName, relatedIdentifierValue]) => ({
      relatedIdentifierName,
      relatedIdentifierValue,
    })),
    items: [
      {
        totalAmount: usd(17),
        breakdowns: tree,
        contexts: [{ contextType: 'ProductContext', sku: 'KD-1', quantityShipped: 1 }],
      },
    ],
    breakdowns: tree,
    contexts: [],
  };
}

const [FIRST, SECOND, THIRD] = ['113-1111111-1111111', '113-2222222-2222222', '113-3333333-3333333'] as const;
const land = (...transactions: ApiTransaction[]) =>
  world.as(owner, (ctx) =>
    landTransactions(
      ctx,
      account,
      transactions.map(parseTransaction).filter((one) => one !== undefined),
    ),
  );

/** Three sales: one settled by 15 January, one released on the 20th, one that is deferred until now. */
beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 1, 10, 2) - Date.now() });
  owner = await world.owner();
  account = await makeAccount(world, owner);
  await land(sale('D1', '2026-01-05', 'DEFERRED', FIRST));
  await land(sale('R1', '2026-01-12', 'RELEASED', FIRST, { DEFERRED_TRANSACTION_ID: 'D1' }));
  const line = {
    orderId: FIRST,
    shipmentId: `S-${FIRST}`,
    sku: 'KD-1',
    marketplaceName: 'Amazon.com',
    postedAt: '2026-01-12T18:00:00Z',
  };
  const file = v2File({ total: '17.00' }, [
    { ...line, amountType: 'ItemPrice', amountDescription: 'Principal', amount: '20.00', quantity: 1 },
    { ...line, amountType: 'ItemFees', amountDescription: 'Commission', amount: '-3.00' },
  ]);
  await world.as(owner, (ctx) => settlementLoader.load(ctx, source(account, file)));
  await land(sale('D2', '2026-01-14', 'DEFERRED', SECOND));
  await land(sale('R2', '2026-01-20', 'RELEASED', SECOND, { DEFERRED_TRANSACTION_ID: 'D2' }));
  await land(sale('D3', '2026-02-01', 'DEFERRED', THIRD));
});
afterAll(() => world.close());

const at = async (from: string, to: string) => owner.call(openSums.list, { body: { filter: { dates: { from, to } } } });
const plain = (value: unknown) => (value == null ? null : plainDecimal(String(value)));
const total = async (from: string, to: string) => {
  const { totals } = await at(from, to);
  return [totals?.openAmount, totals?.deferredAmount, totals?.openAmountBefore].map(plain);
};

describe('未结算汇总对比', () => {
  it('is what was open at the end of each period, whatever became of it later', async () => {
    // Deferred on the 5th; released on the 12th; settled by the file that ends on the 15th.
    expect(await total('2026-01-05', '2026-01-10')).toEqual(['17', '17', null]);
    expect(await total('2026-01-12', '2026-01-13')).toEqual(['17', '0', '17']);
    // The second is deferred beside it.
    expect(await total('2026-01-14', '2026-01-14')).toEqual(['34', '17', '17']);
    expect(await total('2026-01-16', '2026-01-16')).toEqual(['17', '17', '17']);
    expect(await total('2026-02-01', '2026-02-05')).toEqual(['34', '17', '17']);
  });

  it('of today is the figure of the settlements, and opens the lines of any day', async () => {
    const today = world.clock.today();
    const { totals, records } = await at('2026-02-01', today);
    const { cards } = await owner.call(summarySettlements, { body: {} });
    expect(plain(totals?.openAmount)).toBe(plain(cards[0]?.open));
    expect(records.map((row) => [row.fee, plain(row.openAmount), row.lines])).toEqual([
      ['销售额', '40', 2],
      ['佣金', '-6', 2],
    ]);
    const [then] = (await at('2026-01-06', '2026-01-14')).records;
    const { records: lines } = await owner.call(listOpen, {
      body: { filter: { fee: then?.feeCode, currency: then?.currency, asOf: then?.asOf } },
    });
    expect([sum(lines.map((line) => line.amount)), lines.length]).toEqual([plain(then?.openAmount), then?.lines]);
    expect(lines.map((line) => line.reference).sort()).toEqual([FIRST, SECOND]);
  });

  it('of every day is what its lines come to, also in the chart', async () => {
    const dates = { from: '2026-01-05', to: '2026-02-10' };
    const { points } = await owner.call(openSums.trend, { body: { filter: { dates } } });
    expect(points).toHaveLength(37);
    for (const { day, now } of points) {
      const { records } = await owner.call(listOpen, { body: { filter: { asOf: String(day) }, pagesize: 100 } });
      const lines = plain(sum(records.map((line) => line.amount)));
      const { totals } = await at(String(day), String(day));
      expect([day, plain(now.openAmount), plain(totals?.openAmount), totals?.lines]).toEqual([
        day,
        lines,
        lines,
        records.length,
      ]);
    }
  });

  it('draws the balance of each day, is a file, and belongs to its company', async () => {
    const filter = { dates: { from: '2026-01-12', to: '2026-01-16' } };
    const { points, currency } = await owner.call(openSums.trend, { body: { filter } });
    expect(currency).toBe('USD');
    expect(points.map(({ day, now }) => [day, plain(now.openAmount), plain(now.deferredAmount)])).toEqual([
      ['2026-01-12', '17', '0'],
      ['2026-01-13', '17', '0'],
      ['2026-01-14', '34', '17'],
      ['2026-01-15', '17', '17'],
      ['2026-01-16', '17', '17'],
    ]);
    const file = await owner.send(openSums.export, { body: { format: 'csv', filter } });
    expect(file.raw.toString('utf8')).toContain('对比期期末未结算');
    const stranger = await world.owner();
    expect((await stranger.call(openSums.list, { body: { filter } })).total).toBe(0);
  });
});
