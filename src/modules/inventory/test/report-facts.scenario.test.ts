import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, plainDecimal, sum } from '#kit/contract/decimal.ts';
import { type ReportPlan, reportPlans, streams } from '#modules/marketplace/server/index.ts';
import type { SimAccount, SimTransaction } from '#sandbox/business/index.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { DE, JP } from '#test/support/seller.ts';
import type { Person } from '#test/support/world.ts';
import { overageFees } from '../contract/fees.ts';
import { merchantReturns } from '../contract/merchant-returns.ts';
import { shipments } from '../contract/shipments.ts';
import { countryStock, removalAdvice } from '../contract/stock-reports.ts';

/** What is read everywhere, and what in Europe or in Japan alone. */
const EVERYWHERE = ['fba.shipments', 'mfn.returns', 'fba.removalAdvice'];
const [IN_EUROPE, IN_JAPAN] = [
  [...EVERYWHERE, 'fba.byCountry'],
  [...EVERYWHERE, 'fba.overage'],
];
const PLANS = [...IN_EUROPE, ...IN_JAPAN];
/** The engine asks for nothing younger than this. */
const LAG_MS = 5 * 60_000;

let world: MarketplaceWorld;
let owner: Person;
/** A seller in three countries of Europe, and one in Japan; and what the product calls them. */
let european: SimAccount;
let japanese: SimAccount;
let inEurope: string;
let inJapan: string;

function accountOf(sellingPartnerId: string, region: string): SimAccount {
  const { accounts } = world.sandbox.business;
  const found = accounts.find((one) => one.sellingPartnerId === sellingPartnerId && one.region === region);
  if (!found) throw new Error(`no seller ${sellingPartnerId} in ${region}`);
  return found;
}

/** Has the product read these reports alone: the sellers are large ones, and the rest is told elsewhere. */
function readNothingElse(): void {
  world.runtime.modules = world.runtime.modules.map((module) => ({
    ...module,
    extensions: (module.extensions ?? []).filter(
      ({ point, value }) =>
        point !== streams.name && (point !== reportPlans.name || PLANS.includes((value as ReportPlan).code)),
    ),
  }));
}

/** Waits until all reports of an account have ended, at least one of each plan. */
async function untilReported(accountId: string, plans: readonly string[]): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await world.as(owner, (ctx) =>
      sql<{ plan: string; status: string }>`
        SELECT plan, status FROM marketplace.report_request
         WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}`.execute(ctx.db),
    );
    const ended = rows.every(({ status }) => ['loaded', 'empty'].includes(status));
    const asked = new Set(rows.map(({ plan }) => plan));
    if (ended && asked.size >= plans.length) {
      expect([...asked].sort()).toEqual([...plans].sort());
      return;
    }
    if (rows.some(({ status }) => status === 'failed') || Date.now() > deadline) throw new Error(JSON.stringify(rows));
    await sleep(200);
  }
}

beforeAll(async () => {
  world = await createMarketplaceWorld({ scenario: 'demo' });
  owner = await world.owner();
  european = accountOf('A1SANDBOX0001', 'eu');
  japanese = accountOf('A2SANDBOX0002', 'fe');
  inEurope = (await connectStore(owner, 'A1SANDBOX0001', DE)).accountId;
  inJapan = (await connectStore(owner, 'A2SANDBOX0002', JP)).accountId;
  readNothingElse();
  await world.work();
  await untilReported(inEurope, IN_EUROPE);
  await untilReported(inJapan, IN_JAPAN);
}, PATIENCE_MS);
afterAll(() => world.close());

const asked = () => world.sandbox.clock.now() - LAG_MS - 1;
const filterOf = ({ marketplaceIds }: SimAccount, accountId: string) => ({
  sites: marketplaceIds.map((id) => `${id}-${accountId}`),
});

/** All pages of a list. */
async function all<Row>(page: (currentpage: number) => Promise<{ records: Row[]; total: number }>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let number = 1; ; number += 1) {
    const { records, total } = await page(number);
    rows.push(...records);
    if (records.length === 0 || rows.length >= total) return rows;
  }
}

const added = (rows: readonly (readonly [key: string, quantity: number, amount: string])[]): string[] =>
  [...Map.groupBy(rows, ([key]) => key)]
    .map(([key, same]) => {
      const pieces = same.reduce((total, [, quantity]) => total + quantity, 0);
      return `${key}: ${pieces}, ${plainDecimal(sum(same.map(([, , amount]) => amount)))}`;
    })
    .sort();

it('shipments are what the orders say was sent by Amazon, piece by piece and cent by cent', async () => {
  const filter = filterOf(european, inEurope);
  const rows = await all((currentpage) => owner.call(shipments.list, { body: { currentpage, pagesize: 100, filter } }));
  const orders = world.sandbox.business.orders(
    european,
    { marketplaceIds: european.marketplaceIds, by: 'created', from: 0, to: asked() + 1 },
    asked(),
  );
  const sent = orders.filter(({ fulfilment, shippedAt }) => fulfilment === 'AFN' && shippedAt !== undefined);
  expect(sent.length).toBeGreaterThan(1000);
  expect(
    added(rows.map((row) => [`${row.orderId} ${row.product.code}`, row.quantity, row.goodsAmount ?? '0'] as const)),
  ).toEqual(
    added(
      sent.flatMap((order) =>
        order.items.map((item) => [`${order.orderId} ${item.sku}`, item.quantityShipped, item.itemPrice] as const),
      ),
    ),
  );
  // Some orders left several warehouses; each item of a parcel is there once.
  expect(rows.length).toBeGreaterThan(sent.flatMap(({ items }) => items).length);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const countries = new Map(european.marketplaceIds.map((id) => [id, world.sandbox.world.marketplace(id).countryCode]));
  const siteOf = new Map(sent.map((order) => [order.orderId, countries.get(order.marketplaceId)]));
  expect(rows.filter((row) => row.store.country.replace('UK', 'GB') !== siteOf.get(row.orderId))).toEqual([]);
  expect(rows.filter((row) => row.tracking === '' || row.centre === '' || row.arrivesAt === null)).toEqual([]);
});

it('stock by country is that of the warehouses there', async () => {
  const { records } = await owner.call(countryStock.list, {
    body: { pagesize: 100, filter: filterOf(european, inEurope) },
  });
  const rest = await owner.call(countryStock.list, {
    body: { currentpage: 2, pagesize: 100, filter: filterOf(european, inEurope) },
  });
  const now = world.sandbox.clock.now();
  const lying = european.marketplaceIds.flatMap((id) =>
    world.sandbox.business
      .stock(european, id, now)
      .filter(({ product, fulfillable }) => product.fulfilment === 'AFN' && fulfillable > 0)
      .map((one) => `${world.sandbox.world.marketplace(id).countryCode} ${one.product.sku} ${one.fulfillable}`),
  );
  expect(lying.length).toBeGreaterThan(50);
  const shown = [...records, ...rest.records];
  expect(shown.map((row) => `${row.country} ${row.product.code} ${row.localQuantity}`).sort()).toEqual(lying.sort());
});

/** What a refund gave back to the buyer. */
function givenBack({ items }: SimTransaction): string {
  const leaves = items.flatMap(({ breakdowns }) => breakdowns);
  const back = leaves.filter(({ path }) => path[0] === 'Sales' && path[1] !== 'Tax Withheld');
  return plainDecimal(new Decimal(sum(back.map(({ amount }) => amount))).neg().toString());
}

it('returns to the seller are the refunds of the orders that he sent himself', async () => {
  const rows = await all((currentpage) =>
    owner.call(merchantReturns.list, { body: { currentpage, pagesize: 100, filter: filterOf(european, inEurope) } }),
  );
  const { business } = world.sandbox;
  const own = business
    .transactions(european, { from: 0, to: asked() + 1 }, asked())
    .filter(({ transactionType, orderId }) => {
      const order = orderId === undefined ? undefined : business.order(european, orderId, asked());
      return transactionType === 'Refund' && order?.fulfilment === 'MFN';
    });
  expect(own.length).toBeGreaterThan(3);
  expect(
    rows
      .map(({ orderId, product, quantity, refundedAmount }) =>
        [orderId, product.code, quantity, plainDecimal(refundedAmount ?? '')].join(' '),
      )
      .sort(),
  ).toEqual(
    own
      .map((refund) => [refund.orderId, refund.items[0]?.sku, refund.items[0]?.quantity, givenBack(refund)].join(' '))
      .sort(),
  );
});

it('advice to remove is about what cannot be sold, piece by piece', async () => {
  const { records, totals } = await owner.call(removalAdvice.list, {
    body: { pagesize: 100, filter: filterOf(european, inEurope) },
  });
  const now = world.sandbox.clock.now();
  const unsellable = european.marketplaceIds.flatMap((id) =>
    world.sandbox.business
      .stock(european, id, now)
      .filter(({ product, unsellable: pieces }) => product.fulfilment === 'AFN' && pieces > 0)
      .map((one) => `${one.product.sku} ${one.fulfillable} ${one.unsellable}`),
  );
  expect(unsellable.length).toBeGreaterThan(3);
  expect(records.map((row) => `${row.product.code} ${row.sellable} ${row.unsellable}`).sort()).toEqual(
    unsellable.sort(),
  );
  // Nothing is so old here yet that its age would be unknown.
  const aged = Number(totals?.unsellable0) + Number(totals?.unsellable8) + Number(totals?.unsellable61);
  expect(aged).toBe(totals?.unsellable);
});

it('fees for too much volume are of the days on which more lay there than the month had on average', async () => {
  const { records } = await owner.call(overageFees.list, {
    body: { pagesize: 100, filter: filterOf(japanese, inJapan), sort: 'day', order: 'asc' },
  });
  expect(records.length).toBeGreaterThan(3);
  expect(new Set(records.map(({ day }) => day.slice(0, 7)))).toEqual(new Set(['2026-06']));
  const now = world.sandbox.clock.now();
  const { storage } = world.sandbox.business.fbaFees(japanese, JP, now);
  const average = Number(sum(storage.filter(({ month }) => month === '2026-06').map(({ totalVolume }) => totalVolume)));
  const { days } = world.sandbox.business.fba(japanese, JP, now);
  for (const row of records) {
    const lying = days.filter(({ day }) => day === row.day);
    const volume = lying.reduce((total, { end, inTransit, product: { sku } }) => {
      // As Amazon measured it, wrongly or not: storage goes by that.
      const stored = storage.find((one) => one.month === row.day.slice(0, 7) && one.product.sku === sku);
      const { lengthCm = 0, widthCm = 0, heightCm = 0 } = stored?.product ?? {};
      return total + ((end + inTransit) * lengthCm * widthCm * heightCm) / 30.48 ** 3;
    }, 0);
    expect(Math.abs(Number(row.usage) - volume), row.day).toBeLessThan(0.01);
    expect(Math.abs(Number(row.volumeLimit) - average), row.day).toBeLessThanOrEqual(1);
    expect(Math.abs(Number(row.overage) - volume + Number(row.volumeLimit)), row.day).toBeLessThan(0.01);
    expect(Math.abs(Number(row.overageFee) - (Number(row.overage) * 1000) / 30), row.day).toBeLessThan(0.5);
  }
});
