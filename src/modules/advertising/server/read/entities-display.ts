import { z } from 'zod';
import type { AdsApi } from '#modules/marketplace/server/index.ts';
import { capitals, type Structure, type TargetFact } from './facts.ts';
import { parseLossless } from './lossless.ts';
import { byIndex, decimal, text } from './paged.ts';

const Campaign = z.object({
  campaignId: text,
  name: z.string(),
  state: z.string(),
  budget: decimal,
  costType: z.string().nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  portfolioId: text.nullish(),
});
const AdGroup = z.object({
  adGroupId: text,
  campaignId: text,
  name: z.string(),
  state: z.string(),
  defaultBid: decimal,
});
const ProductAd = z.object({
  adId: text,
  adGroupId: text,
  campaignId: text,
  sku: z.string().nullish(),
  asin: z.string().nullish(),
  state: z.string(),
});
const Value = z.union([z.string(), z.array(z.object({ type: z.string(), value: z.string().nullish() }))]);
const Clause = z.object({
  targetId: text,
  adGroupId: text,
  expression: z.array(z.object({ type: z.string(), value: Value.nullish() })),
  state: z.string(),
  bid: decimal,
});
type Clause = z.infer<typeof Clause>;

/** "20260131" as 2026-01-31. */
function dayOf(text: string | null | undefined): string | null {
  const parts = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text ?? '');
  return parts ? parts.slice(1).join('-') : null;
}

/** The words of an audience stand in an expression within: what it is like, and how many days back. */
function wordsOf({ expression }: Clause): { matchType: string; text: string } {
  const texts = expression.flatMap(({ value }) => {
    if (!Array.isArray(value)) return value ?? [];
    return value.map((one) => (one.value ? `${one.type}=${one.value}` : one.type));
  });
  return { matchType: expression.map(({ type }) => capitals(type)).join('+'), text: texts.join(' ') };
}

/**
 * Reads what is set up in a profile for Sponsored Display, whose lists write ids as numbers and states in small letters.
 * @throws ZodError for an answer of another shape
 */
export async function readDisplay(api: AdsApi, profileId: string): Promise<Structure> {
  const read = <T>(path: string, row: z.ZodType<T>) =>
    byIndex(api, { path: `/sd/${path}`, parse: parseLossless, profileId }, row);
  const campaigns = await read('campaigns', Campaign);
  const adGroups = await read('adGroups', AdGroup);
  const ads = await read('productAds', ProductAd);
  const campaignOf = new Map(adGroups.map((one) => [one.adGroupId, one.campaignId]));
  const targetFact = (negative: boolean) => {
    return (row: Clause): TargetFact => ({
      targetId: row.targetId,
      // A target names its group only.
      campaignId: campaignOf.get(row.adGroupId) ?? '',
      adGroupId: row.adGroupId,
      negative,
      ...wordsOf(row),
      state: capitals(row.state),
      bid: row.bid ?? null,
    });
  };
  return {
    product: 'SD',
    campaigns: campaigns.map((one) => ({
      campaignId: one.campaignId,
      name: one.name,
      state: capitals(one.state),
      targeting: 'MANUAL',
      costType: one.costType?.toUpperCase() === 'VCPM' ? 'VCPM' : 'CPC',
      budget: one.budget ?? null,
      strategy: '',
      ...{ topPercent: 0, restPercent: 0, pagePercent: 0 },
      startDate: dayOf(one.startDate),
      endDate: dayOf(one.endDate),
      portfolioId: one.portfolioId ?? '',
      servingStatus: '',
    })),
    adGroups: adGroups.map((one) => ({ ...one, state: capitals(one.state), defaultBid: one.defaultBid ?? null })),
    ads: ads.map(({ adId, adGroupId, campaignId, sku, asin, state }) => ({
      ...{ adId, adGroupId, campaignId, name: '', sku: sku ?? '', asin: asin ?? '' },
      asins: asin ? [asin] : [],
      state: capitals(state),
    })),
    targets: [
      ...(await read('targets', Clause)).map(targetFact(false)),
      ...(await read('negativeTargets', Clause)).map(targetFact(true)),
    ],
  };
}
