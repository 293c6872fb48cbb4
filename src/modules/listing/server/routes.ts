import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as labels from '../contract/labels.ts';
import * as locks from '../contract/locks.ts';
import * as offers from '../contract/offers.ts';
import * as requests from '../contract/requests.ts';
import { listingOffers } from '../contract/rivals.ts';
import { adjustTerms } from '../contract/terms.ts';
import * as contract from '../contract.ts';
import { listingDetail } from './detail.ts';
import { exportAll } from './export.ts';
import { labelGoodsOf } from './labels/goods.ts';
import { exportLabels, labelPage } from './labels/list.ts';
import { print, reprint } from './labels/print.ts';
import { listingCounts, listingPage } from './list.ts';
import { cancelChanges, revertChanges } from './offers/actions.ts';
import { adjust } from './offers/adjust.ts';
import { lockPrices, unlockPrices } from './offers/frozen.ts';
import { offerCounts, offerPage } from './offers/list.ts';
import { act } from './requests/act.ts';
import { requestCounts, requestPage } from './requests/list.ts';
import { priceSettingOf, putPriceSetting } from './requests/setting.ts';
import { offersOfListing } from './rivals/read.ts';
import { adjustTerms as adjustParts } from './terms/adjust.ts';

export const routes: AnyRoute[] = [
  serve(contract.listListings, (ctx, { body }) => listingPage(ctx, body)),
  serve(contract.countListings, (ctx, { body }) => listingCounts(ctx, body.filter)),
  serveOpen(contract.exportListings, (open, { body }) => exportAll(open, body)),
  serve(contract.listingDetail, (ctx, { params }) => listingDetail(ctx, params.id)),
  serve(offers.adjustOffers, (ctx, { body: { changes, reason, confirmed } }) =>
    adjust(ctx, changes, { reason: reason ?? '', confirmed }),
  ),
  serve(adjustTerms, (ctx, { body }) => adjustParts(ctx, { ...body, reason: body.reason ?? '' })),
  serve(requests.listPriceRequests, (ctx, { body }) => requestPage(ctx, body)),
  serve(requests.countPriceRequests, (ctx, { body }) => requestCounts(ctx, body.filter)),
  serve(requests.approvePrice, (ctx, { body }) => act(ctx, 'approve', body)),
  serve(requests.rejectPrice, (ctx, { body }) => act(ctx, 'reject', body)),
  serve(requests.withdrawPrice, (ctx, { body }) => act(ctx, 'withdraw', body)),
  serve(requests.priceSetting, (ctx) => priceSettingOf(ctx)),
  serve(requests.savePriceSetting, (ctx, { body }) => putPriceSetting(ctx, body)),
  serve(offers.listOfferChanges, (ctx, { body }) => offerPage(ctx, body)),
  serve(offers.countOfferChanges, (ctx, { body }) => offerCounts(ctx, body.filter)),
  serve(offers.cancelOffers, (ctx, { body }) => cancelChanges(ctx, body.ids)),
  serve(offers.revertOffers, (ctx, { body }) => revertChanges(ctx, body.ids)),
  serve(locks.lockPrices, (ctx, { body }) => lockPrices(ctx, body)),
  serve(locks.unlockPrices, (ctx, { body }) => unlockPrices(ctx, body.ids)),
  serve(listingOffers, (ctx, { params, query }) => offersOfListing(ctx, params.id, Number(query.days))),
  serve(labels.labelGoods, (ctx, { body }) => labelGoodsOf(ctx, body)),
  serve(labels.printLabels, (ctx, { body }) => print(ctx, body)),
  serve(labels.reprintLabels, (ctx, { body }) => reprint(ctx, body)),
  serve(labels.listLabelPrints, (ctx, { body }) => labelPage(ctx, body)),
  serveOpen(labels.exportLabelPrints, (open, { body }) => exportLabels(open, body)),
];
