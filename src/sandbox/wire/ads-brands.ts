import type { FastifyInstance } from 'fastify';
import type { SimAdBook, SimAdCampaign, SimAdNegative, SimAdTarget, SimProductAd } from '../business/ads-types.ts';
import { ofProduct } from './ads-entities.ts';
import { type AdsRequest, type AdsRoute, answerAds, bad, pageByIndex, pageByToken, scopeOf } from './ads-gate.ts';
import { exactJson, humped, small } from './ads-words.ts';
import type { World } from './world.ts';

/** Longest pages of the fourth version, and of the third. */
const PAGE = 100;

function campaignShape({ campaignId, name, state, budget, startDate, costType, createdAt }: SimAdCampaign): object {
  return {
    campaignId,
    name,
    state,
    budget: Number(budget),
    budgetType: 'DAILY',
    startDate,
    costType,
    goal: 'PAGE_VISIT',
    isMultiAdGroupsEnabled: true,
    bidding: { bidOptimization: true },
    extendedData: {
      servingStatus: state === 'ENABLED' ? 'CAMPAIGN_STATUS_ENABLED' : 'CAMPAIGN_PAUSED',
      creationDate: createdAt,
      lastUpdateDate: createdAt,
    },
  };
}

function adShape({ adId, adGroupId, campaignId, name, asins, state }: SimProductAd): object {
  const [brandName = ''] = name.split(' ');
  return {
    ...{ adId, adGroupId, campaignId, name, state },
    landingPage: { pageType: 'PRODUCT_LIST', asins },
    creative: { type: asins.length > 1 ? 'PRODUCT_COLLECTION' : 'VIDEO', asins, brandName, headline: name },
  };
}

interface Kind {
  path: string;
  operation: string;
  media: string;
  list: (book: SimAdBook) => readonly object[];
}

/** Version 4: POST with pages by nextToken, ids as texts. */
const FOURTH: readonly Kind[] = [
  {
    ...{ path: 'campaigns', operation: 'listSbCampaigns', media: 'sbcampaignresource' },
    list: (book) => book.campaigns.map(campaignShape),
  },
  {
    ...{ path: 'adGroups', operation: 'listSbAdGroups', media: 'sbadgroupresource' },
    list: (book) =>
      book.adGroups.map(({ adGroupId, campaignId, name, state }) => ({ adGroupId, campaignId, name, state })),
  },
  { ...{ path: 'ads', operation: 'listSbAds', media: 'sbadresource' }, list: (book) => book.ads.map(adShape) },
];

const ids = (one: { adGroupId?: string; campaignId: string }): object => ({
  adGroupId: exactJson(one.adGroupId ?? '0'),
  campaignId: exactJson(one.campaignId),
});

const keyword = (target: SimAdTarget): object => ({
  keywordId: exactJson(target.targetId),
  ...ids(target),
  keywordText: target.text,
  matchType: humped(target.match ?? ''),
  state: small(target.state),
  ...(target.bid === undefined ? {} : { bid: Number(target.bid) }),
});

const negativeKeyword = (one: SimAdNegative): object => ({
  keywordId: exactJson(one.negativeId),
  ...ids(one),
  keywordText: one.text,
  matchType: humped(one.match ?? ''),
  state: small(one.state),
});

const clause = (target: SimAdTarget): object => ({
  targetId: exactJson(target.targetId),
  ...ids(target),
  expressions: [{ type: humped(target.clause ?? ''), value: target.text }],
  resolvedExpressions: [{ type: humped(target.clause ?? ''), value: target.text }],
  state: small(target.state),
  ...(target.bid === undefined ? {} : { bid: Number(target.bid) }),
});

const negativeClause = (one: SimAdNegative): object => ({
  targetId: exactJson(one.negativeId),
  ...ids(one),
  expressions: [{ type: 'asinSameAs', value: one.asin }],
  state: small(one.state),
});

/** Version 3: keywords by GET with startIndex, targets by POST with nextToken; ids are numbers of 18 digits. */
const KEYWORDS: readonly Kind[] = [
  {
    ...{ path: 'keywords', operation: 'listSbKeywords', media: 'application/vnd.sbkeyword.v3.2+json' },
    list: (book) => book.targets.filter(({ match }) => match !== undefined).map(keyword),
  },
  {
    path: 'negativeKeywords',
    operation: 'listSbNegativeKeywords',
    media: 'application/vnd.sbnegativekeyword.v3.2+json',
    list: (book) => book.negatives.filter(({ text }) => text !== undefined).map(negativeKeyword),
  },
];
const TARGETS: readonly Kind[] = [
  {
    ...{ path: 'targets', operation: 'listSbTargets', media: 'application/vnd.sblisttargetsresponse.v3.2+json' },
    list: (book) => book.targets.filter((one) => one.clause !== undefined).map(clause),
  },
  {
    path: 'negativeTargets',
    operation: 'listSbNegativeTargets',
    media: 'application/vnd.sblistnegativetargetsresponse.v3.2+json',
    list: (book) => book.negatives.filter(({ asin }) => asin !== undefined).map(negativeClause),
  },
];

/** Sponsored Brands: campaigns, groups and ads of version 4, keywords and targets of version 3. */
export function registerAdsBrands(server: FastifyInstance, world: World, base: string): void {
  const bookOf = (request: AdsRequest, account: Parameters<typeof scopeOf>[0]): SimAdBook =>
    ofProduct(world.business.ads(account, scopeOf(account, request), world.now()), 'SB');
  for (const { path, operation, media, list } of FOURTH) {
    const type = `application/vnd.${media}.v4+json`;
    server.post<AdsRoute>(`${base}/sb/v4/${path}/list`, (request, reply) =>
      answerAds(world, operation, request, reply, (account) => {
        const given = [request.headers['content-type'], request.headers.accept].map((one) => one?.split(';')[0]);
        if (given.some((one) => one !== type)) throw bad(415, `${type} is expected`);
        const page = pageByToken(world, operation, scopeOf(account, request), request.body, PAGE, () =>
          list(bookOf(request, account)),
        );
        const { rows, total, nextToken } = page;
        return { type, body: { [path]: rows, totalResults: total, ...(nextToken ? { nextToken } : {}) } };
      }),
    );
  }
  for (const { path, operation, media, list } of KEYWORDS) {
    server.get<AdsRoute>(`${base}/sb/${path}`, (request, reply) =>
      answerAds(world, operation, request, reply, (account) => {
        if (request.headers.accept !== media) throw bad(406, `accept: ${media} is expected`);
        return { type: media, body: pageByIndex(request.query, PAGE, list(bookOf(request, account))) };
      }),
    );
  }
  for (const { path, operation, media, list } of TARGETS) {
    server.post<AdsRoute>(`${base}/sb/${path}/list`, (request, reply) =>
      answerAds(world, operation, request, reply, (account) => {
        if (request.headers.accept !== media) throw bad(406, `accept: ${media} is expected`);
        const { rows, nextToken } = pageByToken(world, operation, scopeOf(account, request), request.body, PAGE, () =>
          list(bookOf(request, account)),
        );
        return { type: media, body: { [path]: rows, ...(nextToken ? { nextToken } : {}) } };
      }),
    );
  }
}
