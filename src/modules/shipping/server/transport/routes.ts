import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { supplierChoices } from '#modules/supplier/server/index.ts';
import * as calls from '../../contract/transport/calls.ts';
import { channelChoices, detailOf } from './carrier/detail.ts';
import { carrierCounts, carrierPage, exportCarrierFile } from './carrier/list.ts';
import { saveCarrierOf } from './carrier/save.ts';
import { compare, quote } from './compare/compare.ts';
import { addCard } from './price/add.ts';
import { channelCardsOf } from './price/cards.ts';
import { cardFile, importCardFile } from './price/files.ts';

/** Carriers, their channels and price cards, and what a shipment costs by each. */
export const transportRoutes: AnyRoute[] = [
  serve(calls.listCarriers, (ctx, { body }) => carrierPage(ctx, body)),
  serve(calls.countCarriers, (ctx, { body }) => carrierCounts(ctx, body.filter)),
  serveOpen(calls.exportCarriers, (open, { body }) => exportCarrierFile(open, body)),
  serve(calls.carrierDetail, (ctx, { params }) => detailOf(ctx, params.id)),
  serve(calls.saveCarrier, (ctx, { body }) => saveCarrierOf(ctx, body)),
  serve(calls.listChannels, (ctx) => channelChoices(ctx)),
  serve(calls.carrierSuppliers, async (ctx) => (await supplierChoices(ctx)).map(({ id, name }) => ({ id, name }))),
  serve(calls.channelCards, (ctx, { params }) => channelCardsOf(ctx, params.id)),
  serve(calls.addCard, (ctx, { body: { channelId, ...card } }) => addCard(ctx, channelId, card, 'manual')),
  serveOpen(calls.importCard, (open, { body }) => importCardFile(open, body)),
  serve(calls.cardSheet, (ctx, { params, query }) => cardFile(ctx, params.id, query.version)),
  serve(calls.compareChannels, (ctx, { body }) => compare(ctx, body)),
  serve(calls.quoteChannel, (ctx, { body }) => quote(ctx, body)),
];
