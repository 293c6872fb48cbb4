import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { comparedRoutes } from '#kit/server/list/compared/index.ts';
import { factFile, factPage } from '#modules/inventory/server/index.ts';
import { countChecks, salesCheck, whyDiffers } from '../contract/check.ts';
import {
  couponProducts,
  couponSums,
  coupons,
  promotionProducts,
  promotionSums,
  promotions,
} from '../contract/promotions.ts';
import { feedback, searchTerms, traffic, trafficSums, vat } from '../contract/reports.ts';
import { searchQueries } from '../contract/search-queries.ts';
import { checkCounts, checkFile, checkPage } from './check/list.ts';
import { whyOf } from './check/why.ts';
import { feedbackList, termList, trafficList, vatList } from './lists.ts';
import { couponList, promotionList } from './promotions/lists.ts';
import { promotedProducts } from './promotions/products.ts';
import { couponSumList, promotionSumList } from './promotions/sums.ts';
import { searchQueryList } from './search-query-list.ts';
import { trafficSumList } from './traffic-sums/list.ts';

export const routes: AnyRoute[] = [
  serve(traffic.list, (ctx, { body }) => factPage(ctx, body, trafficList(ctx, body.filter))),
  serveOpen(traffic.export, (open, { body }) => factFile(open, body, (ctx) => trafficList(ctx, body.filter))),
  ...comparedRoutes(trafficSums, trafficSumList),
  serve(feedback.list, (ctx, { body }) => factPage(ctx, body, feedbackList(ctx, body.filter))),
  serveOpen(feedback.export, (open, { body }) => factFile(open, body, (ctx) => feedbackList(ctx, body.filter))),
  serve(vat.list, (ctx, { body }) => factPage(ctx, body, vatList(ctx, body.filter))),
  serveOpen(vat.export, (open, { body }) => factFile(open, body, (ctx) => vatList(ctx, body.filter))),
  serve(searchTerms.list, (ctx, { body }) => factPage(ctx, body, termList(ctx, body.filter))),
  serveOpen(searchTerms.export, (open, { body }) => factFile(open, body, (ctx) => termList(ctx, body.filter))),
  serve(coupons.list, (ctx, { body }) => factPage(ctx, body, couponList(ctx, body.filter))),
  serveOpen(coupons.export, (open, { body }) => factFile(open, body, (ctx) => couponList(ctx, body.filter))),
  ...comparedRoutes(couponSums, couponSumList),
  ...comparedRoutes(promotionSums, promotionSumList),
  serve(couponProducts, (ctx, { query }) => promotedProducts(ctx, 'coupon', query)),
  serve(promotions.list, (ctx, { body }) => factPage(ctx, body, promotionList(ctx, body.filter))),
  serveOpen(promotions.export, (open, { body }) => factFile(open, body, (ctx) => promotionList(ctx, body.filter))),
  serve(promotionProducts, (ctx, { query }) => promotedProducts(ctx, 'promotion', query)),
  serve(searchQueries.list, (ctx, { body }) => factPage(ctx, body, searchQueryList(ctx, body.filter))),
  serveOpen(searchQueries.export, (open, { body }) => factFile(open, body, (ctx) => searchQueryList(ctx, body.filter))),
  serve(salesCheck.list, (ctx, { body }) => checkPage(ctx, body)),
  serveOpen(salesCheck.export, (open, { body }) => checkFile(open, body)),
  serve(countChecks, (ctx, { body }) => checkCounts(ctx, body.filter)),
  serve(whyDiffers, (ctx, { query }) => whyOf(ctx, query)),
];
