import type { FastifyInstance } from 'fastify';
import type { Region, SimAccount } from '../business/types.ts';
import { isWebAddress, page } from './consent.ts';
import { type ConsentForm, cancelledPage, consentPage, refusalPage } from './consent-pages.ts';
import { codeLifeMs } from './lwa.ts';
import { text as one, type RawQuery } from './query.ts';
import type { AppCredential, World } from './world.ts';

const SCOPE = 'advertising::campaign_management';
const PATH = '/ads-consent/:region(na|eu|fe)/ap/oa';

interface AdsConsentRequest {
  app: AppCredential;
  region: Region;
  state: string;
  redirectUri: string;
}

type Checked = { ok: true; request: AdsConsentRequest } | { ok: false; reason: string };

/** The request as the general authorisation page takes it: client_id, scope, response_type=code, redirect_uri, state. */
function check(world: World, region: Region, fields: RawQuery): Checked {
  const app = world.appByClientId(one(fields, 'client_id') ?? '');
  if (!app) return { ok: false, reason: '应用不存在或未注册 · Unknown client_id' };
  if (one(fields, 'response_type') !== 'code') return { ok: false, reason: 'response_type 必须为 code' };
  if (one(fields, 'scope') !== SCOPE) return { ok: false, reason: `scope 必须为 ${SCOPE}` };
  const redirectUri = one(fields, 'redirect_uri');
  if (redirectUri === undefined || !isWebAddress(redirectUri)) {
    return { ok: false, reason: '回调地址无效 · The redirect address is missing or invalid' };
  }
  // Optional for the real page too: whoever leaves it out has nothing to recognise the answer by.
  return { ok: true, request: { app, region, state: one(fields, 'state') ?? '', redirectUri } };
}

function formOf({ app, region, state, redirectUri }: AdsConsentRequest): ConsentForm {
  return {
    heading: '授权应用管理您的广告',
    application: `${app.clientId} to manage your campaigns`,
    region,
    scope: '应用将可读取与管理您的广告活动与广告报告。',
    redirectUri,
    hidden: { client_id: app.clientId, scope: SCOPE, response_type: 'code', state, redirect_uri: redirectUri },
  };
}

/** Back to the application with code, scope and state; the code works once within five minutes. */
function returnAddress(world: World, request: AdsConsentRequest, account: SimAccount): string {
  const now = world.throttleClock.now();
  const { sellingPartnerId, region } = account;
  const code = world.mint.issue({
    kind: 'adsCode',
    expiresAt: now + codeLifeMs,
    body: {
      clientId: request.app.clientId,
      sellingPartnerId,
      region,
      consentAt: now,
      redirectUri: request.redirectUri,
    },
  });
  const address = new URL(request.redirectUri);
  address.searchParams.set('code', code);
  address.searchParams.set('scope', SCOPE);
  address.searchParams.set('state', request.state);
  return address.toString();
}

interface Route {
  Params: { region: Region };
  Querystring: RawQuery;
}

/**
 * The consent page for advertising, one per region. Agreeing answers 302 with code, scope and state; declining sends the
 * browser back with error=access_denied, as the general page does, unlike the sellers' own.
 */
export function registerAdsConsent(server: FastifyInstance, world: World): void {
  server.get<Route>(PATH, async (request, reply) => {
    const checked = check(world, request.params.region, request.query);
    if (!checked.ok) return page(reply, 400, refusalPage(checked.reason));
    const sellers = world.business.accounts.filter((account) => account.region === checked.request.region);
    return page(reply, 200, consentPage(world, formOf(checked.request), sellers));
  });
  server.post<Route & { Body: Record<string, string> }>(PATH, async (request, reply) => {
    const fields = typeof request.body === 'object' && request.body !== null ? request.body : {};
    const checked = check(world, request.params.region, fields);
    if (!checked.ok) return page(reply, 400, refusalPage(checked.reason));
    const { redirectUri, state, region } = checked.request;
    reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-store');
    if (fields.decision !== 'agree') {
      if (!state) return page(reply, 200, cancelledPage({ redirectUri }));
      const back = new URL(redirectUri);
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'Access not permitted.');
      back.searchParams.set('state', state);
      return reply.redirect(back.toString(), 302);
    }
    const account = world.account(fields.selling_partner_id ?? '', region);
    if (!account) return page(reply, 400, refusalPage('请选择卖家 · Please choose a seller'));
    return reply.redirect(returnAddress(world, checked.request, account), 302);
  });
}
