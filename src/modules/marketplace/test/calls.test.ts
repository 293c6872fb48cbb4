import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Envelope } from '#kit/contract/envelope.ts';
import {
  agree,
  connectStore,
  createMarketplaceWorld,
  type MarketplaceWorld,
  untilSynced,
} from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { adsBind, adsBindUrl } from '../contract/ads.ts';
import { authUrl, saveStore } from '../contract/stores.ts';

const US = 'ATVPDKIKX0DER';
const SELLER = 'A1SANDBOX0001';
const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Known {
  storeId: string;
  accountId: string;
  adsId: string;
  /** Codes and states of consents that are under way. */
  sellerState: string;
  sellerCode: string;
  adsState: string;
  adsCode: string;
  refreshToken: string;
}

type Fields = Record<string, string>;

interface Case {
  call: string;
  good: (known: Known) => Fields;
  bad: (known: Known) => Fields;
  /** What the bad request hears. */
  says: string;
  /** Multipart with a file. */
  file?: true;
}

const AUTHORITY = '/amazon/api/v1/amzauthority';
const ADVERT = '/amazonadv/api/v1/advert';

/** Every public call of both authorisations, in an order in which each finds what it needs. */
const CASES: readonly Case[] = [
  {
    call: `GET ${AUTHORITY}/getAuthUrl`,
    good: ({ storeId }) => ({ groupid: storeId, marketplaceId: US }),
    bad: () => ({ groupid: NOBODY, marketplaceId: US }),
    says: '店铺不存在或已删除',
  },
  {
    call: `GET ${AUTHORITY}/authSeller`,
    good: ({ sellerState, sellerCode }) => ({
      state: sellerState,
      selling_partner_id: SELLER,
      mws_auth_token: '',
      spapi_oauth_code: sellerCode,
    }),
    bad: () => ({ state: 'x', selling_partner_id: SELLER, spapi_oauth_code: 'y' }),
    says: '授权链接已失效，请重新发起授权',
  },
  {
    call: `POST ${AUTHORITY}/saveAuth`,
    good: ({ storeId, refreshToken }) => ({
      groupid: storeId,
      marketplaceid: US,
      sellerid: SELLER,
      clientid: 'amzn1.application-oa2-client.sandbox',
      clientsecret: 'sandbox-secret',
      refreshtoken: refreshToken,
    }),
    bad: ({ storeId }) => ({
      groupid: storeId,
      marketplaceid: US,
      sellerid: SELLER,
      clientid: 'amzn1.application-oa2-client.sandbox',
      clientsecret: '',
      refreshtoken: 'x',
    }),
    says: 'Client Secret不能为空',
  },
  { call: `GET ${AUTHORITY}/getBindSeller`, good: () => ({}), bad: () => ({}), says: '' },
  {
    call: `GET ${AUTHORITY}/getRegionByGroup`,
    good: ({ storeId }) => ({ groupid: storeId }),
    bad: () => ({ groupid: NOBODY }),
    says: '店铺不存在或已删除',
  },
  { call: `GET ${AUTHORITY}/getAuthMaketplace`, good: () => ({}), bad: () => ({}), says: '' },
  {
    call: `GET ${AUTHORITY}/getPerformance`,
    good: ({ storeId }) => ({ groupid: storeId, marketplaceid: US }),
    bad: ({ storeId }) => ({ groupid: storeId, marketplaceid: 'A1PA6795UKMFR9' }),
    says: '店铺在该站点没有授权',
  },
  {
    call: 'GET /amazon/api/v1/report/requestReportParamAuth',
    good: ({ accountId }) => ({
      authid: accountId,
      type: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL',
      start: '2026-07-01',
      end: '2026-07-03',
    }),
    bad: ({ accountId }) => ({ authid: accountId, type: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL' }),
    says: '开始结束日期不能为空',
  },
  {
    call: 'GET /amazon/api/v1/amazonSellerMarket/refreshMarketByAuth',
    good: ({ accountId }) => ({ authid: accountId }),
    bad: () => ({ authid: NOBODY }),
    says: '授权不存在或已删除',
  },
  {
    call: 'POST /amazon/api/v1/report/uploadReportFile',
    good: ({ accountId }) => ({
      amazonauthid: accountId,
      requesttype: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
    }),
    bad: () => ({ amazonauthid: NOBODY, requesttype: 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL' }),
    says: '授权不存在或已删除',
    file: true,
  },
  {
    call: `GET ${ADVERT}/bindUrl`,
    good: ({ storeId }) => ({ groupid: storeId, region: 'na' }),
    bad: ({ storeId }) => ({ groupid: storeId, region: 'moon' }),
    says: '区域',
  },
  {
    call: `POST ${ADVERT}/bindAdvAuthData`,
    good: ({ adsState, adsCode }) => ({ state: adsState, code: adsCode }),
    bad: () => ({ state: 'x', code: 'y' }),
    says: '授权链接已失效，请重新发起授权',
  },
  { call: `GET ${ADVERT}/loadProfile`, good: () => ({}), bad: () => ({ id: 'x' }), says: '广告授权' },
  {
    call: `GET ${ADVERT}/captureProfileById`,
    good: ({ adsId }) => ({ id: adsId }),
    bad: () => ({ id: NOBODY }),
    says: '广告授权不存在',
  },
  { call: 'GET /amazonadv/api/v1/advManager/getGroup', good: () => ({}), bad: () => ({}), says: '' },
  {
    call: `GET ${ADVERT}/disableAuth`,
    good: ({ adsId }) => ({ id: adsId }),
    bad: () => ({ id: NOBODY }),
    says: '广告授权不存在',
  },
  {
    call: `GET ${AUTHORITY}/deleteByLogic`,
    good: ({ accountId }) => ({ authid: accountId, sellerid: SELLER }),
    bad: ({ accountId }) => ({ authid: accountId, sellerid: 'A1STRANGER' }),
    says: '输入的卖家ID与授权不一致',
  },
];

/** One order line as the marketplace writes it. */
const ORDERS = [
  'amazon-order-id\tmerchant-order-id\tpurchase-date\tlast-updated-date\torder-status\tfulfillment-channel\tsales-channel\torder-channel\tship-service-level\tproduct-name\tsku\tasin\titem-status\tquantity\tcurrency\titem-price\titem-tax\tshipping-price\tshipping-tax\tgift-wrap-price\tgift-wrap-tax\titem-promotion-discount\tship-promotion-discount\tship-city\tship-state\tship-postal-code\tship-country\tpromotion-ids\tis-business-order\tpurchase-order-number\tprice-designation',
  '111-0000001-0000001\t\t2026-06-01T10:00:00+00:00\t2026-06-02T10:00:00+00:00\tShipped\tAmazon\tAmazon.com\t\tStandard\tBottle\tSKU-1\tB000000001\tShipped\t1\tUSD\t19.99\t1.60\t\t\t\t\t\t\tSeattle\tWA\t98101\tUS\t\tfalse\t\t',
].join('\n');

let world: MarketplaceWorld;
let admin: pg.Pool;
let owner: Person;
let known: Known;

const part = (back: URL | undefined, name: string) => back?.searchParams.get(name) ?? '';

beforeAll(async () => {
  world = await createMarketplaceWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
  await world.work();
  owner = await world.owner();
  const { accountId, storeId } = await connectStore(owner, SELLER);
  await untilSynced(owner, accountId);
  const sellerBack = await agree(await owner.call(authUrl, { query: { groupid: storeId, marketplaceId: US } }), SELLER);
  const adsUrl = () => owner.call(adsBindUrl, { query: { groupid: storeId, region: 'na' } });
  const first = await agree(await adsUrl(), SELLER);
  const { id } = await owner.call(adsBind, { body: { state: part(first, 'state'), code: part(first, 'code') } });
  const adsBack = await agree(await adsUrl(), SELLER);
  const granted = await fetch(`${world.sandbox.url}/control/authorise`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na' }),
  });
  known = {
    storeId,
    accountId,
    adsId: id,
    sellerState: part(sellerBack, 'state'),
    sellerCode: part(sellerBack, 'spapi_oauth_code'),
    adsState: part(adsBack, 'state'),
    adsCode: part(adsBack, 'code'),
    refreshToken: ((await granted.json()) as { refreshToken: string }).refreshToken,
  };
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

async function send({ call, file }: Case, fields: Fields, prefix: '' | '/api', session = owner.session) {
  const [method = 'GET', path = ''] = call.split(' ');
  const query = method === 'GET' && Object.keys(fields).length > 0 ? `?${new URLSearchParams(fields)}` : '';
  const options = {
    method: method as 'GET' | 'POST',
    url: `${prefix}${path}${query}`,
    headers: { jsessionid: session },
  };
  const response = await world.app.inject(
    file
      ? { ...options, ...(await multipart(fields, options.headers)) }
      : { ...options, ...(method === 'POST' ? { payload: fields } : {}) },
  );
  return response.json<Envelope<{ id?: string }>>();
}

async function multipart(fields: Fields, headers: object) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append('file', new Blob([ORDERS]), 'orders.txt');
  const packed = new Response(form);
  const contentType = packed.headers.get('content-type') ?? '';
  return { headers: { ...headers, 'content-type': contentType }, payload: Buffer.from(await packed.arrayBuffer()) };
}

describe('every public call of the two authorisations', () => {
  test.each(CASES.map((one) => [one.call, one] as const))('%s', async (_, one) => {
    if (one.says !== '') {
      for (const prefix of ['/api', ''] as const) {
        const refusal = await send(one, one.bad(known), prefix);
        expect(refusal.code).not.toBe(201);
        expect(refusal.msg).toContain(one.says);
      }
    } else {
      // A call without parameters refuses whoever has no session.
      const stranger = await send(one, {}, '', 'nobody');
      expect(stranger.code).toBe(401);
    }
    const answer = await send(one, one.good(known), '');
    expect(answer.code, answer.msg).toBe(201);
  });

  test('a result page that is shown again by the address without /api hears the same', async () => {
    const [first, second] = CASES.filter(({ call }) => call.endsWith('authSeller') || call.endsWith('bindAdvAuthData'));
    for (const one of [first, second]) {
      if (!one) throw new Error('two results');
      const again = await send(one, one.good(known), '/api');
      expect(again).toMatchObject({ code: 201, data: { id: expect.any(String) } });
    }
  });

  test('the stores of somebody else stay his', async () => {
    const stranger = await world.owner();
    await stranger.call(saveStore, { body: { name: '别家' } });
    for (const one of CASES) {
      if (one.call.endsWith('authSeller') || one.call.endsWith('bindAdvAuthData')) continue;
      const answer = await send(one, one.good(known), '/api', stranger.session);
      if (answer.code !== 201) continue;
      expect(JSON.stringify(answer.data ?? null), one.call).not.toContain(known.storeId);
      expect(JSON.stringify(answer.data ?? null), one.call).not.toContain(known.accountId);
    }
  });
});
