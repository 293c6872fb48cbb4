import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { reasons, shareReturns } from '../contract/reasons.ts';
import * as receipts from '../contract/receipts.ts';
import { countReconciled, reconciled } from '../contract/reconcile.ts';
import * as removals from '../contract/removals.ts';
import { attribute, returns } from '../contract/returns.ts';
import { skuReturns } from '../contract/skus.ts';
import { attributeReturns } from './attribute.ts';
import { exportIncoming, incomingCounts, incomingPage, parcelRows } from './incoming.ts';
import { exportReturns, returnPage } from './list.ts';
import { exportReasons, reasonPage, returnShares } from './reasons.ts';
import { receiptRows } from './receipts.ts';
import { cancel, places, receive, settle } from './receive.ts';
import { exportReconciled, reconcileCounts, reconcilePage } from './reconcile.ts';
import { addressesOf, createRemoval } from './removal/create.ts';
import { exportRequests, requestPage } from './removal/list.ts';
import { resubmit } from './removal/send.ts';
import { goodsOf } from './removal/stock.ts';
import { exportSkus, skuPage } from './skus.ts';

export const routes: AnyRoute[] = [
  serve(returns.list, (ctx, { body }) => returnPage(ctx, body)),
  serveOpen(returns.export, (open, { body }) => exportReturns(open, body)),
  serve(attribute, (ctx, { body }) => attributeReturns(ctx, body)),
  serve(skuReturns.list, (ctx, { body }) => skuPage(ctx, body)),
  serveOpen(skuReturns.export, (open, { body }) => exportSkus(open, body)),
  serve(reasons.list, (ctx, { body }) => reasonPage(ctx, body)),
  serveOpen(reasons.export, (open, { body }) => exportReasons(open, body)),
  serve(shareReturns, (ctx, { body }) => returnShares(ctx, body.filter)),
  serve(reconciled.list, (ctx, { body }) => reconcilePage(ctx, body)),
  serveOpen(reconciled.export, (open, { body }) => exportReconciled(open, body)),
  serve(countReconciled, (ctx, { body }) => reconcileCounts(ctx, body.filter)),
  serve(receipts.incoming.list, (ctx, { body }) => incomingPage(ctx, body)),
  serveOpen(receipts.incoming.export, (open, { body }) => exportIncoming(open, body)),
  serve(receipts.countIncoming, (ctx, { body }) => incomingCounts(ctx, body.filter)),
  serve(receipts.parcelsOf, (ctx, { query }) => parcelRows(ctx, query.orderId)),
  serve(receipts.receiptsOf, (ctx, { query }) => receiptRows(ctx, query.id)),
  serve(receipts.receiptPlaces, (ctx) => places(ctx)),
  serve(receipts.receiveIncoming, (ctx, { body }) => receive(ctx, body)),
  serve(receipts.settleIncoming, (ctx, { body }) => settle(ctx, body)),
  serve(receipts.cancelReceipt, (ctx, { body }) => cancel(ctx, body)),
  serve(removals.requests.list, (ctx, { body }) => requestPage(ctx, body)),
  serveOpen(removals.requests.export, (open, { body }) => exportRequests(open, body)),
  serve(removals.removalGoods, (ctx, { body }) => goodsOf(ctx, body)),
  serve(removals.removalAddresses, (ctx, { body }) => addressesOf(ctx, body.site)),
  serve(removals.createRemoval, (ctx, { body }) => createRemoval(ctx, body)),
  serve(removals.resubmitRemoval, (ctx, { body }) => resubmit(ctx, body)),
];
