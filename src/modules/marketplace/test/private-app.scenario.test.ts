import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { bindSeller, saveAuth, saveStore } from '../contract/stores.ts';
import { proxyAddress } from '../server/auth/proxy-address.ts';

const US = 'ATVPDKIKX0DER';
const SELLER = 'A1SANDBOX0001';
const OWN = { clientId: 'amzn1.application-oa2-client.own', clientSecret: 'own-secret-of-the-seller' };

let world: MarketplaceWorld;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createMarketplaceWorld({
    apps: [
      {
        applicationId: 'amzn1.sp.solution.sandbox',
        clientId: 'amzn1.application-oa2-client.sandbox',
        clientSecret: 'sandbox-secret',
      },
      { applicationId: 'amzn1.sp.solution.own', ...OWN },
    ],
  });
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
});
afterAll(async () => {
  await admin.end();
  await world.close();
});
afterEach(() => admin.query("UPDATE marketplace.seller_account SET status = 'disabled'"));

/** What the seller finds in his own developer console. */
async function refreshToken(clientId = OWN.clientId): Promise<string> {
  const response = await fetch(`${world.sandbox.url}/control/authorise`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na', clientId }),
  });
  return ((await response.json()) as { refreshToken: string }).refreshToken;
}

async function form(owner: Person, changes: object = {}) {
  return {
    groupid: await owner.call(saveStore, { body: { name: `店铺${Math.random()}` } }),
    marketplaceid: US,
    sellerid: SELLER,
    clientid: OWN.clientId,
    clientsecret: OWN.clientSecret,
    refreshtoken: await refreshToken(),
    ...changes,
  };
}

async function accounts(owner: Person) {
  return (await owner.call(bindSeller, {})).stores.flatMap((store) => store.regionslist);
}

/** A plain forward proxy that counts what goes through it. */
async function startProxy() {
  const seen: string[] = [];
  const server = http.createServer((request, reply) => {
    seen.push(request.url ?? '');
    const onward = http.request(request.url ?? '', { method: request.method, headers: request.headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    onward.on('error', () => reply.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, port, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('credentials of a private application', () => {
  test('are proved, sealed, and used for everything from then on', async () => {
    const owner = await world.owner();
    const { id } = await owner.call(saveAuth, { body: await form(owner) });
    const { rows } = await admin.query<{ text: string; secret: string }>(
      'SELECT a::text AS text, own_client_secret_sealed AS secret FROM marketplace.seller_account a WHERE id = $1',
      [id],
    );
    expect(rows[0]?.text).not.toContain(OWN.clientSecret);
    expect(rows[0]?.text).not.toMatch(/Atz[ar]\|/);
    expect(world.runtime.secrets.decrypt(rows[0]?.secret ?? '')).toBe(OWN.clientSecret);
    const logged = await admin.query<{ text: string }>("SELECT string_agg(l::text, ' ') AS text FROM kit.audit l");
    expect(logged.rows[0]?.text).not.toContain(OWN.clientSecret);
    expect(logged.rows[0]?.text).not.toContain('Atzr|');
    await world.work();
    await untilSynced(owner, id);
    const [account] = await accounts(owner);
    expect(account).toMatchObject({ authid: id, status: 'active', sellerid: SELLER });
    const buckets = await admin.query<{ application_id: string }>(
      'SELECT DISTINCT application_id FROM marketplace.rate_bucket',
    );
    expect(buckets.rows.map((row) => row.application_id)).toEqual([OWN.clientId]);
  });

  test.each([
    ['sellerid', 'Seller Id不能为空'],
    ['clientid', 'Client Id不能为空'],
    ['clientsecret', 'Client Secret不能为空'],
    ['refreshtoken', 'Refresh Token不能为空'],
  ])('%s is missing or blank', async (field, message) => {
    const owner = await world.owner();
    const body = await form(owner);
    for (const value of ['', '   ', undefined]) {
      const answer = await owner.send(saveAuth, { body: { ...body, [field]: value } as never });
      expect(answer.status).toBe(400);
      expect(answer.msg).toContain(message);
    }
  });

  test('wrong ones are refused with what is wrong, and nothing is kept', async () => {
    const owner = await world.owner();
    const tries: [object, string][] = [
      [{ clientsecret: 'guess' }, 'Client Id 或 Client Secret 无效'],
      [{ clientid: 'amzn1.unknown' }, 'Client Id 或 Client Secret 无效'],
      [{ refreshtoken: 'Atzr|invented' }, 'Refresh Token 无效，或不属于该应用'],
      [
        { refreshtoken: await refreshToken('amzn1.application-oa2-client.sandbox') },
        'Refresh Token 无效，或不属于该应用',
      ],
      [{ marketplaceid: 'A1PA6795UKMFR9' }, '凭证不能访问该区域的店铺，请确认站点与应用角色'],
      [{ marketplaceid: 'A2Q3Y263D00KWC' }, '该卖家未在所选站点开店'],
      [{ marketplaceid: 'NOWHERE' }, '请选择站点'],
      [{ sellerid: 'A9STRANGER' }, 'Seller Id 与凭证不一致，或应用缺少 Product Listing 角色'],
      [{ proxyhost: '127.0.0.1' }, '代理地址和端口须同时填写'],
    ];
    for (const [changes, message] of tries) {
      expect((await owner.send(saveAuth, { body: await form(owner, changes) })).msg).toBe(message);
    }
    const foreign = await world.owner();
    const { groupid } = await form(foreign);
    expect((await owner.send(saveAuth, { body: await form(owner, { groupid }) })).status).toBe(404);
    expect(await accounts(owner)).toEqual([]);
  });

  test('another application does not open a seller that works for another company', async () => {
    const holder = await world.owner();
    await connectStore(holder, SELLER);
    const owner = await world.owner();
    const answer = await owner.send(saveAuth, { body: await form(owner) });
    expect(answer.msg).toBe('该店铺已被其他公司绑定，请先在原公司停用后再授权');
  });
});

describe('the proxy of a store', () => {
  test('carries the proof and every later call', async () => {
    const proxy = await startProxy();
    try {
      const owner = await world.owner();
      const body = await form(owner, { proxyhost: '127.0.0.1', proxyport: proxy.port });
      await owner.call(saveAuth, { body });
      expect(proxy.seen.some((url) => url.endsWith('/lwa/auth/o2/token'))).toBe(true);
      expect(proxy.seen.some((url) => url.includes('/sellers/v1/marketplaceParticipations'))).toBe(true);
    } finally {
      await proxy.close();
    }
  });

  test('that does not answer stops the saving in words', async () => {
    const owner = await world.owner();
    const body = await form(owner, { proxyhost: '127.0.0.1', proxyport: 9 });
    expect((await owner.send(saveAuth, { body })).msg).toBe('亚马逊授权服务暂时没有响应，请检查代理后重试');
  });

  test('may not point into the network of this product, unless the marketplace is there too', async () => {
    const { marketplace } = world.runtime.config;
    if (!marketplace) throw new Error('no marketplace');
    const outside = {
      config: { ...world.runtime.config, marketplace: { ...marketplace, lwaTokenUrl: 'https://203.0.113.7/token' } },
    };
    for (const host of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.9', 'localhost']) {
      await expect(proxyAddress(outside, host, 80)).rejects.toThrow('代理地址不能指向内部网络');
    }
    expect(await proxyAddress(outside, '198.51.100.4', 8080)).toBe('http://198.51.100.4:8080');
    expect(await proxyAddress(outside, undefined, undefined)).toBeNull();
  });
});
