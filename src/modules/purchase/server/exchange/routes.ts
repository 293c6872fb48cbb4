import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import {
  countExchanges,
  createExchange,
  exchangeDetail,
  exchangeNotes,
  exchangeSteps,
  exportExchanges,
  listExchanges,
  printExchange,
  purchaseExchange,
  receiveExchange,
  terminateExchange,
} from '../../contract/exchange.ts';
import { actExchange } from './act.ts';
import { createExchange as create } from './create.ts';
import { exchangeDetail as detail, exchangeOf } from './detail.ts';
import { receiveExchange as receive, terminateExchange as terminate } from './finish.ts';
import { exchangeCounts, exchangePage, exportExchanges as exportFile } from './list.ts';
import { printExchange as print } from './print.ts';

export const exchangeRoutes: AnyRoute[] = [
  serve(listExchanges, (ctx, { body }) => exchangePage(ctx, body)),
  serve(countExchanges, (ctx, { body }) => exchangeCounts(ctx, body.filter)),
  serveOpen(exportExchanges, (open, { body }) => exportFile(open, body)),
  serve(exchangeDetail, (ctx, { params }) => detail(ctx, params.id)),
  serve(createExchange, (ctx, { body }) => create(ctx, body)),
  serve(exchangeSteps.confirm, (ctx, { body }) => actExchange(ctx, 'confirm', body)),
  serve(exchangeSteps.cancel, (ctx, { body }) => actExchange(ctx, 'cancel', body)),
  serve(receiveExchange, (ctx, { body }) => receive(ctx, body)),
  serve(terminateExchange, (ctx, { body }) => terminate(ctx, body)),
  serve(printExchange, (ctx, { params }) => print(ctx, params.id)),
  ...noteRoutes(exchangeNotes, { def: purchaseExchange, find: exchangeOf }),
];
