import type { FastifyInstance } from 'fastify';
import type {
  SimAdBook,
  SimAdCampaign,
  SimAdNegative,
  SimAdProduct,
  SimAdTarget,
  SimProductAd,
} from '../business/ads-types.ts';
import { AdsError, type AdsRequest, type AdsRoute, answerAds, scopeOf } from './ads-gate.ts';
import { iso } from './clock.ts';
import type { World } from './world.ts';

/** One kind of Sponsored Products entity: `POST /sp/{path}/list`. */
interface Kind {
  /** Below /sp, and the key of the answer's list. */
  path: string;
  operation: string;
  /** "spCampaign": the media type is application/vnd.spCampaign.v3+json. */
  media: string;
  list: (book: SimAdBook) => readonly { state: string; shape: object }[];
}

function campaignShape(campaign: SimAdCampaign): object {
  const { campaignId, name, targetingType, state, budget, startDate, strategy, topOfSearchPercent, createdAt } =
    campaign;
  return {
    campaignId,
    name,
    targetingType,
    state,
    startDate,
    budget: { budget: Number(budget), budgetType: 'DAILY' },
    dynamicBidding: {
      strategy,
      placementBidding: topOfSearchPercent > 0 ? [{ placement: 'PLACEMENT_TOP', percentage: topOfSearchPercent }] : [],
    },
    extendedData: {
      servingStatus: state === 'ENABLED' ? 'CAMPAIGN_STATUS_ENABLED' : 'CAMPAIGN_PAUSED',
      creationDateTime: iso(createdAt),
      lastUpdateDateTime: iso(createdAt),
    },
  };
}

const productAdShape = ({ adId, adGroupId, campaignId, sku, asin, state }: SimProductAd): object => ({
  ...{ adId, adGroupId, campaignId, sku, asin, state },
});

const keywordShape = (target: SimAdTarget): object => ({
  keywordId: target.targetId,
  adGroupId: target.adGroupId,
  campaignId: target.campaignId,
  keywordText: target.text,
  matchType: target.match,
  state: target.state,
  ...(target.bid === undefined ? {} : { bid: Number(target.bid) }),
});

const clauseShape = (target: SimAdTarget): object => ({
  targetId: target.targetId,
  adGroupId: target.adGroupId,
  campaignId: target.campaignId,
  expressionType: target.clause === 'ASIN_SAME_AS' ? 'MANUAL' : 'AUTO',
  expression: [{ type: target.clause, ...(target.text === undefined ? {} : { value: target.text }) }],
  resolvedExpression: [{ type: target.clause, ...(target.text === undefined ? {} : { value: target.text }) }],
  state: target.state,
  ...(target.bid === undefined ? {} : { bid: Number(target.bid) }),
});

const negativeKeyword = (one: SimAdNegative): object => ({
  keywordId: one.negativeId,
  campaignId: one.campaignId,
  ...(one.adGroupId === undefined ? {} : { adGroupId: one.adGroupId }),
  keywordText: one.text,
  matchType: one.match,
  state: one.state,
});

const negativeClause = (one: SimAdNegative): object => ({
  targetId: one.negativeId,
  campaignId: one.campaignId,
  ...(one.adGroupId === undefined ? {} : { adGroupId: one.adGroupId }),
  expression: [{ type: 'ASIN_SAME_AS', value: one.asin }],
  resolvedExpression: [{ type: 'ASIN_SAME_AS', value: one.asin }],
  state: one.state,
});

/** The part of a book that belongs to one product. */
export function ofProduct(book: SimAdBook, product: SimAdProduct): SimAdBook {
  const own = <T extends { adProduct: SimAdProduct }>(rows: readonly T[]): T[] =>
    rows.filter(({ adProduct }) => adProduct === product);
  const { campaigns, adGroups, ads, targets, negatives } = book;
  return {
    campaigns: own(campaigns),
    adGroups: own(adGroups),
    ads: own(ads),
    targets: own(targets),
    negatives: own(negatives),
  };
}

function shaped<T extends { state: string }>(rows: readonly T[], shape: (row: T) => object) {
  return rows.map((row) => ({ state: row.state, shape: shape(row) }));
}

const KINDS: readonly Kind[] = [
  kind('campaigns', 'listSpCampaigns', 'spCampaign', (book) => shaped(book.campaigns, campaignShape)),
  kind('adGroups', 'listSpAdGroups', 'spAdGroup', (book) =>
    shaped(book.adGroups, ({ adProduct: _, ...group }) => ({ ...group, defaultBid: Number(group.defaultBid) })),
  ),
  kind('productAds', 'listSpProductAds', 'spProductAd', (book) => shaped(book.ads, productAdShape)),
  kind('keywords', 'listSpKeywords', 'spKeyword', (book) =>
    shaped(
      book.targets.filter((one) => one.match !== undefined),
      keywordShape,
    ),
  ),
  kind('targetingClauses', 'listSpTargets', 'spTargetingClause', (book) =>
    shaped(
      book.targets.filter((one) => one.clause !== undefined),
      clauseShape,
    ),
  ),
  negatives('negativeKeywords', 'spNegativeKeyword', true, false),
  negatives('campaignNegativeKeywords', 'spCampaignNegativeKeyword', true, true),
  negatives('negativeTargetingClauses', 'spNegativeTargetingClause', false, false),
  negatives('campaignNegativeTargetingClauses', 'spCampaignNegativeTargetingClause', false, true),
];

function kind(path: string, operation: string, media: string, list: Kind['list']): Kind {
  return { path, operation, media, list };
}

function negatives(path: string, media: string, keyword: boolean, whole: boolean): Kind {
  const operation = `list${media.replace(/^s/, 'S')}s`;
  return kind(path, operation, media, (book) => {
    const own = book.negatives.filter(
      (one) => (one.text !== undefined) === keyword && (one.adGroupId === undefined) === whole,
    );
    return shaped(own, keyword ? negativeKeyword : negativeClause);
  });
}

/** Clauses are called targets in the path and by their full name in the answer. */
function pathOf({ path }: Kind): string {
  return path.replace('targetingClauses', 'targets').replace('TargetingClauses', 'Targets');
}

interface Asked {
  maxResults: number;
  offset: number;
  states: readonly string[] | undefined;
}

function askedOf(world: World, { operation }: Kind, marketplaceId: string, body: unknown): Asked {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { maxResults = 100, nextToken, stateFilter } = fields;
  if (typeof maxResults !== 'number' || !Number.isInteger(maxResults) || maxResults < 1 || maxResults > 1000) {
    throw new AdsError(400, 'BAD_REQUEST', 'maxResults must be between 1 and 1000');
  }
  const include = (stateFilter as { include?: unknown } | undefined)?.include;
  const states = Array.isArray(include) ? include.map(String) : undefined;
  if (nextToken === undefined) return { maxResults, offset: 0, states };
  const opened = world.mint.open(String(nextToken)) as { of?: unknown; offset?: unknown } | undefined;
  if (opened?.of !== `${operation}|${marketplaceId}` || typeof opened.offset !== 'number') {
    throw new AdsError(400, 'BAD_REQUEST', 'nextToken is not valid');
  }
  return { maxResults, offset: opened.offset, states };
}

function requireMedia(request: AdsRequest, media: string): void {
  for (const header of ['content-type', 'accept'] as const) {
    const given = (request.headers[header] ?? '').split(';')[0];
    if (given !== media) throw new AdsError(415, 'UNSUPPORTED_MEDIA_TYPE', `${header}: ${media} is expected`);
  }
}

/** Lists of Sponsored Products, version 3, in pages by nextToken. */
export function registerAdsEntities(server: FastifyInstance, world: World, base: string): void {
  for (const one of KINDS) {
    const media = `application/vnd.${one.media}.v3+json`;
    server.post<AdsRoute>(`${base}/sp/${pathOf(one)}/list`, (request, reply) =>
      answerAds(world, one.operation, request, reply, (account) => {
        const marketplaceId = scopeOf(account, request);
        requireMedia(request, media);
        const { maxResults, offset, states } = askedOf(world, one, marketplaceId, request.body);
        const rows = one
          .list(ofProduct(world.business.ads(account, marketplaceId, world.now()), 'SP'))
          .filter((row) => states?.includes(row.state) ?? true);
        const end = offset + maxResults;
        const of = `${one.operation}|${marketplaceId}`;
        return {
          type: media,
          body: {
            [one.path]: rows.slice(offset, end).map((row) => row.shape),
            totalResults: rows.length,
            ...(end < rows.length ? { nextToken: world.mint.seal({ of, offset: end }) } : {}),
          },
        };
      }),
    );
  }
}
