import { expect, it } from 'vitest';
import type { AccountRef, ApiRequest, SpApi } from '#modules/marketplace/server/index.ts';
import { factOf } from '../server/api-item.ts';
import { readEverything } from '../server/stream.ts';
import { US } from './support.ts';

const account: AccountRef = {
  companyId: '',
  id: '',
  storeId: '',
  sellingPartnerId: 'A1',
  region: 'na',
  marketplaceIds: [US],
};

interface Stored {
  sku: string;
  updated: number;
}

/** A marketplace that shows no more than 1,000 results of a search; `during` runs before each page. */
function catalogue(stored: Stored[], during: (calls: number) => void = () => {}): SpApi {
  let calls = 0;
  return {
    async call<T>({ query = {} }: ApiRequest) {
      calls += 1;
      during(calls);
      const before = query.lastUpdatedBefore ? Date.parse(String(query.lastUpdatedBefore)) : Infinity;
      const after = query.lastUpdatedAfter ? Date.parse(String(query.lastUpdatedAfter)) : -Infinity;
      const found = stored
        .filter(({ updated }) => updated <= before && updated >= after)
        .sort((a, b) => b.updated - a.updated || (a.sku < b.sku ? -1 : 1));
      const offset = Number(query.pageToken ?? 0);
      const page = found.slice(offset, Math.min(offset + 20, 1000));
      const next = offset + 20 < Math.min(found.length, 1000) ? { nextToken: String(offset + 20) } : null;
      const items = page.map(({ sku, updated }) => ({
        sku,
        summaries: [{ marketplaceId: US, status: ['BUYABLE'], lastUpdatedDate: new Date(updated).toISOString() }],
      }));
      return { body: { numberOfResults: found.length, pagination: next, items } as T, requestId: undefined };
    },
  };
}

const T0 = Date.UTC(2026, 0, 1);
const many = (n: number, at: (i: number) => number): Stored[] =>
  Array.from({ length: n }, (_, i) => ({ sku: `SKU-${i}`, updated: at(i) }));

it('reads every listing beyond what one search shows', async () => {
  // Seven share each second, so that slices begin in the middle of one.
  const stored = many(2345, (i) => T0 + Math.floor(i / 7) * 1000);
  const { facts, whole } = await readEverything(
    { api: catalogue(stored), account, marketplaceId: US },
    new Date(T0 + 1e9).toISOString(),
  );
  expect(whole).toBe(true);
  expect(new Set(facts.map((fact) => fact.sellerSku)).size).toBe(2345);
});

it('does not lose a listing that is updated while older slices are read', async () => {
  const stored = many(1500, (i) => T0 + i * 1000);
  const began = T0 + 2_000_000;
  const api = catalogue(stored, (calls) => {
    const oldest = stored.find(({ sku }) => sku === 'SKU-0');
    if (calls === 30 && oldest) oldest.updated = began + 1;
  });
  const { facts } = await readEverything({ api, account, marketplaceId: US }, new Date(began).toISOString());
  expect(facts.some((fact) => fact.sellerSku === 'SKU-0')).toBe(true);
});

it('says so when more listings share one instant than a search shows', async () => {
  const stored = many(1200, () => T0);
  const { whole } = await readEverything(
    { api: catalogue(stored), account, marketplaceId: US },
    new Date(T0).toISOString(),
  );
  expect(whole).toBe(false);
});

it('takes the price for everybody and the issues of the marketplace', () => {
  const fact = factOf(
    {
      sku: 'A',
      summaries: [{ marketplaceId: US, status: ['DISCOVERABLE'], itemName: 'Lamp' }],
      offers: [
        { marketplaceId: US, offerType: 'B2B', price: { currencyCode: 'USD', amount: '8.00' } },
        { marketplaceId: 'other', offerType: 'B2C', price: { currencyCode: 'CAD', amount: '7.00' } },
        {
          marketplaceId: US,
          offerType: 'B2C',
          price: { currencyCode: 'USD', amount: '9.00' },
          audience: { value: 'ALL' },
        },
      ],
      fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity: 4 }],
      issues: [
        {
          code: '1',
          message: 'here',
          severity: 'ERROR',
          marketplaceIds: [US],
          categories: ['INVALID_IMAGE'],
          attributeNames: ['b', 'a'],
          enforcements: {
            actions: [{ action: 'SEARCH_SUPPRESSED' }, { action: 'SOMETHING_NEW' }],
            exemption: { status: 'EXEMPT_UNTIL_EXPIRY_DATE', expiryDate: '2026-08-01T00:00:00Z' },
          },
        },
        { code: '2', message: 'elsewhere', severity: 'ERROR', marketplaceIds: ['other'] },
      ],
    },
    US,
  );
  expect(fact).toMatchObject({
    price: '9.00',
    currency: 'USD',
    status: 'INACTIVE',
    fulfilledBy: 'MERCHANT',
    quantity: 4,
  });
  expect(fact?.issues).toEqual([
    {
      code: '1',
      message: 'here',
      severity: 'ERROR',
      categories: ['INVALID_IMAGE'],
      attributes: ['a', 'b'],
      actions: ['SEARCH_SUPPRESSED'],
      exemptUntil: '2026-08-01T00:00:00Z',
    },
  ]);
  expect(factOf({ sku: 'A', summaries: [{ marketplaceId: 'other' }] }, US)).toBeUndefined();
});
