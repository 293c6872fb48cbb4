import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../contract/index.ts';
import { cancelTrade, confirmTrade, payUrl, pullTrades } from './acts.ts';
import { createPlatform } from './client.ts';
import { beginConsent, buyers, finishConsent, removeBuyer } from './consent.ts';
import { linkPage, removeLink, saveLink } from './links.ts';
import { orderTrades } from './order.ts';
import { placeTrade, previewTrade, spoken } from './place.ts';
import { tradeCounts, tradePage } from './trades.ts';

const done = 'success' as const;

export const routes: AnyRoute[] = [
  serve(calls.listBuyers, (ctx) => buyers(ctx)),
  serve(calls.beginConsent, (ctx) => beginConsent(ctx)),
  serveOpen(calls.finishConsent, (open, { body }) => finishConsent(open, body)),
  serve(calls.removeBuyer, async (ctx, { body }) => {
    await removeBuyer(ctx, body.id);
    return done;
  }),
  serve(calls.listLinks, (ctx, { body }) => linkPage(ctx, body)),
  serve(calls.saveLink, (ctx, { body }) => saveLink(ctx, body)),
  serve(calls.removeLink, async (ctx, { body }) => {
    await removeLink(ctx, body.id);
    return done;
  }),
  serveOpen(calls.matchOffer, ({ runtime, principal }, { body }) =>
    spoken(createPlatform(runtime, { companyId: principal.companyId, id: body.buyerId }).offer(body.offerId)),
  ),
  serveOpen(calls.buyerAddresses, ({ runtime, principal }, { body }) =>
    spoken(createPlatform(runtime, { companyId: principal.companyId, id: body.buyerId }).addresses()),
  ),
  serveOpen(calls.previewTrade, (open, { body }) => previewTrade(open, body)),
  serveOpen(calls.placeTrade, (open, { body }) => placeTrade(open, body)),
  serve(calls.listTrades, (ctx, { body }) => tradePage(ctx, body)),
  serve(calls.countTrades, (ctx, { body }) => tradeCounts(ctx, body.filter)),
  serveOpen(calls.payUrl, (open, { body }) => payUrl(open, body.id, body)),
  serve(calls.orderTrades, (ctx, { params }) => orderTrades(ctx, params.id)),
  serveOpen(calls.cancelTrade, async (open, { body }) => {
    await cancelTrade(open, body.id);
    return done;
  }),
  serveOpen(calls.confirmTrade, async (open, { body }) => {
    await confirmTrade(open, body.id);
    return done;
  }),
  serveOpen(calls.pullTrades, (open) => pullTrades(open)),
];
