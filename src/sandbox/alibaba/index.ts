import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hang } from '../wire/breakage.ts';
import { html, page } from '../wire/wechat-page.ts';
import { CALLS, stamp } from './calls.ts';
import { signedWell } from './sign.ts';
import { AlibabaWorld, alibabaApp, type Fault, MEMBERS, type Order, totalOf } from './world.ts';

type Form = Record<string, string | undefined>;
const HTML = 'text/html; charset=utf-8';
const HANG_MS = 60_000;

const filled = (form: Form): Record<string, string> =>
  Object.fromEntries(Object.entries(form).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

function consentProblem(query: Form): string | undefined {
  if (query.client_id !== alibabaApp.key) return '应用不存在';
  return URL.canParse(query.redirect_uri ?? '') ? undefined : '回调地址不正确';
}

/** The page on which a buyer agrees that the application buys for him. */
function registerConsent(server: FastifyInstance, world: AlibabaWorld): void {
  server.get<{ Querystring: Form }>('/alibaba/oauth/authorize', async ({ query }, reply) => {
    const problem = consentProblem(query);
    const hidden = ['client_id', 'redirect_uri', 'state']
      .map((name) => `<input type="hidden" name="${name}" value="${html(query[name] ?? '')}">`)
      .join('');
    const people = MEMBERS.map(
      (one, index) =>
        `<label><input type="radio" name="member" value="${one.memberId}"${index === 0 ? ' checked' : ''}>${one.loginId}</label>`,
    ).join('');
    const form = `<h1>1688 授权</h1><p>沙箱里没有真实账号：选择一个采购账号并同意授权。</p>
<form method="post">${hidden}<fieldset><legend>采购账号</legend>${people}</fieldset><button>同意授权</button></form>`;
    return reply
      .code(problem ? 400 : 200)
      .type(HTML)
      .send(page(problem ? `<h1>无法授权</h1><p>${html(problem)}</p>` : form));
  });
  server.post<{ Body: Form }>('/alibaba/oauth/authorize', async ({ body }, reply) => {
    const member = MEMBERS.find((one) => one.memberId === body.member);
    if (consentProblem(body) || !member) return reply.code(400).type(HTML).send(page('<h1>无法授权</h1>'));
    const back = new URL(body.redirect_uri ?? '');
    back.searchParams.set('code', world.code(member.memberId));
    back.searchParams.set('state', body.state ?? '');
    return reply.redirect(back.href, 303);
  });
}

function registerTokens(server: FastifyInstance, world: AlibabaWorld): void {
  server.post<{ Body: Form; Params: { appKey: string } }>(
    '/alibaba/openapi/http/1/system.oauth2/getToken/:appKey',
    async ({ body, params }, reply) => {
      const known = params.appKey === alibabaApp.key && body.client_secret === alibabaApp.secret;
      if (!known)
        return reply.code(401).send({ error: 'invalid_client', error_description: 'client_secret not match' });
      const fresh = body.grant_type === 'authorization_code';
      const member = fresh ? world.takeCode(body.code ?? '') : world.refresher(body.refresh_token);
      const who = MEMBERS.find((one) => one.memberId === member);
      if (!who) return reply.code(400).send({ error: 'invalid_grant', error_description: '授权码或刷新令牌无效' });
      const access = world.access(who.memberId);
      const refresh = fresh ? world.refresh(who.memberId) : undefined;
      return {
        access_token: access.token,
        expires_in: String(access.seconds),
        memberId: who.memberId,
        aliId: who.aliId,
        resource_owner: who.loginId,
        ...(refresh ? { refresh_token: refresh.token, refresh_token_timeout: stamp(refresh.until) } : {}),
      };
    },
  );
}

const gatewayError = (code: string, message: string) => ({
  error_code: code,
  error_message: message,
  exception: message,
});

/** What some calls answer to whom they refuse. */
const REFUSALS: Record<string, object> = {
  'alibaba.trade.cancel': { success: false, errorCode: 'CLOSE_ORDER_TOO_FAST', errorMsg: 'close order too fast' },
};

function registerGateway(server: FastifyInstance, world: AlibabaWorld): void {
  const path = '/alibaba/openapi/param2/1/:namespace/:api/:appKey';
  server.post<{ Body: Form; Params: { namespace: string; api: string; appKey: string } }>(
    path,
    async (request, reply) => {
      const { namespace, api, appKey } = request.params;
      const form = filled(request.body);
      if (world.strike(api, 'before')) return hang(reply, HANG_MS);
      if (appKey !== alibabaApp.key) return reply.code(400).send(gatewayError('gw.AppKeyNotFound', 'AppKey not found'));
      if (!signedWell(`param2/1/${namespace}/${api}/${appKey}`, form, alibabaApp.secret)) {
        return reply.code(400).send(gatewayError('gw.SignatureInvalid', 'Invalid signature'));
      }
      const member = world.holder(form.access_token);
      if (!member) return reply.code(401).send(gatewayError('401', 'Request need user authorized'));
      const call = CALLS[`${namespace}/${api}`];
      if (!call) return reply.code(404).send(gatewayError('gw.APIUnsupported', 'API not found'));
      world.tick();
      if (world.strike(api, 'refused'))
        return REFUSALS[api] ?? { success: false, errorCode: '500_003', errorMsg: '库存不足' };
      const answer = call({ world, member }, { ...form, publicUrl: originOf(request) });
      if (world.strike(api, 'after')) return hang(reply, HANG_MS);
      return world.strike(api, 'garbled') ? { data: null } : answer;
    },
  );
}

const originOf = (request: FastifyRequest) => `http://${request.headers.host ?? '127.0.0.1'}`;

/** The payment page that a payment link opens. */
function registerPayment(server: FastifyInstance, world: AlibabaWorld): void {
  const named = (text: string | undefined): Order[] =>
    (text ?? '').split(',').flatMap((id) => world.orders.get(id) ?? []);
  server.get<{ Querystring: Form }>('/alibaba/pay', async ({ query }, reply) => {
    const orders = named(query.orderId);
    const total = (orders.reduce((sum, order) => sum + totalOf(order), 0) / 100).toFixed(2);
    return reply.type(HTML).send(
      page(`<h1>付款</h1><p>共 ${orders.length} 笔订单，¥${total}</p>
<form method="post"><input type="hidden" name="orderId" value="${html(query.orderId ?? '')}"><button>模拟付款</button></form>`),
    );
  });
  server.post<{ Body: Form }>('/alibaba/pay', async ({ body }, reply) => {
    for (const order of named(body.orderId)) world.pay(order);
    return reply.type(HTML).send(page('<h1>付款成功</h1><p>可以关闭本页。</p>'));
  });
}

interface Control {
  orderId?: string;
  status?: Order['status'];
  discount?: number;
  refund?: number;
  expire?: 'access' | 'all';
  fault?: Fault;
}

/** Lets tests decide what happens: how an order goes on, what it costs, what fails. */
function registerControl(server: FastifyInstance, world: AlibabaWorld): void {
  server.post<{ Body: Control }>('/alibaba/control', async ({ body }) => {
    if (body.expire) world.expire(body.expire === 'all');
    if (body.fault) world.faults.push(body.fault);
    const order = world.orders.get(body.orderId ?? '');
    const { status, discount, refund } = body;
    if (order) {
      if (status === 'waitsellersend') world.pay(order);
      world.change(order, {
        ...(status === undefined ? {} : { status }),
        ...(discount === undefined ? {} : { discount }),
        ...(refund === undefined ? {} : { refund }),
      });
    }
    return { orders: [...world.orders.values()] };
  });
}

/**
 * Stand-in for the open platform of a wholesale market, under /alibaba: consent, tokens, signed calls under
 * /alibaba/openapi with the real names, amounts and error bodies, a payment page, and a control for tests.
 */
export function registerAlibaba(server: FastifyInstance): void {
  const world = new AlibabaWorld();
  registerConsent(server, world);
  registerTokens(server, world);
  registerGateway(server, world);
  registerPayment(server, world);
  registerControl(server, world);
}
