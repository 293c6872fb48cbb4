import { z } from 'zod';
import type { AdsApi } from '#modules/marketplace/server/index.ts';
import type { AdFact, AdGroupFact, CampaignFact, Structure, TargetFact } from './facts.ts';

const PAGE = 1000;
/** Far more than any profile holds; whoever answers with more pages goes in circles. */
const MAX_PAGES = 1000;

const text = z.union([z.string(), z.number()]).transform(String);
const decimal = z.number().nullish();

const Campaign = z.object({
  campaignId: text,
  name: z.string(),
  targetingType: z.string(),
  state: z.string(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  portfolioId: text.nullish(),
  budget: z.object({ budget: decimal, budgetType: z.string().nullish() }).nullish(),
  dynamicBidding: z
    .object({
      strategy: z.string().nullish(),
      placementBidding: z.array(z.object({ placement: z.string(), percentage: z.number() })).nullish(),
    })
    .nullish(),
  extendedData: z.object({ servingStatus: z.string().nullish() }).nullish(),
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
const Keyword = z.object({
  keywordId: text,
  adGroupId: text.nullish(),
  campaignId: text,
  keywordText: z.string(),
  matchType: z.string(),
  state: z.string(),
  bid: decimal,
});
const Clause = z.object({
  targetId: text,
  adGroupId: text.nullish(),
  campaignId: text,
  expression: z.array(z.object({ type: z.string(), value: z.string().nullish() })),
  state: z.string(),
  bid: decimal,
});

interface Kind<T> {
  /** Below /sp. */
  path: string;
  /** "spCampaign" of application/vnd.spCampaign.v3+json. */
  media: string;
  /** Where the answer has its rows; the path where left out. */
  key?: string;
  row: z.ZodType<T>;
}

async function all<T>(api: AdsApi, profileId: string, kind: Kind<T>): Promise<T[]> {
  const { path, media, key = path, row } = kind;
  const answer = z.object({ [key]: z.array(row), nextToken: z.string().nullish() });
  const rows: T[] = [];
  let nextToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const body = await api.call<unknown>({
      operation: `list ${path}`,
      method: 'POST',
      path: `/sp/${path}/list`,
      profileId,
      mediaType: `application/vnd.${media}.v3+json`,
      body: { maxResults: PAGE, ...(nextToken === undefined ? {} : { nextToken }) },
    });
    const parsed = answer.parse(body) as unknown as { nextToken?: string | null } & Record<string, T[]>;
    rows.push(...(parsed[key] ?? []));
    nextToken = parsed.nextToken ?? undefined;
    if (nextToken === undefined) return rows;
  }
  throw new Error(`/sp/${path}/list 分页没有结束`);
}

function campaignFact(row: z.infer<typeof Campaign>): CampaignFact {
  const percent = (placement: string): number =>
    row.dynamicBidding?.placementBidding?.find((bid) => bid.placement === placement)?.percentage ?? 0;
  return {
    campaignId: row.campaignId,
    name: row.name,
    state: row.state,
    targeting: row.targetingType,
    costType: 'CPC',
    budget: row.budget?.budget ?? null,
    strategy: row.dynamicBidding?.strategy ?? '',
    topPercent: percent('PLACEMENT_TOP'),
    restPercent: percent('PLACEMENT_REST_OF_SEARCH'),
    pagePercent: percent('PLACEMENT_PRODUCT_PAGE'),
    startDate: row.startDate ?? null,
    endDate: row.endDate ?? null,
    portfolioId: row.portfolioId ?? '',
    servingStatus: row.extendedData?.servingStatus ?? '',
  };
}

const groupFact = (row: z.infer<typeof AdGroup>): AdGroupFact => ({ ...row, defaultBid: row.defaultBid ?? null });

function adFact({ sku, asin, ...row }: z.infer<typeof ProductAd>): AdFact {
  return { ...row, name: '', sku: sku ?? '', asin: asin ?? '', asins: asin ? [asin] : [] };
}

function keywordFact(negative: boolean) {
  return (row: z.infer<typeof Keyword>): TargetFact => ({
    targetId: row.keywordId,
    campaignId: row.campaignId,
    adGroupId: row.adGroupId ?? '',
    negative,
    matchType: row.matchType,
    text: row.keywordText,
    state: row.state,
    bid: row.bid ?? null,
  });
}

function clauseFact(negative: boolean) {
  return (row: z.infer<typeof Clause>): TargetFact => ({
    targetId: row.targetId,
    campaignId: row.campaignId,
    adGroupId: row.adGroupId ?? '',
    negative,
    matchType: row.expression.map((one) => one.type).join('+'),
    text: row.expression.flatMap((one) => one.value ?? []).join(' '),
    state: row.state,
    bid: row.bid ?? null,
  });
}

/**
 * Reads what is set up in a profile for Sponsored Products, page by page.
 * @throws ZodError for an answer of another shape
 */
export async function readStructure(api: AdsApi, profileId: string): Promise<Structure> {
  const read = <T>(path: string, media: string, row: z.ZodType<T>, key = path) =>
    all(api, profileId, { path, media, key, row });
  const campaigns = (await read('campaigns', 'spCampaign', Campaign)).map(campaignFact);
  const adGroups = (await read('adGroups', 'spAdGroup', AdGroup)).map(groupFact);
  const ads = (await read('productAds', 'spProductAd', ProductAd)).map(adFact);
  const keywords = await read('keywords', 'spKeyword', Keyword);
  const clauses = await read('targets', 'spTargetingClause', Clause, 'targetingClauses');
  const negativeKeywords = [
    ...(await read('negativeKeywords', 'spNegativeKeyword', Keyword)),
    ...(await read('campaignNegativeKeywords', 'spCampaignNegativeKeyword', Keyword)),
  ];
  const negativeClauses = [
    ...(await read('negativeTargets', 'spNegativeTargetingClause', Clause, 'negativeTargetingClauses')),
    ...(await read(
      'campaignNegativeTargets',
      'spCampaignNegativeTargetingClause',
      Clause,
      'campaignNegativeTargetingClauses',
    )),
  ];
  const targets = [
    ...keywords.map(keywordFact(false)),
    ...clauses.map(clauseFact(false)),
    ...negativeKeywords.map(keywordFact(true)),
    ...negativeClauses.map(clauseFact(true)),
  ];
  return { product: 'SP', campaigns, adGroups, ads, targets };
}
