import Fastify, { type FastifyInstance } from 'fastify';
import { registerAlibaba } from '../alibaba/index.ts';
import { registerAds } from './ads.ts';
import { registerAdsConsent } from './ads-consent.ts';
import { aplusOperations } from './aplus/operations.ts';
import { registerAplusMedia, uploadOperations } from './aplus/uploads.ts';
import { applicationOperations } from './applications.ts';
import { hang, htmlError } from './breakage.ts';
import { catalogOperations } from './catalogue/catalog-items.ts';
import { definitionOperations, registerSchemas } from './catalogue/definitions.ts';
import { restrictionOperations } from './catalogue/restrictions.ts';
import { submitOperations } from './catalogue/submit.ts';
import { registerConsent } from './consent.ts';
import { registerControl } from './control.ts';
import { registerDocuments } from './documents.ts';
import { feedOperations, registerFeedDocuments } from './feed-desk.ts';
import { financeGroupOperations } from './finance-groups.ts';
import { financeOperations } from './finances.ts';
import { registerGateway } from './gateway.ts';
import { registerImages } from './images.ts';
import { registerInboundDocuments } from './inbound/documents.ts';
import { inboundOperations } from './inbound/operations.ts';
import { inventoryOperations } from './inventory.ts';
import { listingOperations } from './listings.ts';
import { exchangeToken, type TokenForm } from './lwa.ts';
import { merchantOperations } from './merchant/operations.ts';
import { notificationOperations } from './notifications.ts';
import { orderOperations } from './orders.ts';
import { outboundOperations } from './outbound/operations.ts';
import { pricingOperations } from './pricing.ts';
import { registerQueue } from './queue.ts';
import { registerRates } from './rates.ts';
import { reportOperations } from './reports.ts';
import { salesOperations } from './sales.ts';
import { sellerOperations } from './sellers.ts';
import { shipmentOperations } from './shipments.ts';
import { solicitationOperations } from './solicitations.ts';
import { registerWechat } from './wechat.ts';
import type { World } from './world.ts';

/** Every simulated operation of the selling-partner API. */
export const operations = [
  ...sellerOperations,
  ...orderOperations,
  ...shipmentOperations,
  ...solicitationOperations,
  ...reportOperations,
  ...inventoryOperations,
  ...listingOperations,
  ...submitOperations,
  ...restrictionOperations,
  ...catalogOperations,
  ...definitionOperations,
  ...aplusOperations,
  ...uploadOperations,
  ...pricingOperations,
  ...feedOperations,
  ...financeOperations,
  ...financeGroupOperations,
  ...salesOperations,
  ...notificationOperations,
  ...applicationOperations,
  ...inboundOperations,
  ...merchantOperations,
  ...outboundOperations,
];

function parseForms(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

/** A call without a body may name a type of one all the same, as the official SDK does when it calls something back. */
function parseJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'ignore');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body as string, done);
  });
}

/** POST /lwa/auth/o2/token; only forms, as the real endpoint. */
function registerTokens(server: FastifyInstance, world: World): void {
  server.post<{ Body: unknown }>('/lwa/auth/o2/token', async (request, reply) => {
    const target = { operation: 'token', path: request.url };
    const timeout = world.faults.strike('timeoutBefore', target);
    if (timeout) return hang(reply, timeout.ms);
    const broken = world.faults.strike('serverError', target);
    if (broken) return htmlError(reply, broken.status ?? 503);
    const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
    const form: TokenForm = isForm && typeof request.body === 'object' ? { ...request.body } : {};
    const { status, body } = exchangeToken(world, form);
    const late = world.faults.strike('timeoutAfter', target);
    if (late) return hang(reply, late.ms);
    return reply.code(status).header('cache-control', 'no-store').send(body);
  });
}

/** The sandbox as a server that does not listen yet. */
export function buildServer(world: World): FastifyInstance {
  const server = Fastify({
    logger: false,
    forceCloseConnections: true,
    // Five thousand boxes and what is in them fit.
    bodyLimit: 8 * 1024 * 1024,
    routerOptions: { maxParamLength: 500 },
  });
  parseForms(server);
  parseJson(server);
  server.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    const message = error instanceof Error ? error.message : String(error);
    const code = status < 500 ? 'InvalidInput' : 'InternalFailure';
    return reply.code(status).send({ errors: [{ code, message, details: '' }] });
  });
  registerTokens(server, world);
  registerConsent(server, world);
  registerAdsConsent(server, world);
  registerAds(server, world);
  registerGateway(server, world, operations);
  registerDocuments(server, world);
  registerFeedDocuments(server, world);
  registerInboundDocuments(server, world);
  registerSchemas(server, world);
  registerImages(server);
  registerAplusMedia(server, world);
  registerControl(server, world);
  registerQueue(server, world);
  registerWechat(server);
  registerAlibaba(server);
  registerRates(server, world);
  return server;
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' && status >= 400 ? status : 500;
}
