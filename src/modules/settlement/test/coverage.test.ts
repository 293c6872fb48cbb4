import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { countOpen, exportOpen, listOpen } from '../contract/open.ts';
import { summarySettlements } from '../contract/settlements.ts';
import { landTransactions } from '../server/land.ts';
import type { ApiTransaction } from '../server/leaves.ts';
import { settlementLoader } from '../server/loader.ts';
import { parseTransaction } from '../server/transactions.ts';
import { CA, makeAccount, source, US, v2File } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const ORDER = '113-7654321-1234567';
const usd = (amount: number) => ({ currencyCode: 'USD', currencyAmount: amount });

/** A sale of 19.99 less 5.06 of fees, as the API tells it. */
function sale(overrides: Partial<ApiTransaction> & { related?: Record<string, string> } = {}): ApiTransaction {
  const tree = [
    {
      breakdownType: 'Sales',
      breakdownAmount: usd(19.99),
      breakdowns: [{ breakdownType: 'Product Charges', breakdownAmount: usd(19.99), breakdowns: [] }],
    },
    {
      breakdownType: 'Expenses',
      breakdownAmount: usd(-5.06),
      breakdowns: [
        {
          breakdownType: 'Amazon Fees',
          breakdownAmount: usd(-5.06),
          breakdowns: [
            { breakdownType: 'Commission', breakdownAmount: usd(-3), breakdowns: [] },
            { breakdownType: 'FBAPerUnitFulfillmentFee', breakdownAmount: usd(-2.06), breakdowns: [] },
          ],
        },
      ],
    },
  ];
  const { related = {}, ...rest } = overrides;
  return {
    transactionId: 'T-DEFERRED',
    transactionType: 'Shipment',
    transactionStatus: 'DEFERRED',
    postedDate: '2026-01-05T10:00:00Z',
    totalAmount: usd(14.93),
    marketplaceDetails: { marketplaceId: US },
    relatedIdentifiers: Object.entries({ ORDER_ID: ORDER, SHIPMENT_ID: 'S1', ...related }).map(([name, value]) => ({
      relatedIdentifierName: name,
      relatedIdentifierValue: value,
    })),
    items: [
      {
        totalAmount: usd(14.93),
        breakdowns: tree,
        contexts: [{ contextType: 'ProductContext', sku: 'KD-1', quantityShipped: 1 }],
      },
    ],
    breakdowns: tree,
    contexts: [],
    ...rest,
  };
}

const deferred = sale();
const released = sale({
  transactionId: 'T-RELEASED',
  transactionStatus: 'RELEASED',
  postedDate: '2026-01-12T10:00:00Z',
  related: { DEFERRED_TRANSACTION_ID: 'T-DEFERRED', FINANCIAL_EVENT_GROUP_ID: 'G1' },
});
const deferredLater = sale({
  transactionStatus: 'DEFERRED_RELEASED',
  related: { RELEASE_TRANSACTION_ID: 'T-RELEASED' },
});
const releasedLater = sale({
  transactionId: 'T-RELEASED',
  transactionStatus: 'RELEASED',
  postedDate: '2026-01-12T10:00:00Z',
  related: {
    DEFERRED_TRANSACTION_ID: 'T-DEFERRED',
    FINANCIAL_EVENT_GROUP_ID: 'G1',
    SETTLEMENT_ID: '15000000001',
  },
});

const fileLine = {
  orderId: ORDER,
  shipmentId: 'S1',
  sku: 'KD-1',
  marketplaceName: 'Amazon.com',
  postedAt: '2026-01-12T10:00:00Z',
};
const file = v2File({ total: '14.93' }, [
  { ...fileLine, amountType: 'ItemPrice', amountDescription: 'Principal', amount: '19.99', quantity: 1 },
  { ...fileLine, amountType: 'ItemFees', amountDescription: 'Commission', amount: '-3.00' },
  { ...fileLine, amountType: 'ItemFees', amountDescription: 'FBAPerUnitFulfillmentFee', amount: '-2.06' },
]);

async function fresh() {
  owner = await world.owner();
  account = await makeAccount(world, owner);
}

const land = (...transactions: ApiTransaction[]) =>
  world.as(owner, (ctx) =>
    landTransactions(
      ctx,
      account,
      transactions.map(parseTransaction).filter((one) => one !== undefined),
    ),
  );
const settle = () => world.as(owner, (ctx) => settlementLoader.load(ctx, source(account, file)));

/** What counts now: the lines of active documents. */
async function counted(): Promise<{ amount: string; units: number; sources: string | null }> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ amount: string; units: number; sources: string | null }>`
      SELECT coalesce(sum(l.amount), 0) AS amount, coalesce(sum(l.quantity), 0) AS units,
             string_agg(DISTINCT l.stage, ',') AS sources
        FROM settlement.money_line AS l
        JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id
       WHERE d.state = 'ACTIVE'`.execute(ctx.db);
    return rows[0] ?? { amount: '0', units: 0, sources: null };
  });
}

describe('worked example E15: one sale, three tellings', () => {
  it('is 14.93 at each moment: deferred, released, settled', async () => {
    await fresh();
    await land(deferred);
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'DEFERRED' });
    expect((await owner.call(summarySettlements, { body: {} })).cards[0]).toMatchObject({
      deferred: '14.9300',
      open: '14.93',
    });
    // The figure opens its amounts, and they are the figure.
    const behind = await owner.call(listOpen, { body: {} });
    expect(behind.records.map((row) => [row.state, row.reference, row.amount])).toHaveLength(3);
    expect(sum(behind.records.map((row) => row.amount))).toBe('14.93');
    expect(behind.totals).toMatchObject({ amount: '14.9300', currency: 'USD' });
    expect(await owner.call(countOpen, { body: {} })).toEqual({ deferred: 3, all: 3 });
    await land(deferredLater, released);
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'RELEASED' });
    const stores = [`${US}-${account.id}`];
    expect((await owner.call(listOpen, { body: { filter: { state: 'released', stores } } })).total).toBe(3);
    expect((await owner.call(listOpen, { body: { filter: { stores: [`${CA}-${account.id}`] } } })).total).toBe(0);
    const taken = await owner.send(exportOpen, { body: { format: 'csv', filter: {} } });
    expect(taken.raw.toString('utf8').trim().split('\r\n')).toHaveLength(4);
    await settle();
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'SETTLED' });
    await land(releasedLater, deferredLater);
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'SETTLED' });
    expect((await owner.call(summarySettlements, { body: {} })).cards[0]).toMatchObject({
      settled: '14.9300',
      open: '0',
      total: '14.93',
    });
    expect((await owner.call(listOpen, { body: {} })).total).toBe(0);
  });

  it('a file that comes before the release takes the deferred sale of its shipment with it', async () => {
    await fresh();
    await land(deferred);
    await settle();
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'SETTLED' });
  });

  it('a release that names nothing counts once, as soon as the deferred sale says what released it', async () => {
    await fresh();
    const unlinked = { ...released, relatedIdentifiers: deferred.relatedIdentifiers };
    await land(deferred);
    await land(unlinked);
    await land(deferredLater);
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'RELEASED' });
    await land(unlinked);
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'RELEASED' });
  });

  it('where neither names the other, it is the one of the same order, shipment and amount', async () => {
    await fresh();
    const unlinked = { ...released, relatedIdentifiers: deferred.relatedIdentifiers };
    const otherShipment = sale({
      transactionId: 'T-OTHER',
      transactionStatus: 'RELEASED',
      postedDate: '2026-01-13T10:00:00Z',
      related: { SHIPMENT_ID: 'S2' },
    });
    const silent = { ...deferred, transactionStatus: 'DEFERRED_RELEASED' };
    await land(deferred, otherShipment);
    await land(silent);
    expect(await counted()).toMatchObject({ amount: '29.8600', units: 2 });
    await land(unlinked);
    expect(await counted()).toEqual({ amount: '29.8600', units: 2, sources: 'RELEASED' });
  });

  it('what was released is no longer shown as deferred, whatever an older answer says afterwards', async () => {
    await fresh();
    await land(deferred);
    await land(deferredLater);
    const states = async () => (await owner.call(listOpen, { body: {} })).records.map((row) => row.state);
    expect(await states()).toEqual(['released', 'released', 'released']);
    await land(deferred);
    expect(await states()).toEqual(['released', 'released', 'released']);
    expect((await owner.call(summarySettlements, { body: {} })).cards[0]).toMatchObject({
      deferred: '0',
      released: '14.9300',
    });
    expect((await counted()).amount).toBe('14.9300');
  });

  it('whatever comes in whatever order, and however often, counts once', async () => {
    const steps = {
      deferred: () => land(deferred),
      released: () => land(released),
      deferredLater: () => land(deferredLater),
      releasedLater: () => land(releasedLater),
      both: () => land(releasedLater, deferredLater),
      settle,
    };
    type Step = keyof typeof steps;
    const names = Object.keys(steps) as Step[];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }), async (order) => {
        await fresh();
        for (const name of order) {
          await steps[name]();
          // At no moment is the sale there twice, and once told it never vanishes.
          expect((await counted()).amount).toBe('14.9300');
        }
        if (order.includes('settle')) expect((await counted()).sources).toBe('SETTLED');
      }),
      { numRuns: 25 },
    );
  });
});

describe('told by two at the same moment', () => {
  type Telling = (ctx: Ctx) => Promise<unknown>;
  const landed = (ctx: Ctx) =>
    landTransactions(
      ctx,
      account,
      [parseTransaction(releasedLater)].flatMap((one) => one ?? []),
    );
  const settled = (ctx: Ctx) => settlementLoader.load(ctx, source(account, file));

  /** Whether somebody waits for a lock; the server works for this file alone. */
  const someoneWaits = () =>
    world.as(owner, async (ctx) => {
      const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM pg_locks WHERE NOT granted`.execute(ctx.db);
      return (rows[0]?.n ?? 0) > 0;
    });

  /** Tells one, and keeps its transaction open until the other has been told or waits for it. */
  async function whileOpen(first: Telling, second: Telling): Promise<void> {
    const [told, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = world.as(owner, async (ctx) => {
      await first(ctx);
      told.resolve();
      await over.promise;
    });
    await told.promise;
    let ended = false;
    const other = world.as(owner, second).finally(() => {
      ended = true;
    });
    try {
      await expect.poll(async () => ended || (await someoneWaits()), { timeout: PATIENCE_MS, interval: 20 }).toBe(true);
    } finally {
      over.resolve();
    }
    await Promise.all([open, other]);
  }

  it.each<[string, Telling, Telling]>([
    ['a file while the transaction is being landed', landed, settled],
    ['a transaction while the file is being loaded', settled, landed],
  ])('%s: the sale counts once', async (_name, first, second) => {
    await fresh();
    await whileOpen(first, second);
    expect(await counted()).toEqual({ amount: '14.9300', units: 1, sources: 'SETTLED' });
  });
});

describe('landing transactions', () => {
  it('twice changes nothing', async () => {
    await fresh();
    expect(await land(deferred)).toMatchObject({ inserted: 1, updated: 0, unchanged: 0, quarantined: 0 });
    expect(await land(deferred)).toMatchObject({ inserted: 0, updated: 0, unchanged: 1 });
    expect(await land(deferredLater)).toMatchObject({ inserted: 0, updated: 1 });
  });

  it('other money under the same id is a new version', async () => {
    await fresh();
    await land(deferred);
    const changed = sale({
      totalAmount: usd(19.99),
      items: [],
      breakdowns: [
        {
          breakdownType: 'Sales',
          breakdownAmount: usd(19.99),
          breakdowns: [{ breakdownType: 'Product Charges', breakdownAmount: usd(19.99) }],
        },
      ],
    });
    expect(await land(changed)).toMatchObject({ inserted: 0, updated: 1 });
    expect((await counted()).amount).toBe('19.9900');
  });

  it('a tree that does not add up is set aside whole, and counts once it is mended', async () => {
    await fresh();
    const broken = sale({ totalAmount: usd(14.94) });
    expect(await land(broken)).toMatchObject({ inserted: 1, quarantined: 1 });
    expect((await counted()).amount).toBe('0');
    await land(deferred);
    expect((await counted()).amount).toBe('14.9300');
  });

  it('keeps the cents that a binary number cannot hold', async () => {
    await fresh();
    const amounts = [0.1, 0.2, -0.3, 1234567.89, 0.07];
    const total = Number(amounts.reduce((sum, one) => sum + Math.round(one * 100), 0)) / 100;
    const children = amounts.map((one, i) => ({ breakdownType: `Fee ${i}`, breakdownAmount: usd(one) }));
    const tree = [{ breakdownType: 'Expenses', breakdownAmount: usd(total), breakdowns: children }];
    await land(sale({ transactionType: 'ServiceFee', totalAmount: usd(total), items: [], breakdowns: tree }));
    expect((await counted()).amount).toBe('1234567.9600');
  });
});
