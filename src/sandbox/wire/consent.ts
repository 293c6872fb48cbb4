import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Region, SimAccount } from '../business/types.ts';
import { type ConsentForm, cancelledPage, consentPage, messagesPage, refusalPage } from './consent-pages.ts';
import { codeLifeMs } from './lwa.ts';
import { text as one, type RawQuery } from './query.ts';
import type { AppCredential, World } from './world.ts';

/** Country of the seller's own site (as in the path) to selling region; the United Kingdom goes by both its names. */
const regionOfCountry: Record<string, Region> = {
  ...Object.fromEntries(['us', 'ca', 'mx', 'br'].map((country) => [country, 'na' as const])),
  ...Object.fromEntries(
    'uk gb de fr it es nl be ie se pl tr ae sa eg in za'.split(' ').map((country) => [country, 'eu' as const]),
  ),
  ...Object.fromEntries(['jp', 'au', 'sg'].map((country) => [country, 'fe' as const])),
};

/** What the application asked for when it sent the seller here. */
export interface ConsentRequest {
  app: AppCredential;
  region: Region;
  country: string;
  state: string;
  redirectUri: string;
}

type Checked = { ok: true; request: ConsentRequest } | { ok: false; reason: string };

/** Whether a browser may be sent there. */
export function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
}

function check(world: World, country: string, fields: RawQuery): Checked {
  const region = regionOfCountry[country.toLowerCase()];
  if (!region) return { ok: false, reason: `未知的国家 ${country} · Unknown country` };
  const applicationId = one(fields, 'application_id');
  const app = world.settings.apps.find((known) => known.applicationId === applicationId);
  if (!app) return { ok: false, reason: '应用不存在或未注册 · This application is not registered' };
  const state = one(fields, 'state');
  if (state === undefined) return { ok: false, reason: '缺少 state 参数 · The parameter "state" is missing' };
  const redirectUri = one(fields, 'redirect_uri') ?? app.loginUri;
  if (redirectUri === undefined || !isWebAddress(redirectUri)) {
    return { ok: false, reason: '回调地址无效 · The redirect address is missing or invalid' };
  }
  return { ok: true, request: { app, region, country, state, redirectUri } };
}

function formOf({ app, region, state, redirectUri }: ConsentRequest): ConsentForm {
  return {
    heading: '授权应用访问您的店铺',
    application: `${app.applicationId} to access your selling account`,
    region,
    scope: '应用将可读取您的订单、库存、商品与结算数据。',
    redirectUri,
    hidden: { application_id: app.applicationId, state, redirect_uri: redirectUri },
  };
}

/** The address the browser is sent back to after the seller agreed, with a code that works once within five minutes. */
function returnAddress(world: World, request: ConsentRequest, account: SimAccount): string {
  const now = world.throttleClock.now();
  const code = world.mint.issue({
    kind: 'code',
    expiresAt: now + codeLifeMs,
    body: {
      clientId: request.app.clientId,
      sellingPartnerId: account.sellingPartnerId,
      region: account.region,
      consentAt: now,
      redirectUri: request.redirectUri,
    },
  });
  const address = new URL(request.redirectUri);
  address.searchParams.set('state', request.state);
  address.searchParams.set('selling_partner_id', account.sellingPartnerId);
  address.searchParams.set('mws_auth_token', '');
  address.searchParams.set('spapi_oauth_code', code);
  return address.toString();
}

/** A page of the marketplace that no other page frames and that leaks no address. */
export function page(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('x-frame-options', 'DENY')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
    .type('text/html; charset=utf-8')
    .send(html);
}

interface ConsentRoute {
  Params: { country: string };
  Querystring: RawQuery;
}

/**
 * The consent page: GET shows the sellers of the country's region, POST takes the decision. Agreeing answers 302 with
 * state, selling_partner_id, mws_auth_token (always empty) and spapi_oauth_code; cancelling changes nothing and says so.
 */
export function registerConsent(server: FastifyInstance, world: World): void {
  server.get<{ Querystring: { orderId?: string; marketplaceID?: string } }>(
    '/consent/:country/messaging/contact',
    async ({ query: { orderId = '', marketplaceID = '' } }, reply) => {
      const isThere = world.business.accounts.some(
        (one) => one.marketplaceIds.includes(marketplaceID) && world.business.order(one, orderId, world.clock.now()),
      );
      return isThere
        ? page(reply, 200, messagesPage(orderId))
        : page(reply, 404, refusalPage('没有这个订单 · No such order'));
    },
  );
  const path = '/consent/:country/apps/authorize/consent';
  server.get<ConsentRoute>(path, async (request, reply) => {
    const checked = check(world, request.params.country, request.query);
    if (!checked.ok) return page(reply, 400, refusalPage(checked.reason));
    const sellers = world.business.accounts.filter((account) => account.region === checked.request.region);
    return page(reply, 200, consentPage(world, formOf(checked.request), sellers));
  });
  server.post<ConsentRoute & { Body: Record<string, string> }>(path, async (request, reply) => {
    const fields = typeof request.body === 'object' && request.body !== null ? request.body : {};
    const checked = check(world, request.params.country, fields);
    if (!checked.ok) return page(reply, 400, refusalPage(checked.reason));
    if (fields.decision !== 'agree') return page(reply, 200, cancelledPage(checked.request));
    const account = world.account(fields.selling_partner_id ?? '', checked.request.region);
    if (!account) return page(reply, 400, refusalPage('请选择卖家 · Please choose a seller'));
    return reply
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .redirect(returnAddress(world, checked.request, account), 302);
  });
}
