import type { SimListing } from '../business/types.ts';
import { businessPrice } from './catalogue/offer.ts';
import { attributesOf, availability, mainImageOf } from './catalogue/shown.ts';
import { iso } from './clock.ts';
import { invalidInput, SpApiError, unauthorized } from './errors.ts';
import type { Answer, Call, Operation } from './operation.ts';
import { cutPage, openPage } from './paging.ts';
import { instant, integer, list, listOf, text } from './query.ts';
import { titleIn } from './report-stock.ts';
import type { World } from './world.ts';

const TOKEN_LIFE_MS = 24 * 3_600_000;
/** No search shows or pages through more than this many SKUs. */
const MOST_RESULTS = 1000;
const DATA_SETS = [
  'summaries',
  'attributes',
  'issues',
  'offers',
  'fulfillmentAvailability',
  'procurement',
  'relationships',
  'productTypes',
] as const;
const STATUSES = ['BUYABLE', 'DISCOVERABLE'] as const;
const SORTS = ['sku', 'createdDate', 'lastUpdatedDate'] as const;

/** One SKU with its listing in each of the marketplaces asked for. */
interface Item {
  sku: string;
  listings: SimListing[];
}

/** What a listing may be: bought, found. */
export function statusOf(listing: SimListing): readonly string[] {
  if (listing.status === 'ACTIVE') return ['BUYABLE', 'DISCOVERABLE'];
  return listing.status === 'INACTIVE' ? ['DISCOVERABLE'] : [];
}

function summaryOf(world: World, listing: SimListing): object {
  const { product, marketplaceId } = listing;
  return {
    marketplaceId,
    asin: product.asin,
    productType: product.productType,
    conditionType: 'new_new',
    status: statusOf(listing),
    ...(product.fulfilment === 'AFN' ? { fnSku: product.fnsku } : {}),
    itemName: titleIn(product, world.marketplace(marketplaceId)),
    createdDate: iso(product.openedAt),
    lastUpdatedDate: iso(listing.lastUpdatedAt),
    mainImage: { link: mainImageOf(world, listing), height: 160, width: 160 },
  };
}

/** Every attribute of a SKU with its values in each of the marketplaces asked for. */
function attributesIn(world: World, listings: SimListing[], now: number): object {
  const all = listings.map((listing) => attributesOf(world, listing, now));
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return Object.fromEntries([...names].map((name) => [name, all.flatMap((one) => one[name] ?? [])]));
}

function issuesOf(listings: SimListing[]): object[] {
  return listings.flatMap((listing) =>
    listing.issues.map(({ actions, ...issue }) => ({
      ...issue,
      marketplaceIds: [listing.marketplaceId],
      enforcements: { actions: actions.map((action) => ({ action })), exemption: { status: 'NOT_EXEMPT' } },
    })),
  );
}

function offersOf(world: World, listings: SimListing[], now: number): object[] {
  return listings
    .filter((listing) => listing.price !== '')
    .flatMap((listing) => {
      const { marketplaceId, price } = listing;
      const { currency: currencyCode } = world.marketplace(marketplaceId);
      const business = businessPrice(attributesOf(world, listing, now).purchasable_offer ?? []);
      return [
        {
          marketplaceId,
          offerType: 'B2C',
          price: { currencyCode, amount: price },
          audience: { value: 'ALL' },
        },
        ...(business === undefined
          ? []
          : [
              {
                marketplaceId,
                offerType: 'B2B',
                price: { currencyCode, amount: String(business) },
                audience: { value: 'B2B' },
              },
            ]),
      ];
    });
}

function availabilityOf(world: World, { listings: [first] }: Item): object[] {
  if (!first) return [];
  const { fulfillment_channel_code: fulfillmentChannelCode, quantity } = availability(world, first);
  return [{ fulfillmentChannelCode, ...(quantity === undefined ? {} : { quantity }) }];
}

function itemShape(world: World, item: Item, wanted: ReadonlySet<string>, now: number): object {
  const { sku, listings } = item;
  return {
    sku,
    ...(wanted.has('summaries') ? { summaries: listings.map((listing) => summaryOf(world, listing)) } : {}),
    ...(wanted.has('attributes') ? { attributes: attributesIn(world, listings, now) } : {}),
    ...(wanted.has('issues') ? { issues: issuesOf(listings) } : {}),
    ...(wanted.has('offers') ? { offers: offersOf(world, listings, now) } : {}),
    ...(wanted.has('fulfillmentAvailability') ? { fulfillmentAvailability: availabilityOf(world, item) } : {}),
    ...(wanted.has('productTypes')
      ? { productTypes: listings.map((l) => ({ marketplaceId: l.marketplaceId, productType: l.product.productType })) }
      : {}),
  };
}

/** The marketplaces of a call about listings. Throws 400 or 403. */
export function marketplacesOf(call: Call): string[] {
  const ids = list(call.query, 'marketplaceIds', 20);
  if (ids.length === 0) throw invalidInput('marketplaceIds: is required');
  const strange = ids.find((id) => !/^A[A-Z0-9]{9,13}$/.test(id));
  if (strange !== undefined) throw invalidInput(`marketplaceIds: '${strange}' is not the id of a marketplace`);
  if (call.params.sellerId !== call.account.sellingPartnerId) {
    throw unauthorized('The seller of the path is not the seller of the access token.');
  }
  const foreign = ids.find((id) => !call.account.marketplaceIds.includes(id));
  if (foreign !== undefined) throw unauthorized(`The seller does not sell in marketplace ${foreign}`);
  return ids;
}

function wantedOf(call: Call): ReadonlySet<string> {
  const wanted = listOf(call.query, 'includedData', DATA_SETS);
  return new Set(wanted.length > 0 ? wanted : ['summaries']);
}

function itemsOf(call: Call, marketplaceIds: string[], asOf: number): readonly Item[] {
  const { sellingPartnerId, region } = call.account;
  const key = ['listings', sellingPartnerId, region, ...marketplaceIds, asOf].join('|');
  return call.world.cachedList(key, () => {
    const bySku = new Map<string, SimListing[]>();
    for (const listing of marketplaceIds.flatMap((id) => call.world.listings(call.account, id, asOf))) {
      bySku.set(listing.product.sku, [...(bySku.get(listing.product.sku) ?? []), listing]);
    }
    return [...bySku.entries()].map(([sku, listings]) => ({ sku, listings }));
  });
}

function matcher(call: Call): (item: Item) => boolean {
  const identifiers = new Set(list(call.query, 'identifiers', 20));
  const kind = text(call.query, 'identifiersType');
  if (identifiers.size > 0 && kind === undefined) throw invalidInput('identifiersType: is required with identifiers');
  const [createdAfter, createdBefore] = [instant(call.query, 'createdAfter'), instant(call.query, 'createdBefore')];
  const updatedAfter = instant(call.query, 'lastUpdatedAfter');
  const updatedBefore = instant(call.query, 'lastUpdatedBefore');
  const withStatus = listOf(call.query, 'withStatus', STATUSES);
  const withoutStatus = listOf(call.query, 'withoutStatus', STATUSES);
  const severities = listOf(call.query, 'withIssueSeverity', ['WARNING', 'ERROR']);
  const fits = (listing: SimListing): boolean => {
    const { product, lastUpdatedAt } = listing;
    const status = statusOf(listing);
    const identifier = { SKU: product.sku, ASIN: product.asin, FNSKU: product.fnsku }[kind ?? ''] ?? '';
    return (
      (identifiers.size === 0 || identifiers.has(identifier)) &&
      (createdAfter === undefined || product.openedAt >= createdAfter) &&
      (createdBefore === undefined || product.openedAt <= createdBefore) &&
      (updatedAfter === undefined || lastUpdatedAt >= updatedAfter) &&
      (updatedBefore === undefined || lastUpdatedAt <= updatedBefore) &&
      withStatus.every((wanted) => status.includes(wanted)) &&
      !withoutStatus.some((unwanted) => status.includes(unwanted)) &&
      (severities.length === 0 || listing.issues.some((issue) => severities.includes(issue.severity)))
    );
  };
  return (item) => item.listings.some(fits);
}

function sorted(call: Call, items: readonly Item[]): Item[] {
  const by = listOf(call.query, 'sortBy', SORTS)[0] ?? 'lastUpdatedDate';
  const ascending = (text(call.query, 'sortOrder') ?? 'DESC') === 'ASC';
  const newest = (item: Item): number => Math.max(...item.listings.map((listing) => listing.lastUpdatedAt));
  const opened = (item: Item): number => Math.max(...item.listings.map((listing) => listing.product.openedAt));
  const bySku = (a: Item, b: Item): number => (a.sku < b.sku ? -1 : a.sku > b.sku ? 1 : 0);
  const compare = (a: Item, b: Item): number => {
    const difference = by === 'sku' ? 0 : by === 'createdDate' ? opened(a) - opened(b) : newest(a) - newest(b);
    return difference || bySku(a, b);
  };
  return items.toSorted((a, b) => (ascending ? compare(a, b) : compare(b, a)));
}

function searchListingsItems(call: Call): Answer {
  const marketplaceIds = marketplacesOf(call);
  const wanted = wantedOf(call);
  const size = integer(call.query, 'pageSize', { min: 1, max: 20, fallback: 10 });
  const open = openPage(call, 'pageToken', text(call.query, 'pageToken'), TOKEN_LIFE_MS);
  const found = sorted(call, itemsOf(call, marketplaceIds, open.asOf).filter(matcher(call)));
  const { page, nextToken } = cutPage(call, open, found.slice(0, MOST_RESULTS), size);
  return {
    body: {
      numberOfResults: found.length,
      ...(nextToken === undefined ? {} : { pagination: { nextToken } }),
      items: page.map((item) => itemShape(call.world, item, wanted, call.now)),
    },
  };
}

function getListingsItem(call: Call): Answer {
  const marketplaceIds = marketplacesOf(call);
  const wanted = wantedOf(call);
  const sku = call.params.sku ?? '';
  const item = itemsOf(call, marketplaceIds, call.now).find((one) => one.sku === sku);
  if (!item) {
    throw new SpApiError(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace ${marketplaceIds.join(', ')}`);
  }
  return { body: itemShape(call.world, item, wanted, call.now) };
}

/** What reads listings, of Listings Items 2021-08-01. */
export const listingOperations: Operation[] = [
  {
    name: 'searchListingsItems',
    method: 'GET',
    path: '/listings/2021-08-01/items/:sellerId',
    plan: { rate: 5, burst: 5 },
    handle: searchListingsItems,
  },
  {
    name: 'getListingsItem',
    method: 'GET',
    path: '/listings/2021-08-01/items/:sellerId/:sku',
    plan: { rate: 5, burst: 10 },
    handle: getListingsItem,
  },
];
