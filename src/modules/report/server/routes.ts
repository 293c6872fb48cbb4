import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { factFile, factPage } from '#modules/inventory/server/index.ts';
import { feedback, searchTerms, traffic, vat } from '../contract/reports.ts';
import { feedbackList, termList, trafficList, vatList } from './lists.ts';

export const routes: AnyRoute[] = [
  serve(traffic.list, (ctx, { body }) => factPage(ctx, body, trafficList(ctx, body.filter))),
  serveOpen(traffic.export, (open, { body }) => factFile(open, body, (ctx) => trafficList(ctx, body.filter))),
  serve(feedback.list, (ctx, { body }) => factPage(ctx, body, feedbackList(ctx, body.filter))),
  serveOpen(feedback.export, (open, { body }) => factFile(open, body, (ctx) => feedbackList(ctx, body.filter))),
  serve(vat.list, (ctx, { body }) => factPage(ctx, body, vatList(ctx, body.filter))),
  serveOpen(vat.export, (open, { body }) => factFile(open, body, (ctx) => vatList(ctx, body.filter))),
  serve(searchTerms.list, (ctx, { body }) => factPage(ctx, body, termList(ctx, body.filter))),
  serveOpen(searchTerms.export, (open, { body }) => factFile(open, body, (ctx) => termList(ctx, body.filter))),
];
