import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBusiness } from '../business/index.ts';
import { type ConsentedSeller, consentedSeller } from './seller-support.ts';
import { DAY, type Json, listOf, postJson } from './wire-support.ts';

let seller: ConsentedSeller;
let sku: string;

const account = () => {
  const found = seller.sandbox.business.accounts.find((one) => one.region === 'na');
  if (!found) throw new Error('no account');
  return found;
};
const control = (body: object): Promise<Response> =>
  fetch(`${seller.sandbox.url}/control/fees`, postJson({ sellingPartnerId: seller.sellerId, region: 'na', ...body }));
const truth = async (): Promise<Json[]> => {
  const query = new URLSearchParams({ sellingPartnerId: seller.sellerId, region: 'na' });
  const reply = await fetch(`${seller.sandbox.url}/control/fees?${query}`);
  return listOf(((await reply.json()) as Json).mismeasured);
};
const preview = () => {
  const { business, clock } = seller.sandbox;
  const fees = business.fbaFees(account(), seller.marketplaceIds[0] ?? '', clock.now());
  return fees.previews.find(({ product }) => product.sku === sku);
};

beforeAll(async () => {
  seller = await consentedSeller();
  const fees = seller.sandbox.business.fbaFees(account(), seller.marketplaceIds[0] ?? '', seller.sandbox.clock.now());
  sku = fees.previews[0]?.product.sku ?? '';
});
afterAll(() => seller.sandbox.close());

test('a product that is measured too large is charged for it in all marketplaces of its region, until it is measured again', async () => {
  expect(await truth()).toEqual([]);
  const before = preview();
  const reply = await control({ action: 'mismeasure', sku, sides: 2, weight: 2 });
  const { mismeasured } = (await reply.json()) as Json;
  expect(listOf(mismeasured).map((one) => [one.sku, one.marketplaceId])).toEqual(
    seller.marketplaceIds.map((id) => [sku, id]),
  );
  expect(await truth()).toEqual(mismeasured);
  const wrong = preview();
  expect(Number(wrong?.fulfilment)).toBeGreaterThan(Number(before?.fulfilment));
  expect(wrong?.product.lengthCm).toBe((before?.product.lengthCm ?? 0) * 2);
  const [first = {}] = await truth();
  expect([first.charged, first.due]).toEqual([wrong?.fulfilment, before?.fulfilment]);
  await control({ action: 'remeasure', sku });
  expect(await truth()).toEqual([]);
  expect(preview()).toEqual(before);
});

test('orders are charged by what was measured when they were sent', async () => {
  const shipped = () => {
    const { business, clock } = seller.sandbox;
    const now = clock.now();
    return new Set(
      business
        .transactions(account(), { from: now - 20 * DAY, to: now, marketplaceId: seller.marketplaceIds[0] ?? '' }, now)
        .filter(({ transactionType }) => transactionType === 'Shipment')
        .flatMap(({ items }) => items.filter((item) => item.sku === sku))
        .map(({ quantity = 1, breakdowns }) => {
          const fee = breakdowns.find(({ path }) => path.at(-1) === 'FBAPerUnitFulfillmentFee');
          return new Decimal(fee?.amount ?? 0).div(quantity).neg().toFixed(2);
        }),
    );
  };
  const before = shipped();
  await control({ action: 'mismeasure', sku, sides: 2, weight: 2 });
  seller.sandbox.world.commandClock({ advanceMs: 10 * DAY });
  const after = [...shipped()];
  expect(after.some((fee) => before.has(fee))).toBe(true);
  expect(after).toContain(new Decimal(preview()?.fulfilment ?? 0).toFixed(2));
  expect(seller.sandbox.business.audit(seller.sandbox.clock.now())).toEqual([]);
});

test('it says what it cannot follow', async () => {
  for (const body of [
    { action: 'mismeasure', sku: 'NOBODY' },
    { action: 'weigh', sku },
    { action: 'mismeasure', sku, sides: 0 },
    { action: 'mismeasure', sku, weight: 9 },
  ]) {
    expect((await control(body)).status, JSON.stringify(body)).toBe(400);
  }
});

test('the business of the demo has some from the beginning, the same of a seed', () => {
  const startAt = Date.UTC(2026, 5, 1);
  const planted = () => {
    const business = createBusiness({ seed: 'demo-1', scenario: 'demo', startAt });
    return business.accounts.map((one) => [
      one.region,
      ...business.mismeasured(one, one.marketplaceIds[0] ?? '', startAt + 61 * DAY).map((each) => each.sku),
    ]);
  };
  expect(planted()).toEqual(planted());
  expect(planted().map(([region, ...skus]) => [region, skus.length])).toEqual([
    ['na', 3],
    ['eu', 3],
    ['na', 2],
    ['fe', 2],
  ]);
});
