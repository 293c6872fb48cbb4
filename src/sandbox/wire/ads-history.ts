import type { FastifyInstance } from 'fastify';
import type { SimAdChange } from '../business/ads-types.ts';
import { AdsError, type AdsRoute, answerAds, bad, scopeOf } from './ads-gate.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;
const MOST_IDS = 10;
const TYPES = ['CAMPAIGN', 'AD_GROUP', 'AD', 'KEYWORD', 'NEGATIVE_KEYWORD', 'PRODUCT_TARGETING', 'THEME'];

interface Wish {
  from: number;
  to: number;
  count: number;
  offset: number;
  wanted: (change: SimAdChange) => boolean;
}

function textsOf(value: unknown, name: string): string[] {
  if (value === undefined) return [];
  const good = Array.isArray(value) && value.length <= MOST_IDS && value.every((one) => typeof one === 'string');
  if (!good) throw bad(400, `${name}: at most ${MOST_IDS} ids are expected`);
  return value.map(String);
}

/** Entities named themselves, or by the campaigns that they belong to; the whole advertiser's changes are not simulated. */
function ofType(type: string, fields: Record<string, unknown>): Wish['wanted'] {
  if (!TYPES.includes(type)) throw bad(400, `eventTypes: ${type} is unknown`);
  const ids = textsOf(fields.eventTypeIds, 'eventTypeIds');
  const parents = (fields.parents ?? []) as { campaignId?: unknown; useProfileIdAdvertiser?: unknown }[];
  if (parents.some((one) => one.useProfileIdAdvertiser)) throw new AdsError(501, 'NOT_IMPLEMENTED', 'whole advertiser');
  const campaigns = textsOf(
    parents.map(({ campaignId }) => campaignId),
    'parents',
  );
  const filters = fields.filters === undefined ? undefined : textsOf(fields.filters, 'filters');
  return (change) =>
    change.entityType === type &&
    (ids.includes(change.entityId) || (type !== 'CAMPAIGN' && campaigns.includes(change.campaignId))) &&
    (filters?.includes(change.changeType) ?? true);
}

function wishOf(world: World, of: string, body: unknown): Wish {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { fromDate, toDate, eventTypes, count = 100, nextToken } = fields;
  if (typeof fromDate !== 'number' || typeof toDate !== 'number' || fromDate > toDate) {
    throw bad(400, 'fromDate, toDate: milliseconds in order are expected');
  }
  if (world.now() - fromDate > KEPT_DAYS * DAY_MS) throw bad(400, `fromDate: at most ${KEPT_DAYS} days back`);
  if (typeof count !== 'number' || count < 50 || count > 200) throw bad(400, 'count must be between 50 and 200');
  const types = Object.entries((eventTypes ?? {}) as Record<string, Record<string, unknown>>);
  if (types.length === 0) throw bad(400, 'eventTypes: at least one is expected');
  const conditions = types.map(([type, one]) => ofType(type, one));
  const wanted = (change: SimAdChange): boolean => conditions.some((holds) => holds(change));
  if (nextToken === undefined) return { from: fromDate, to: toDate, count, offset: 0, wanted };
  const opened = world.mint.open(String(nextToken)) as { of?: unknown; offset?: unknown } | undefined;
  if (opened?.of !== of || typeof opened.offset !== 'number') throw bad(400, 'nextToken is not valid');
  return { from: fromDate, to: toDate, count, offset: opened.offset, wanted };
}

const eventOf = (change: SimAdChange): object => ({
  changeType: change.changeType,
  entityId: change.entityId,
  entityType: change.entityType,
  metadata: {
    campaignId: change.campaignId,
    ...(change.adGroupId === undefined ? {} : { adGroupId: change.adGroupId }),
  },
  newValue: change.newValue,
  previousValue: change.previousValue,
  timestamp: change.at,
});

/** What was changed of Sponsored Products and Sponsored Brands, the newest first; nobody is told who did it. */
export function registerAdsHistory(server: FastifyInstance, world: World, base: string): void {
  server.post<AdsRoute>(`${base}/history`, (request, reply) =>
    answerAds(world, 'getAdsHistory', request, reply, (account) => {
      const marketplaceId = scopeOf(account, request);
      const of = `history|${marketplaceId}`;
      const { from, to, count, offset, wanted } = wishOf(world, of, request.body);
      const events = world.business
        .adChanges(account, marketplaceId, { from, to }, world.now())
        .filter((change) => change.adProduct !== 'SD' && wanted(change))
        .reverse();
      const end = offset + count;
      return {
        body: {
          events: events.slice(offset, end).map(eventOf),
          totalRecords: events.length,
          ...(end < events.length ? { nextToken: world.mint.seal({ of, offset: end }) } : {}),
        },
      };
    }),
  );
}
