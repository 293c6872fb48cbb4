import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { inProof } from '#test/support/in-proof.ts';
import {
  agree,
  connectStore,
  createMarketplaceWorld,
  type MarketplaceWorld,
  untilSynced,
} from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import {
  authMarketplace,
  authSeller,
  bindSeller,
  changeSite,
  deleteSeller,
  disableSeller,
  listStores,
  manualAccount,
  renewLinks,
  saveStore,
  sortStores,
} from '../contract/stores.ts';
import { accountHealth, reportTypes, requestReport } from '../contract/sync.ts';
import { accessToken } from '../server/api/tokens.ts';
import { accountOf } from '../server/auth/accounts.ts';
import { setSuspended } from '../server/auth/block.ts';
import { ageConsents } from '../server/auth/lifecycle.ts';

const US = 'ATVPDKIKX0DER';
const CA = 'A2EUQ1WTGCTBG2';
const SELLER = 'A1SANDBOX0001';

let world: MarketplaceWorld;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
  await world.work();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});
afterEach(() => admin.query("UPDATE marketplace.seller_account SET status = 'disabled', disabled_at = kit.now()"));

async function statusOf(id: string): Promise<string> {
  const { rows } = await admin.query<{ status: string }>(
    'SELECT status FROM marketplace.seller_account WHERE id = $1',
    [id],
  );
  return rows[0]?.status ?? '';
}

async function cursorStates(id: string): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ stream: string; state: string }>(
    'SELECT DISTINCT stream, state FROM marketplace.sync_cursor WHERE account_id = $1',
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.stream, row.state]));
}

async function messages(owner: Person, event: string): Promise<number> {
  const { rowCount } = await admin.query('SELECT 1 FROM message.message WHERE company_id = $1 AND event = $2', [
    owner.companyId,
    event,
  ]);
  return rowCount ?? 0;
}

async function connected() {
  const owner = await world.owner();
  const { accountId, storeId } = await connectStore(owner, SELLER);
  await untilSynced(owner, accountId);
  return { owner, accountId, storeId };
}

let seller: Awaited<ReturnType<typeof connected>> | undefined;

/** The seller that these stories share, synchronised once; whatever another one left behind, its consent is good again. */
async function goodSeller() {
  seller ??= await connected();
  const { accountId } = seller;
  await admin.query(
    "UPDATE marketplace.seller_account SET status = 'active', disabled_at = NULL, auth_failed_at = NULL WHERE id = $1",
    [accountId],
  );
  await admin.query("UPDATE marketplace.sync_cursor SET state = 'ready' WHERE account_id = $1", [accountId]);
  return seller;
}

async function tokenOf(owner: Person, accountId: string): Promise<string> {
  const account = await inTenant(world.runtime, systemPrincipal(owner.companyId), (ctx) =>
    accountOf(ctx.db, owner.companyId, accountId),
  );
  if (!account) throw new Error('no account');
  return accessToken(world.runtime, account, true);
}

describe('a consent grows old (E7)', () => {
  test('2026-03-10 ends on 2027-03-10: active, from 2027-02-08 即将到期, then 已过期', async () => {
    const { owner, accountId } = await goodSeller();
    const { rows } = await admin.query<{ days: number }>(
      'SELECT round(extract(epoch FROM expires_at - authorized_at) / 86400)::int AS days FROM marketplace.seller_account WHERE id = $1',
      [accountId],
    );
    await admin.query(
      `UPDATE marketplace.seller_account SET authorized_at = '2026-03-10T08:00Z',
              expires_at = timestamptz '2026-03-10T08:00Z' + make_interval(days => $2) WHERE id = $1`,
      [accountId, rows[0]?.days],
    );
    const [account] = (await owner.call(bindSeller, {})).stores.flatMap((store) => store.regionslist);
    expect(account?.expireTime).toBe('2027-03-10T08:00:00.000Z');
    const at = async (instant: string) => {
      await ageConsents(world.runtime, new Date(instant));
      return statusOf(accountId);
    };
    expect(await at('2027-02-08T07:59:00Z')).toBe('active');
    expect(await at('2027-02-08T08:00:00Z')).toBe('expiring');
    expect(await at('2027-03-10T07:59:00Z')).toBe('expiring');
    expect(new Set(Object.values(await cursorStates(accountId)))).toEqual(new Set(['ready']));
    expect(await at('2027-03-10T08:00:00Z')).toBe('expired');
    expect(new Set(Object.values(await cursorStates(accountId)))).toEqual(new Set(['blocked_auth']));
    expect(await messages(owner, 'marketplace.authorisationLost')).toBe(1);
    expect(await at('2027-03-11T08:00:00Z')).toBe('expired');
    expect(await messages(owner, 'marketplace.authorisationLost')).toBe(1);
  });

  inProof('and is renewed by links in bulk, each bound to its account and its note on the network', async () => {
    const { owner, accountId, storeId } = await connected();
    await owner.call(saveStore, { body: { id: storeId, name: '主店', network: '上海 · 电信专线' } });
    await admin.query("UPDATE marketplace.seller_account SET status = 'expired' WHERE id = $1", [accountId]);
    const stranger = await world.owner();
    expect((await stranger.send(renewLinks, { body: { authids: [accountId] } })).status).toBe(404);
    const links = await owner.call(renewLinks, { body: { authids: [accountId] } });
    expect(links).toEqual([
      {
        authid: accountId,
        gname: '主店-北美',
        sellerid: SELLER,
        network: '上海 · 电信专线',
        url: expect.stringContaining('/apps/authorize/consent?'),
        problem: null,
      },
    ]);
    const back = await agree(links[0]?.url ?? '', SELLER);
    const query = {
      state: back?.searchParams.get('state') ?? '',
      selling_partner_id: 'A9STRANGER',
      spapi_oauth_code: back?.searchParams.get('spapi_oauth_code') ?? '',
    };
    expect((await owner.send(authSeller, { query })).msg).toContain('授权的卖家与当前店铺不一致');
    expect(await statusOf(accountId)).toBe('expired');
    const [again] = await owner.call(renewLinks, { body: { authids: [accountId] } });
    const good = await agree(again?.url ?? '', SELLER);
    await owner.call(authSeller, {
      query: {
        state: good?.searchParams.get('state') ?? '',
        selling_partner_id: SELLER,
        spapi_oauth_code: good?.searchParams.get('spapi_oauth_code') ?? '',
      },
    });
    expect(await statusOf(accountId)).toBe('active');
  });
});

describe('the marketplace restricts an account', () => {
  test('money goes on, all else waits, and everything resumes', async () => {
    const { owner, accountId } = await goodSeller();
    const set = (suspended: boolean) => world.as(owner, (ctx) => setSuspended(ctx, accountId, suspended));
    expect(await set(true)).toBe(true);
    expect(await set(true)).toBe(false);
    expect(await statusOf(accountId)).toBe('suspended');
    const states = await cursorStates(accountId);
    expect(states).toMatchObject({ finances: 'ready', settlements: 'ready' });
    const waiting = Object.entries(states).filter(([, state]) => state === 'suspended');
    expect(waiting.length).toBeGreaterThan(1);
    expect(await set(false)).toBe(true);
    expect(await statusOf(accountId)).toBe('active');
    expect(new Set(Object.values(await cursorStates(accountId)))).toEqual(new Set(['ready']));
  });
});

describe('sites and stores', () => {
  inProof('a site that is switched off is neither read nor offered, and comes back', async () => {
    const { owner, accountId } = await connected();
    const change = (enabled: '0' | '1', marketplaceid = CA) =>
      owner.send(changeSite, { query: { authid: accountId, marketplaceid, enabled } });
    expect((await change('0')).code).toBe(201);
    expect((await owner.call(authMarketplace, {})).map((site) => site.value)).toEqual([`${US}-${accountId}`]);
    const health = await owner.call(accountHealth, { query: { authid: accountId } });
    const ofCanada = health.streams.filter((stream) => stream.country === 'CA');
    expect(ofCanada.length).toBeGreaterThan(0);
    expect(new Set(ofCanada.map((stream) => stream.state))).toEqual(new Set(['paused']));
    expect((await change('1')).code).toBe(201);
    expect(await owner.call(authMarketplace, {})).toHaveLength(2);
    expect((await change('0', 'A1PA6795UKMFR9')).status).toBe(404);
  });

  test('a plan for one site: the second stays off and says so, and nothing else comes in', async () => {
    const owner = await world.owner();
    const full = { code: 400, msg: '站点数量已达上限（1）' };
    const allow = (sites: number) =>
      admin.query('UPDATE identity.company SET plan_limits = $2 WHERE company_id = $1', [
        owner.companyId,
        JSON.stringify({ sites }),
      ]);
    await allow(1);
    const { accountId, storeId } = await connectStore(owner, SELLER);
    const sites = async () =>
      (await owner.call(bindSeller, {})).stores
        .flatMap((store) => store.regionslist)
        .find((account) => account.authid === accountId)
        ?.countrysList.map(({ country, enabled }) => [country, enabled]);
    await expect.poll(sites, { timeout: PATIENCE_MS }).toEqual([
      ['CA', true],
      ['US', false],
    ]);
    expect(await messages(owner, 'marketplace.planFull')).toBe(1);
    const change = (enabled: '0' | '1', marketplaceid: string) =>
      owner.send(changeSite, { query: { authid: accountId, marketplaceid, enabled } });
    expect(await change('1', US)).toMatchObject(full);
    const manual = { storeId, marketplaceIds: ['A1PA6795UKMFR9'] };
    expect(await owner.send(manualAccount, { body: manual })).toMatchObject(full);
    // The consent of a store that works is renewed all the same; a place that became free is for any site.
    expect((await connectStore(owner, SELLER, CA)).accountId).toBe(accountId);
    expect((await change('0', CA)).code).toBe(201);
    expect((await change('1', US)).code).toBe(201);
    await owner.call(disableSeller, { query: { authid: accountId, sellerid: SELLER } });
    expect((await owner.send(manualAccount, { body: manual })).code).toBe(201);
    await expect(connectStore(owner, SELLER, 'A1AM78C64UM0Y8')).rejects.toThrow(full.msg);
    await allow(2);
    expect((await connectStore(owner, SELLER, 'A2Q3Y263D00KWC')).accountId).toBe(accountId);
  });

  test('stores have their papers and their order', async () => {
    const owner = await world.owner();
    const [a = '', b = '', c = ''] = await Promise.all(
      ['甲', '乙', '丙'].map((name) => owner.call(saveStore, { body: { name } })),
    );
    await owner.call(sortStores, { body: { ids: [c, a] } });
    await owner.call(saveStore, { body: { id: a, name: '甲', company: '启航贸易有限公司', taxNumber: '91310000' } });
    await owner.call(saveStore, { body: { id: a, name: '甲店' } });
    const stores = await owner.call(listStores, {});
    expect(stores.map((store) => store.id)).toEqual([c, a, b]);
    expect(stores[1]).toMatchObject({ name: '甲店', company: '启航贸易有限公司', taxNumber: '91310000', network: '' });
    const stranger = await world.owner();
    expect((await stranger.send(sortStores, { body: { ids: [a] } })).status).toBe(404);
  });
});

describe('a report asked for by hand', () => {
  const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL';

  test('needs days in range and patience', async () => {
    const { owner, accountId } = await goodSeller();
    const types = await owner.call(reportTypes, {});
    expect(types.find((one) => one.type === ORDERS)).toMatchObject({ maxDays: 30, intervalMin: 30, listed: false });
    const ask = (query: object) =>
      owner.send(requestReport, { query: { authid: accountId, type: ORDERS, ...query } as never });
    expect((await ask({})).msg).toBe('开始结束日期不能为空');
    expect((await ask({ start: '', end: '2026-07-01' })).msg).toBe('开始结束日期不能为空');
    expect((await ask({ start: '2026-07-02', end: '2026-07-01' })).msg).toBe('结束日期不能早于开始日期');
    expect((await ask({ start: '2026-06-01', end: '2026-07-01' })).msg).toBe('该报表单次最多30天');
    expect((await ask({ start: '2026-08-01', end: '2026-08-02' })).msg).toBe('开始日期不能晚于今天');
    expect((await ask({ start: '2026-07-01', end: '2026-07-02', type: 'GET_NOTHING' })).msg).toBe(
      '暂不支持的报表类型：GET_NOTHING',
    );
    const [terms, visits] = ['GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT', 'GET_SALES_AND_TRAFFIC_REPORT'];
    expect((await ask({ start: '2026-07-06', end: '2026-07-12', type: terms })).msg).toBe(
      '该报表须为周日至周六的一整周',
    );
    expect((await ask({ start: '2026-07-15', end: '2026-07-15', type: visits })).msg).toBe(
      '该报表只能申请已结束的日期',
    );
    const first = await ask({ start: '2026-07-01', end: '2026-07-02' });
    expect(first.data).toMatchObject({ ids: [expect.any(String)], message: '已申请1个报表' });
    expect((await ask({ start: '2026-07-03', end: '2026-07-04' })).msg).toBe('距上次申请不足30分钟');
    const clerk = await world.member(owner, ['amz:report:run']);
    const impatient = {
      authid: accountId,
      type: ORDERS,
      start: '2026-07-03',
      end: '2026-07-04',
      ignore: 'true' as const,
    };
    expect((await clerk.send(requestReport, { query: impatient })).msg).toBe('距上次申请不足30分钟');
    expect((await owner.send(requestReport, { query: impatient })).code).toBe(201);
    const listed = await ask({ type: 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2' });
    expect(listed.data).toEqual({ ids: [], message: '账期报表由亚马逊自动生成，已改为拉取列表' });
    await expect
      .poll(
        async () => {
          const { rows } = await admin.query('SELECT status FROM marketplace.report_request WHERE id = $1', [
            first.data.ids[0],
          ]);
          return rows[0] as unknown;
        },
        { timeout: PATIENCE_MS },
      )
      .toEqual({ status: 'loaded' });
  });

  test('is not made for an account whose consent is gone', async () => {
    const owner = await world.owner();
    const { accountId } = await connectStore(owner, SELLER);
    await owner.call(disableSeller, { query: { authid: accountId, sellerid: SELLER } });
    const query = { authid: accountId, type: ORDERS, start: '2026-07-01', end: '2026-07-02' };
    expect((await owner.send(requestReport, { query })).msg).toBe('店铺授权已失效，请重新授权');
  });
});

describe('a consent is lost', () => {
  test('only when the grant is refused twice, a minute apart; then every stream waits', async () => {
    const { owner, accountId } = await goodSeller();
    world.sandbox.world.revoke(SELLER, 'na');
    await expect(tokenOf(owner, accountId)).rejects.toThrow('授权可能失效');
    expect(await statusOf(accountId)).toBe('active');
    await admin.query("UPDATE marketplace.seller_account SET auth_failed_at = kit.now() - interval '61 seconds'");
    await expect(tokenOf(owner, accountId)).rejects.toThrow('授权失效');
    expect(await statusOf(accountId)).toBe('revoked');
    expect(new Set(Object.values(await cursorStates(accountId)))).toEqual(new Set(['blocked_auth']));
  });

  test('while a run of a stream writes, which ends first', async () => {
    const { owner, accountId } = await goodSeller();
    world.sandbox.world.revoke(SELLER, 'na');
    await expect(tokenOf(owner, accountId)).rejects.toThrow('授权可能失效');
    await admin.query(
      "UPDATE marketplace.seller_account SET auth_failed_at = kit.now() - interval '61 seconds' WHERE id = $1",
      [accountId],
    );
    const run = await admin.connect();
    await run.query('BEGIN');
    await run.query('SELECT FROM marketplace.sync_cursor WHERE account_id = $1 FOR UPDATE', [accountId]);
    const lost = expect(tokenOf(owner, accountId)).rejects.toThrow('授权失效');
    const waits = async () => {
      const { rows } = await admin.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            AND query LIKE '%sync_cursor%'`,
      );
      return rows.length;
    };
    await expect.poll(waits, { timeout: PATIENCE_MS, interval: 20 }).toBeGreaterThan(0);
    // What a run lands belongs to the account: its row must not be out of reach meanwhile.
    await run.query(
      `INSERT INTO marketplace.report_request (company_id, account_id, plan, report_type, marketplace_ids, status)
       VALUES ($1, $2, 'manual', 'GET_NOTHING', '{}', 'failed')`,
      [owner.companyId, accountId],
    );
    await run.query('COMMIT');
    run.release();
    await lost;
    expect(new Set(Object.values(await cursorStates(accountId)))).toEqual(new Set(['blocked_auth']));
  });

  inProof('an application that is refused changes no seller and raises one alarm', async () => {
    const { owner, accountId } = await connected();
    const { marketplace } = world.runtime.config;
    if (!marketplace) throw new Error('no marketplace');
    world.runtime.config.marketplace = { ...marketplace, clientSecret: 'rotated' };
    try {
      await expect(tokenOf(owner, accountId)).rejects.toThrow('应用密钥无效');
      await expect(tokenOf(owner, accountId)).rejects.toThrow('应用密钥无效');
    } finally {
      world.runtime.config.marketplace = marketplace;
    }
    expect(await statusOf(accountId)).toBe('active');
    expect(await messages(owner, 'marketplace.applicationRefused')).toBe(1);
  });
});

describe('an account ends', () => {
  test('stopped by name, unbound by the owner thirty days later, its tokens destroyed', async () => {
    const { owner, accountId } = await goodSeller();
    const both = { authid: accountId, sellerid: SELLER };
    const early = await owner.send(deleteSeller, { body: both });
    expect(early.msg).toBe('请先停用店铺授权');
    expect((await owner.send(disableSeller, { query: { ...both, sellerid: 'A1' } })).msg).toBe(
      '输入的卖家ID与授权不一致',
    );
    await owner.call(disableSeller, { query: both });
    expect((await owner.send(deleteSeller, { body: both })).msg).toBe('停用满30天后才能解绑，还剩30天');
    await admin.query(
      "UPDATE marketplace.seller_account SET disabled_at = kit.now() - interval '30 days' WHERE id = $1",
      [accountId],
    );
    const clerk = await world.member(owner, ['amz:store:delete', 'amz:store:view']);
    expect((await clerk.send(deleteSeller, { body: both })).msg).toBe('只有公司主账号可以解绑店铺');
    expect((await owner.send(deleteSeller, { body: { ...both, sellerid: 'A1' } })).msg).toBe(
      '输入的卖家ID与授权不一致',
    );
    await owner.call(deleteSeller, { body: both });
    const { rows } = await admin.query<{ status: string; token: string }>(
      'SELECT status, refresh_token_sealed AS token FROM marketplace.seller_account WHERE id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ status: 'deleted', token: '' }]);
    expect((await owner.call(bindSeller, {})).stores.flatMap((store) => store.regionslist)).toEqual([]);
    const orders = await admin.query('SELECT count(*)::int AS n FROM "order".amazon_order WHERE company_id = $1', [
      owner.companyId,
    ]);
    expect((orders.rows[0] as { n: number }).n).toBeGreaterThan(0);
  });
});
