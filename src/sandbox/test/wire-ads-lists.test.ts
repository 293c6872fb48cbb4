import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { adsSandbox, call, Id, Money, mediaOf, profiles, refusal, SELLER, State } from './wire-ads-support.ts';
import { type Json, listOf } from './wire-support.ts';

adsSandbox();

const Keyword = {
  keywordId: Id,
  campaignId: Id,
  keywordText: z.string().min(1).max(80),
  state: State,
};
const NegativeMatch = z.enum(['NEGATIVE_EXACT', 'NEGATIVE_PHRASE']);
const Expression = z.array(z.strictObject({ type: z.string(), value: z.string().optional() })).min(1);
const Clause = { targetId: Id, campaignId: Id, expression: Expression, resolvedExpression: Expression, state: State };

/** As the documentation of Sponsored Products, version 3, describes what a list holds; unknown fields are refused. */
const SHAPES: Record<string, [path: string, media: string, shape: z.ZodType]> = {
  campaigns: [
    'campaigns',
    'spCampaign',
    z.strictObject({
      campaignId: Id,
      name: z.string().min(1).max(128),
      targetingType: z.enum(['AUTO', 'MANUAL']),
      state: State,
      startDate: z.iso.date(),
      budget: z.strictObject({ budget: Money, budgetType: z.literal('DAILY') }),
      dynamicBidding: z.strictObject({
        strategy: z.enum(['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL', 'RULE_BASED']),
        placementBidding: z.array(
          z.strictObject({
            placement: z.enum(['PLACEMENT_TOP', 'PLACEMENT_PRODUCT_PAGE', 'PLACEMENT_REST_OF_SEARCH']),
            percentage: z.int().min(0).max(900),
          }),
        ),
      }),
      extendedData: z.strictObject({
        servingStatus: z.string(),
        creationDateTime: z.iso.datetime(),
        lastUpdateDateTime: z.iso.datetime(),
      }),
    }),
  ],
  adGroups: [
    'adGroups',
    'spAdGroup',
    z.strictObject({ adGroupId: Id, campaignId: Id, name: z.string().min(1), state: State, defaultBid: Money }),
  ],
  productAds: [
    'productAds',
    'spProductAd',
    z.strictObject({ adId: Id, adGroupId: Id, campaignId: Id, sku: z.string(), asin: z.string(), state: State }),
  ],
  keywords: [
    'keywords',
    'spKeyword',
    z.strictObject({
      ...Keyword,
      adGroupId: Id,
      matchType: z.enum(['EXACT', 'PHRASE', 'BROAD']),
      bid: Money.optional(),
    }),
  ],
  targetingClauses: [
    'targets',
    'spTargetingClause',
    z.strictObject({
      ...Clause,
      adGroupId: Id,
      expressionType: z.enum(['AUTO', 'MANUAL']),
      bid: Money.optional(),
    }),
  ],
  negativeKeywords: [
    'negativeKeywords',
    'spNegativeKeyword',
    z.strictObject({ ...Keyword, adGroupId: Id, matchType: NegativeMatch }),
  ],
  campaignNegativeKeywords: [
    'campaignNegativeKeywords',
    'spCampaignNegativeKeyword',
    z.strictObject({ ...Keyword, matchType: NegativeMatch }),
  ],
  negativeTargetingClauses: [
    'negativeTargets',
    'spNegativeTargetingClause',
    z.strictObject({ ...Clause, adGroupId: Id }),
  ],
  campaignNegativeTargetingClauses: [
    'campaignNegativeTargets',
    'spCampaignNegativeTargetingClause',
    z.strictObject(Clause),
  ],
};

describe('profiles', () => {
  it('are the marketplaces of the seller, each with its currency and zone', async () => {
    const Profile = z.strictObject({
      profileId: z.int().positive(),
      countryCode: z.string().length(2),
      currencyCode: z.string().length(3),
      dailyBudget: z.number(),
      timezone: z.string().includes('/'),
      accountInfo: z.strictObject({
        marketplaceStringId: z.string(),
        id: z.literal(SELLER),
        type: z.enum(['seller', 'vendor', 'agency']),
        name: z.string(),
        validPaymentMethod: z.boolean(),
      }),
    });
    for (const profile of profiles) Profile.parse(profile);
    expect(profiles.map(({ countryCode, currencyCode }) => `${countryCode} ${currencyCode}`)).toEqual([
      'US USD',
      'CA CAD',
    ]);
    const one = await call(`/v2/profiles/${String(profiles[1]?.profileId)}`, { scope: '' });
    expect(await one.json()).toEqual(profiles[1]);
    expect(await refusal(await call('/v2/profiles/1', { scope: '' }))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('lists of Sponsored Products', () => {
  it.each(Object.entries(SHAPES))('%s have the documented shape, in pages that hold each once', async (key, spec) => {
    const [path, media, shape] = spec;
    const list = async (body: object): Promise<Json> => {
      const answer = await call(`/sp/${path}/list`, { body, media: mediaOf(media) });
      // Media types are the same in small letters.
      expect(answer.headers.get('content-type')).toContain(mediaOf(media).toLowerCase());
      return (await answer.json()) as Json;
    };
    const whole = await list({ maxResults: 1000 });
    const rows = listOf(whole[key]);
    // The one kind that no simulated seller uses.
    if (key !== 'campaignNegativeTargetingClauses') expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) shape.parse(row);
    expect([whole.totalResults, whole.nextToken]).toEqual([rows.length, undefined]);
    const size = Math.max(1, Math.ceil(rows.length / 2));
    const first = await list({ maxResults: size });
    const second = first.nextToken ? await list({ maxResults: size, nextToken: first.nextToken }) : { [key]: [] };
    expect([...listOf(first[key]), ...listOf(second[key])]).toEqual(rows);
    const enabled = await list({ maxResults: 1000, stateFilter: { include: ['ENABLED'] } });
    expect(listOf(enabled[key])).toEqual(rows.filter((row) => String(row.state) === 'ENABLED'));
  });

  it('refuse another media type, a page that is too long, and a token of another list', async () => {
    const media = mediaOf('spCampaign');
    expect((await call('/sp/campaigns/list', { body: {} })).status).toBe(415);
    for (const body of [{ maxResults: 0 }, { maxResults: 1001 }, { maxResults: '5' }, { nextToken: 'forged' }]) {
      expect(await refusal(await call('/sp/campaigns/list', { body, media }))).toEqual([400, 'BAD_REQUEST']);
    }
    const groups = await call('/sp/adGroups/list', { body: { maxResults: 1 }, media: mediaOf('spAdGroup') });
    const { nextToken } = (await groups.json()) as Json;
    expect(nextToken).toBeTypeOf('string');
    expect((await call('/sp/campaigns/list', { body: { nextToken }, media })).status).toBe(400);
  });
});
