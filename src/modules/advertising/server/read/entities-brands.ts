import { z } from 'zod';
import type { AdsApi } from '#modules/marketplace/server/index.ts';
import { capitals, type Structure, type TargetFact } from './facts.ts';
import { parseLossless } from './lossless.ts';
import { byIndex, byToken, decimal, text } from './paged.ts';

const Campaign = z.object({
  campaignId: text,
  name: z.string(),
  state: z.string(),
  budget: decimal,
  costType: z.string().nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  portfolioId: text.nullish(),
  extendedData: z.object({ servingStatus: z.string().nullish() }).nullish(),
});
const AdGroup = z.object({ adGroupId: text, campaignId: text, name: z.string(), state: z.string() });
const Asins = z.object({ asins: z.array(z.string()).nullish() }).nullish();
const Ad = z.object({
  adId: text,
  adGroupId: text,
  campaignId: text,
  name: z.string().nullish(),
  state: z.string(),
  creative: Asins,
  landingPage: Asins,
});
const owner = { adGroupId: text.nullish(), campaignId: text, state: z.string(), bid: decimal };
const Keyword = z.object({ keywordId: text, keywordText: z.string(), matchType: z.string(), ...owner });
const Expressions = z.array(z.object({ type: z.string(), value: z.string().nullish() }));
const Clause = z.object({ targetId: text, expressions: Expressions, ...owner });

function keywordFact(negative: boolean) {
  return (row: z.infer<typeof Keyword>): TargetFact => ({
    targetId: row.keywordId,
    campaignId: row.campaignId,
    adGroupId: row.adGroupId ?? '',
    negative,
    matchType: capitals(row.matchType),
    text: row.keywordText,
    state: capitals(row.state),
    bid: row.bid ?? null,
  });
}

function clauseFact(negative: boolean) {
  return (row: z.infer<typeof Clause>): TargetFact => ({
    targetId: row.targetId,
    campaignId: row.campaignId,
    adGroupId: row.adGroupId ?? '',
    negative,
    matchType: row.expressions.map((one) => capitals(one.type)).join('+'),
    text: row.expressions.flatMap((one) => one.value ?? []).join(' '),
    state: capitals(row.state),
    bid: row.bid ?? null,
  });
}

const media = (name: string): string => `application/vnd.${name}+json`;

/**
 * Reads what is set up in a profile for Sponsored Brands: campaigns, groups and ads of version 4, keywords and targets
 * of version 3, which writes ids as numbers. @throws ZodError for an answer of another shape
 */
export async function readBrands(api: AdsApi, profileId: string): Promise<Structure> {
  const fourth = <T>(path: string, name: string, row: z.ZodType<T>) =>
    byToken(api, { path: `/sb/v4/${path}/list`, key: path, mediaType: media(name), profileId }, row);
  const keywords = (path: string, name: string) =>
    byIndex(api, { path: `/sb/${path}`, accept: media(name), parse: parseLossless, profileId }, Keyword);
  const clauses = (path: string, name: string) =>
    byToken(api, { path: `/sb/${path}/list`, key: path, accept: media(name), parse: parseLossless, profileId }, Clause);
  const campaigns = await fourth('campaigns', 'sbcampaignresource.v4', Campaign);
  const adGroups = await fourth('adGroups', 'sbadgroupresource.v4', AdGroup);
  const ads = await fourth('ads', 'sbadresource.v4', Ad);
  const targets = [
    ...(await keywords('keywords', 'sbkeyword.v3.2')).map(keywordFact(false)),
    ...(await clauses('targets', 'sblisttargetsresponse.v3.2')).map(clauseFact(false)),
    ...(await keywords('negativeKeywords', 'sbnegativekeyword.v3.2')).map(keywordFact(true)),
    ...(await clauses('negativeTargets', 'sblistnegativetargetsresponse.v3.2')).map(clauseFact(true)),
  ];
  return {
    product: 'SB',
    campaigns: campaigns.map((one) => ({
      campaignId: one.campaignId,
      name: one.name,
      state: capitals(one.state),
      targeting: 'MANUAL',
      costType: one.costType === 'VCPM' ? 'VCPM' : 'CPC',
      budget: one.budget ?? null,
      strategy: '',
      ...{ topPercent: 0, restPercent: 0, pagePercent: 0 },
      startDate: one.startDate ?? null,
      endDate: one.endDate ?? null,
      portfolioId: one.portfolioId ?? '',
      servingStatus: one.extendedData?.servingStatus ?? '',
    })),
    // Their bids stand at the targets.
    adGroups: adGroups.map((one) => ({ ...one, state: capitals(one.state), defaultBid: null })),
    ads: ads.map(({ adId, adGroupId, campaignId, name, state, creative, landingPage }) => {
      const asins = creative?.asins?.length ? creative.asins : (landingPage?.asins ?? []);
      const own = { adId, adGroupId, campaignId, name: name ?? '', asins };
      return { ...own, sku: '', asin: asins[0] ?? '', state: capitals(state) };
    }),
    targets,
  };
}
