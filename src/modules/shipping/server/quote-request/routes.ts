import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/quote-request/calls.ts';
import { quoteRequest } from '../../contract/quote-request/request.ts';
import { answer } from './answer.ts';
import { askForQuotes, extendRequest } from './ask.ts';
import { actRequest, book } from './book.ts';
import { quoteChoicesOf } from './choices.ts';
import { choose } from './choose.ts';
import { templateFile } from './columns.ts';
import { bookingOfOrder, goodsNow, requestDetail, requestRowOf } from './detail.ts';
import { importAnswers } from './import.ts';
import { exportRequests, requestCounts, requestPage } from './list.ts';
import { questionSheet } from './sheet.ts';

/** What forwarders are asked for ship orders, what they answer, and the one that gets them. */
export const quoteRequestRoutes: AnyRoute[] = [
  serve(calls.listQuoteRequests, (ctx, { body }) => requestPage(ctx, body)),
  serve(calls.countQuoteRequests, (ctx, { body }) => requestCounts(ctx, body.filter)),
  serveOpen(calls.exportQuoteRequests, (open, { body }) => exportRequests(open, body)),
  serve(calls.quoteRequestDetail, (ctx, { params }) => requestDetail(ctx, params.id)),
  serve(calls.quoteChoices, (ctx) => quoteChoicesOf(ctx)),
  serve(calls.quoteGoods, (ctx, { body }) => goodsNow(ctx, body.orderIds, body.divisor)),
  serve(calls.askQuotes, (ctx, { body }) => askForQuotes(ctx, body)),
  serve(calls.extendQuotes, (ctx, { body }) => extendRequest(ctx, body)),
  serve(calls.answerQuote, (ctx, { body }) => answer(ctx, body)),
  serveOpen(calls.importQuotes, (open, { body }) => importAnswers(open, body.write === 'yes')),
  serve(calls.quoteTemplate, async () => templateFile()),
  serveOpen(calls.quoteSheet, (open, { params, query }) => questionSheet(open, params.id, query.carrier)),
  serve(calls.chooseQuote, (ctx, { body }) => choose(ctx, body)),
  serve(calls.bookQuote, (ctx, { body }) => book(ctx, body)),
  ...Object.entries(calls.quoteSteps).map(([name, call]) =>
    serve(call, (ctx, { body }) => actRequest(ctx, name as calls.QuoteStep, body)),
  ),
  serve(calls.orderBooking, (ctx, { params }) => bookingOfOrder(ctx, params.id)),
  ...noteRoutes(calls.quoteNotes, { def: quoteRequest, find: requestRowOf }),
];
