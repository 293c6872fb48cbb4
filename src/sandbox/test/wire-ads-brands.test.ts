import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { adsSandbox, call, Id, Money, refusal, State } from './wire-ads-support.ts';
import { type Json, listOf } from './wire-support.ts';

adsSandbox();

const Small = z.enum(['enabled', 'paused', 'archived']);
/** An id of 18 digits is a number in the older calls. */
const Long = z.number().min(100_000_000_000_000_000);
const OldClause = { targetId: Long, adGroupId: Long, state: Small, bid: Money.optional() };
const OldKeyword = {
  keywordId: Long,
  adGroupId: Long,
  campaignId: Long,
  keywordText: z.string().min(1),
  state: Small,
};
const OldExpression = z.array(z.strictObject({ type: z.string(), value: z.string() })).length(1);

/** Sponsored Brands: where the answer has its rows, media types asked for and given, and what a row is. */
const BRANDS: [path: string, key: string, media: string, shape: z.ZodType][] = [
  [
    '/sb/v4/campaigns/list',
    'campaigns',
    'application/vnd.sbcampaignresource.v4+json',
    z.strictObject({
      campaignId: Id,
      name: z.string().min(1),
      state: State,
      budget: Money,
      budgetType: z.enum(['DAILY', 'LIFETIME']),
      startDate: z.iso.date(),
      costType: z.enum(['CPC', 'VCPM']),
      goal: z.string(),
      isMultiAdGroupsEnabled: z.literal(true),
      bidding: z.object({ bidOptimization: z.boolean() }),
      extendedData: z.strictObject({ servingStatus: z.string(), creationDate: z.int(), lastUpdateDate: z.int() }),
    }),
  ],
  [
    '/sb/v4/adGroups/list',
    'adGroups',
    'application/vnd.sbadgroupresource.v4+json',
    z.strictObject({ adGroupId: Id, campaignId: Id, name: z.string().min(1), state: State }),
  ],
  [
    '/sb/v4/ads/list',
    'ads',
    'application/vnd.sbadresource.v4+json',
    z.strictObject({
      adId: Id,
      adGroupId: Id,
      campaignId: Id,
      name: z.string().min(1),
      state: State,
      landingPage: z.object({ pageType: z.string() }),
      creative: z.object({ asins: z.array(z.string().length(10)).min(1).max(3) }),
    }),
  ],
  [
    '/sb/targets/list',
    'targets',
    'application/vnd.sblisttargetsresponse.v3.2+json',
    z.strictObject({
      ...OldClause,
      campaignId: Long,
      expressions: OldExpression,
      resolvedExpressions: OldExpression,
    }),
  ],
  [
    '/sb/negativeTargets/list',
    'negativeTargets',
    'application/vnd.sblistnegativetargetsresponse.v3.2+json',
    z.strictObject({ targetId: Long, adGroupId: Long, campaignId: Long, expressions: OldExpression, state: Small }),
  ],
];

/** Lists by startIndex and count. */
const INDEXED: [path: string, media: string, shape: z.ZodType][] = [
  [
    '/sb/keywords',
    'application/vnd.sbkeyword.v3.2+json',
    z.strictObject({ ...OldKeyword, matchType: z.enum(['exact', 'phrase', 'broad']), bid: Money.optional() }),
  ],
  [
    '/sb/negativeKeywords',
    'application/vnd.sbnegativekeyword.v3.2+json',
    z.strictObject({ ...OldKeyword, matchType: z.enum(['negativeExact', 'negativePhrase']) }),
  ],
  [
    '/sd/campaigns',
    'application/json',
    z.strictObject({
      campaignId: Long,
      name: z.string().min(1),
      state: Small,
      tactic: z.enum(['T00020', 'T00030']),
      budgetType: z.literal('daily'),
      budget: Money,
      costType: z.enum(['cpc', 'vcpm']),
      startDate: z.string().regex(/^\d{8}$/),
      deliveryProfile: z.string(),
    }),
  ],
  [
    '/sd/adGroups',
    'application/json',
    z.strictObject({
      adGroupId: Long,
      campaignId: Long,
      name: z.string().min(1),
      state: Small,
      defaultBid: Money,
      bidOptimization: z.string(),
      creativeType: z.string(),
    }),
  ],
  [
    '/sd/productAds',
    'application/json',
    z.strictObject({ adId: Long, adGroupId: Long, campaignId: Long, sku: z.string(), asin: z.string(), state: Small }),
  ],
  [
    '/sd/targets',
    'application/json',
    z.object({
      ...OldClause,
      expressionType: z.literal('manual'),
      expression: z.array(z.object({ type: z.string() })),
    }),
  ],
  ['/sd/negativeTargets', 'application/json', z.object({ ...OldClause, expression: OldExpression })],
];

describe('lists of Sponsored Brands and Sponsored Display', () => {
  it.each(BRANDS)('%s have the documented shape, in pages that hold each once', async (path, key, media, shape) => {
    const list = async (body: object): Promise<Json> => (await call(path, { body, media })).json() as Promise<Json>;
    const rows = listOf((await list({}))[key]);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) shape.parse(row);
    const first = await list({ maxResults: 1 });
    const rest = first.nextToken ? listOf((await list({ nextToken: first.nextToken }))[key]) : [];
    expect([...listOf(first[key]), ...rest]).toEqual(rows);
    expect(await refusal(await call(path, { body: { maxResults: 101 }, media }))).toEqual([400, 'BAD_REQUEST']);
    expect((await call(path, { body: {}, media: 'application/vnd.other.v1+json' })).status).toBeGreaterThan(405);
  });

  it.each(INDEXED)('%s have the documented shape, from the index asked for on', async (path, media, shape) => {
    const list = async (query: string) => listOf(await (await call(`${path}${query}`, { media })).json());
    const rows = await list('');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) shape.parse(row);
    expect([...(await list('?startIndex=0&count=1')), ...(await list('?startIndex=1'))]).toEqual(rows);
    expect((await call(`${path}?count=101`, { media })).status).toBe(400);
    expect((await call(`${path}?startIndex=x`, { media })).status).toBe(400);
  });
});
