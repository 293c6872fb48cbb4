import type { SimMarketplace } from '../../business/types.ts';
import { invalidInput, notFound } from '../errors.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { cutPage, openPage } from '../paging.ts';
import { integer, list, listOf, text } from '../query.ts';
import { unitDraw } from '../random.ts';
import { type Article, articlesIn } from './articles.ts';
import { languageTag } from './schema.ts';

const TOKEN_LIFE_MS = 24 * 3_600_000;
const MOST_REFINEMENTS = 10;
const DATA_SETS = [
  'attributes',
  'classifications',
  'dimensions',
  'identifiers',
  'images',
  'productTypes',
  'relationships',
  'salesRanks',
  'summaries',
  // Of vendors: a seller may ask and gets none.
  'vendorDetails',
] as const;
const IDENTIFIERS = ['ASIN', 'EAN', 'GTIN', 'ISBN', 'JAN', 'MINSAN', 'SKU', 'UPC'] as const;

function marketplaceIn(call: Call): SimMarketplace {
  const [id, second] = list(call.query, 'marketplaceIds', 20);
  if (id === undefined || second !== undefined)
    throw invalidInput('marketplaceIds: exactly one marketplace is required');
  const found = call.world.business.marketplaces.find(({ marketplaceId }) => marketplaceId === id);
  if (!found) throw invalidInput(`marketplaceIds: '${id}' is not the id of a marketplace`);
  return found;
}

const CM_PER_INCH = 2.54;
const KG_PER_POUND = 0.45359237;
const round = (value: number): number => Math.round(value * 1000) / 1000;

function packageOf({ cm: [length, width, height], kg }: Article): object {
  const edge = (value: number): object => ({ unit: 'inches', value: round(value / CM_PER_INCH) });
  return {
    length: edge(length),
    width: edge(width),
    height: edge(height),
    weight: { unit: 'pounds', value: round(kg / KG_PER_POUND) },
  };
}

/** A rank moves a little from one day to the next. */
function rankOn({ world, now }: Call, { marketplaceId }: SimMarketplace, { asin, rank }: Article): number {
  const day = new Date(now).toISOString().slice(0, 10);
  return Math.max(1, Math.round(rank * (0.8 + 0.4 * unitDraw('rank day', world.seed, asin, marketplaceId, day))));
}

function shapeOf(call: Call, market: SimMarketplace, article: Article): object {
  const wanted = new Set(listOf(call.query, 'includedData', DATA_SETS));
  if (wanted.size === 0) wanted.add('summaries');
  const { marketplaceId } = market;
  const { asin, brand, title, className, classificationId, ean, colour, pack } = article;
  const rank = rankOn(call, market, article);
  const browse = { displayName: className, classificationId };
  const parts: Record<(typeof DATA_SETS)[number], unknown> = {
    summaries: [
      {
        marketplaceId,
        brand,
        browseClassification: browse,
        color: colour,
        itemClassification: 'BASE_PRODUCT',
        itemName: title,
        manufacturer: brand,
        packageQuantity: pack,
      },
    ],
    attributes: {
      item_name: [{ value: title, language_tag: languageTag(market), marketplace_id: marketplaceId }],
      brand: [{ value: brand, language_tag: languageTag(market), marketplace_id: marketplaceId }],
    },
    classifications: [{ marketplaceId, classifications: [browse] }],
    dimensions: [{ marketplaceId, item: packageOf(article), package: packageOf(article) }],
    identifiers: [{ marketplaceId, identifiers: [{ identifierType: 'EAN', identifier: ean }] }],
    images: [
      {
        marketplaceId,
        images: [
          { variant: 'MAIN', link: `${call.world.publicUrl}/images/${article.imageKey}.svg`, height: 160, width: 160 },
        ],
      },
    ],
    productTypes: [{ marketplaceId, productType: article.productType }],
    relationships: [
      {
        marketplaceId,
        relationships: article.parentAsin ? [{ type: 'VARIATION', parentAsins: [article.parentAsin] }] : [],
      },
    ],
    vendorDetails: undefined,
    salesRanks: [
      {
        marketplaceId,
        classificationRanks: [{ classificationId, title: className, rank: Math.max(1, Math.round(rank / 30)) }],
        displayGroupRanks: [{ websiteDisplayGroup: 'home_display_on_website', title: 'Home', rank }],
      },
    ],
  };
  return { asin, ...Object.fromEntries(Object.entries(parts).filter(([name]) => wanted.has(name as never))) };
}

function identified(call: Call, market: SimMarketplace, articles: readonly Article[]): Article[] {
  const identifiers = list(call.query, 'identifiers', 20);
  const [type] = listOf(call.query, 'identifiersType', IDENTIFIERS);
  if (type === undefined) throw invalidInput('identifiersType: is required when identifiers are provided');
  if (type !== 'SKU') {
    return articles.filter(({ asin, ean }) => identifiers.includes(type === 'ASIN' ? asin : type === 'EAN' ? ean : ''));
  }
  if (text(call.query, 'sellerId') === undefined)
    throw invalidInput('sellerId: is required when identifiersType is SKU');
  const own = call.world.listings(call.account, market.marketplaceId, call.now);
  const asins = new Set(
    own.filter(({ product }) => identifiers.includes(product.sku)).map(({ product }) => product.asin),
  );
  return articles.filter(({ asin }) => asins.has(asin));
}

/** Counts by a key, the most frequent first. */
function counted<T>(
  articles: readonly Article[],
  keyOf: (one: Article) => string,
  shape: (one: Article, n: number) => T,
): T[] {
  const groups = Map.groupBy(articles, keyOf);
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_REFINEMENTS)
    .flatMap((group) => (group[0] ? [shape(group[0], group.length)] : []));
}

function search(call: Call): Answer {
  const { query } = call;
  const market = marketplaceIn(call);
  listOf(query, 'includedData', DATA_SETS);
  const keywords = list(query, 'keywords', 20).map((word) => word.toLowerCase());
  const byId = list(query, 'identifiers', 20).length > 0;
  if (byId === keywords.length > 0) throw invalidInput('keywords: exactly one of keywords and identifiers is required');
  const size = integer(query, 'pageSize', { min: 1, max: 20, fallback: 10 });
  const [brands, classes] = [list(query, 'brandNames'), list(query, 'classificationIds')];
  if (byId && brands.length + classes.length > 0) throw invalidInput('brandNames: cannot be used with identifiers');
  const all = articlesIn(call.world, market);
  const matched = byId
    ? identified(call, market, all)
    : all.filter(({ title, brand }) => keywords.every((word) => `${brand} ${title}`.toLowerCase().includes(word)));
  const found = matched
    .filter(({ brand }) => brands.length === 0 || brands.includes(brand))
    .filter(({ classificationId }) => classes.length === 0 || classes.includes(classificationId));
  const open = openPage(call, 'pageToken', text(query, 'pageToken'), TOKEN_LIFE_MS);
  const { page, nextToken } = cutPage(call, open, found, size);
  const previousToken =
    open.offset === 0
      ? undefined
      : call.world.mint.seal({
          offset: Math.max(0, open.offset - size),
          asOf: open.asOf,
          fingerprint: open.fingerprint,
          issuedAt: call.world.throttleClock.now(),
        });
  const tokens = { ...(nextToken ? { nextToken } : {}), ...(previousToken ? { previousToken } : {}) };
  return {
    body: {
      numberOfResults: found.length,
      ...(Object.keys(tokens).length > 0 ? { pagination: tokens } : {}),
      ...(byId
        ? {}
        : {
            refinements: {
              brands: counted(
                matched,
                ({ brand }) => brand,
                ({ brand }, n) => ({ numberOfResults: n, brandName: brand }),
              ),
              classifications: counted(
                matched,
                ({ classificationId }) => classificationId,
                ({ classificationId, className }, n) => ({
                  numberOfResults: n,
                  displayName: className,
                  classificationId,
                }),
              ),
            },
          }),
      items: page.map((article) => shapeOf(call, market, article)),
    },
  };
}

function get(call: Call): Answer {
  const market = marketplaceIn(call);
  const { asin = '' } = call.params;
  if (!/^[A-Z0-9]{10}$/.test(asin)) throw invalidInput(`asin: '${asin}' is not an ASIN`);
  const found = articlesIn(call.world, market).find((one) => one.asin === asin);
  if (!found) throw notFound(`item ${asin} in marketplace ${market.marketplaceId}`);
  return { body: shapeOf(call, market, found) };
}

/** Catalog Items 2022-04-01. */
export const catalogOperations: Operation[] = [
  {
    name: 'searchCatalogItems',
    method: 'GET',
    path: '/catalog/2022-04-01/items',
    plan: { rate: 2, burst: 2 },
    handle: search,
  },
  {
    name: 'getCatalogItem',
    method: 'GET',
    path: '/catalog/2022-04-01/items/:asin',
    plan: { rate: 2, burst: 2 },
    handle: get,
  },
];
