import type { FastifyInstance } from 'fastify';
import type { SimAdBook, SimAdTarget } from '../business/ads-types.ts';
import { ofProduct } from './ads-entities.ts';
import { type AdsRoute, answerAds, pageByIndex, scopeOf } from './ads-gate.ts';
import { exactJson, humped, small } from './ads-words.ts';
import type { World } from './world.ts';

/** Longest page. */
const PAGE = 100;

/** Audiences are expressions in an expression, products have their ASIN. */
function expressionOf({ clause, text }: SimAdTarget): object {
  if (clause !== 'VIEWS') return { type: humped(clause ?? ''), value: text };
  return { type: 'views', value: [{ type: 'similarProduct' }, { type: 'lookback', value: '30' }] };
}

interface Kind {
  path: string;
  operation: string;
  list: (book: SimAdBook) => readonly object[];
}

const KINDS: readonly Kind[] = [
  {
    path: 'campaigns',
    operation: 'listSdCampaigns',
    list: (book) =>
      book.campaigns.map(({ campaignId, name, state, budget, startDate, costType }) => ({
        campaignId: exactJson(campaignId),
        name,
        state: small(state),
        tactic: costType === 'VCPM' ? 'T00030' : 'T00020',
        budgetType: 'daily',
        budget: Number(budget),
        costType: small(costType),
        startDate: startDate.replaceAll('-', ''),
        deliveryProfile: 'as_soon_as_possible',
      })),
  },
  {
    path: 'adGroups',
    operation: 'listSdAdGroups',
    list: (book) =>
      book.adGroups.map(({ adGroupId, campaignId, name, state, defaultBid }) => ({
        adGroupId: exactJson(adGroupId),
        campaignId: exactJson(campaignId),
        name,
        state: small(state),
        defaultBid: Number(defaultBid),
        bidOptimization: 'clicks',
        creativeType: 'IMAGE',
      })),
  },
  {
    path: 'productAds',
    operation: 'listSdProductAds',
    list: (book) =>
      book.ads.map(({ adId, adGroupId, campaignId, sku, asin, state }) => ({
        adId: exactJson(adId),
        adGroupId: exactJson(adGroupId),
        campaignId: exactJson(campaignId),
        sku,
        asin,
        state: small(state),
      })),
  },
  {
    path: 'targets',
    operation: 'listSdTargets',
    list: (book) =>
      book.targets.map((target) => ({
        targetId: exactJson(target.targetId),
        adGroupId: exactJson(target.adGroupId),
        expressionType: 'manual',
        expression: [expressionOf(target)],
        resolvedExpression: [expressionOf(target)],
        state: small(target.state),
        ...(target.bid === undefined ? {} : { bid: Number(target.bid) }),
      })),
  },
  {
    path: 'negativeTargets',
    operation: 'listSdNegativeTargets',
    list: (book) =>
      book.negatives.map(({ negativeId, adGroupId, asin, state }) => ({
        targetId: exactJson(negativeId),
        adGroupId: exactJson(adGroupId ?? '0'),
        expressionType: 'manual',
        expression: [{ type: 'asinSameAs', value: asin }],
        resolvedExpression: [{ type: 'asinSameAs', value: asin }],
        state: small(state),
      })),
  },
];

/** Sponsored Display: lists by startIndex and count, without a word on what comes after; ids are numbers of 18 digits. */
export function registerAdsDisplay(server: FastifyInstance, world: World, base: string): void {
  for (const { path, operation, list } of KINDS) {
    server.get<AdsRoute>(`${base}/sd/${path}`, (request, reply) =>
      answerAds(world, operation, request, reply, (account) => {
        const book = world.business.ads(account, scopeOf(account, request), world.now());
        return { body: pageByIndex(request.query, PAGE, list(ofProduct(book, 'SD'))) };
      }),
    );
  }
}
