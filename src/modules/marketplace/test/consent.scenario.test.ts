import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { extensionsOf } from '#kit/server/extension.ts';
import {
  agree,
  connectStore,
  createMarketplaceWorld,
  type MarketplaceWorld,
  untilSynced,
} from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person } from '#test/support/world.ts';
import { reportTasks } from '../contract/report-tasks.ts';
import {
  authMarketplace,
  authSeller,
  authUrl,
  bindSeller,
  deleteStore,
  disableSeller,
  listStores,
  saveStore,
} from '../contract/stores.ts';
import { accountHealth } from '../contract/sync.ts';
import { reportPlans } from '../server/index.ts';

const US = 'ATVPDKIKX0DER';
const SELLER = 'A1SANDBOX0001';
const EXPIRED = '授权链接已失效，请重新发起授权';

let world: MarketplaceWorld;
let admin: pg.Pool;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('connect', (client) => client.on('error', () => {}));
  admin.on('error', () => {});
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

// Whatever a story ended with, the seller is free for the next one.
afterEach(() => admin.query("UPDATE marketplace.seller_account SET status = 'disabled'"));

interface Begun {
  owner: Person;
  storeId: string;
  address: string;
}

async function begun(owner?: Person, authid?: string): Promise<Begun> {
  const who = owner ?? (await world.owner());
  const storeId = await who.call(saveStore, { body: { name: `店铺${Math.random()}` } });
  const query = { groupid: storeId, marketplaceId: US, ...(authid ? { authid } : {}) };
  return { owner: who, storeId, address: await who.call(authUrl, { query }) };
}

const part = (back: URL | undefined, name: string) => back?.searchParams.get(name) ?? '';

/** What the result page calls with the address that the browser was sent back to. */
function finish(owner: Person, back: URL | undefined, changes: object = {}) {
  const query = {
    state: part(back, 'state'),
    selling_partner_id: part(back, 'selling_partner_id'),
    spapi_oauth_code: part(back, 'spapi_oauth_code'),
    ...changes,
  };
  return owner.send(authSeller, { query });
}

async function accounts(owner: Person) {
  return (await owner.call(bindSeller, {})).stores.flatMap((store) => store.regionslist);
}

/** Gives the seller free for the next story. */
async function letGo(owner: Person): Promise<void> {
  for (const account of await accounts(owner)) {
    if (account.status === 'disabled') continue;
    await owner.call(disableSeller, { query: { authid: account.authid, sellerid: account.sellerid } });
  }
}

describe('a seller agrees', () => {
  test('the address names the application and a nonce that the database keeps only as a hash', async () => {
    const { address } = await begun();
    const page = new URL(address);
    expect(page.pathname).toMatch(/\/consent\/us\/apps\/authorize\/consent$/);
    const state = page.searchParams.get('state') ?? '';
    expect(Buffer.from(state, 'base64url')).toHaveLength(32);
    const { rows } = await admin.query<{ text: string }>(
      "SELECT string_agg(s::text, ' ') AS text FROM marketplace.oauth_state s",
    );
    expect(rows[0]?.text).toContain(createHash('sha256').update(state).digest('hex'));
    expect(rows[0]?.text).not.toContain(state);
  });

  test('but the address that comes back names somebody else: nobody is connected, and nobody is kept out', async () => {
    const { owner, address } = await begun();
    const refusal = await finish(owner, await agree(address, SELLER), { selling_partner_id: 'A9STRANGER' });
    expect(refusal).toMatchObject({ code: 400, data: { code: 'B0309' } });
    expect(refusal.msg).toContain('无法确认授权的卖家是 A9STRANGER');
    expect(await accounts(owner)).toEqual([]);
  });

  test('while Amazon cannot say who he is: he is connected, and the log says that nobody vouched for him', async () => {
    const { faults } = world.sandbox.world;
    faults.add({ kind: 'serverError', operation: 'searchListingsItems', status: 503 });
    const { owner, address } = await begun();
    expect((await finish(owner, await agree(address, SELLER))).code).toBe(201);
    faults.clear();
    const { rows } = await admin.query<{ action: string }>(
      "SELECT action FROM kit.audit WHERE company_id = $1 AND action LIKE '店铺授权成功%'",
      [owner.companyId],
    );
    expect(rows).toEqual([{ action: '店铺授权成功，卖家未经核实' }]);
  });

  test('and comes back: the account is there, its tokens are sealed, and a reloaded page shows the same', async () => {
    const { owner, address, storeId } = await begun();
    const back = await agree(address, SELLER);
    const first = await finish(owner, back);
    expect(first.code).toBe(201);
    expect(await finish(owner, back)).toMatchObject({ code: 201, data: first.data });
    const [account, ...others] = await accounts(owner);
    expect(others).toEqual([]);
    expect(account).toMatchObject({
      authid: first.data.id,
      storeId,
      sellerid: SELLER,
      region: 'na',
      sellerauth: 1,
      status: 'active',
    });
    const days = (Date.parse(account?.expireTime ?? '') - Date.parse(account?.time ?? '')) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    const { rows } = await admin.query<{ refresh_token_sealed: string; access_token_sealed: string }>(
      'SELECT refresh_token_sealed, access_token_sealed FROM marketplace.seller_account WHERE id = $1',
      [first.data.id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/Atz[ar]\|/);
    expect(world.runtime.secrets.decrypt(rows[0]?.refresh_token_sealed ?? '')).toMatch(/^Atzr\|/);
    await letGo(owner);
  });

  test('twice at once: the page was opened in two tabs, and there is still one account', async () => {
    const { owner, address } = await begun();
    const back = await agree(address, SELLER);
    const answers = await Promise.all([1, 2, 3].map(() => finish(owner, back)));
    expect(answers.some((answer) => answer.code === 201)).toBe(true);
    for (const answer of answers) if (answer.code !== 201) expect(answer.msg).toBe(EXPIRED);
    expect(await accounts(owner)).toHaveLength(1);
    await letGo(owner);
  });
});

describe('nothing is connected when', () => {
  test('the seller declines: the browser is not even sent back', async () => {
    const { owner, address } = await begun();
    expect(await agree(address, SELLER, 'cancel')).toBeUndefined();
    expect(await accounts(owner)).toEqual([]);
  });

  test('the state is missing, invented or older than ten minutes', async () => {
    const { owner, address } = await begun();
    const back = await agree(address, SELLER);
    expect((await finish(owner, back, { state: '' })).msg).toBe(EXPIRED);
    expect((await finish(owner, back, { state: 'x'.repeat(43) })).msg).toBe(EXPIRED);
    const hash = createHash('sha256').update(part(back, 'state')).digest('hex');
    await admin.query(
      "UPDATE marketplace.oauth_state SET expires_at = kit.now() - interval '1 second' WHERE nonce_hash = $1",
      [hash],
    );
    expect((await finish(owner, back)).msg).toBe(EXPIRED);
    expect(await accounts(owner)).toEqual([]);
  });

  test('the code is wrong, or was used for another consent; the state is spent either way', async () => {
    const failed = '授权失败，请重试，重试时必须在店铺所在的网络环境中操作';
    const wrong = await begun();
    const back = await agree(wrong.address, SELLER);
    expect(await finish(wrong.owner, back, { spapi_oauth_code: 'invented' })).toMatchObject({
      status: 200,
      code: 400,
      msg: failed,
    });
    expect((await finish(wrong.owner, back)).msg).toBe(EXPIRED);

    const first = await begun();
    const used = await agree(first.address, SELLER);
    expect((await finish(first.owner, used)).code).toBe(201);
    const second = await begun(first.owner);
    const state = new URL(second.address).searchParams.get('state') ?? '';
    expect((await finish(second.owner, used, { state })).msg).toBe(failed);
    await letGo(first.owner);
  });

  test('the seller works for another company; once that one lets go, it can be taken', async () => {
    const holder = await world.owner('先来的公司');
    await connectStore(holder);
    const { owner, address } = await begun();
    const refusal = await finish(owner, await agree(address, SELLER));
    expect(refusal).toMatchObject({
      code: 400,
      msg: '该店铺已被其他公司绑定，请先在原公司停用后再授权',
      data: { code: 'B0305' },
    });
    expect(await accounts(owner)).toEqual([]);
    await letGo(holder);
    const again = await begun(owner);
    expect((await finish(owner, await agree(again.address, SELLER))).code).toBe(201);
    await letGo(owner);
  });

  test('two companies race for one seller: exactly one has it', async () => {
    const one = await begun();
    const two = await begun();
    const backs = await Promise.all([agree(one.address, SELLER), agree(two.address, SELLER)]);
    const answers = await Promise.all([finish(one.owner, backs[0]), finish(two.owner, backs[1])]);
    expect(answers.map((answer) => answer.code).filter((code) => code === 201)).toHaveLength(1);
    for (const answer of answers)
      if (answer.code !== 201) expect(answer.msg).toBe('该店铺已被其他公司绑定，请先在原公司停用后再授权');
    expect([...(await accounts(one.owner)), ...(await accounts(two.owner))]).toHaveLength(1);
    await letGo(one.owner);
    await letGo(two.owner);
  });

  test('another seller agrees than the one whose account is renewed', async () => {
    const owner = await world.owner();
    const { accountId } = await connectStore(owner);
    const before = await accounts(owner);
    const renewal = await begun(owner, accountId);
    const back = await agree(renewal.address, SELLER);
    const refusal = await finish(owner, back, { selling_partner_id: 'A9STRANGER' });
    expect(refusal.msg).toBe(`授权的卖家与当前店铺不一致（A9STRANGER≠${SELLER}）`);
    expect(await accounts(owner)).toEqual(before);
    await letGo(owner);
  });

  test('somebody names the store or the account of another company', async () => {
    const holder = await world.owner();
    const { storeId, accountId } = await connectStore(holder);
    const thief = await world.owner();
    const foreign = await thief.send(authUrl, { query: { groupid: storeId, marketplaceId: US } });
    expect(foreign.status).toBe(404);
    const renewal = await begun(thief, accountId);
    expect((await finish(thief, await agree(renewal.address, SELLER))).code).not.toBe(201);
    expect(await accounts(thief)).toEqual([]);
    expect((await thief.send(disableSeller, { query: { authid: accountId, sellerid: SELLER } })).status).toBe(404);
    await letGo(holder);
  });

  test('the marketplace cannot be reached: words, not a fault', async () => {
    const nowhere = 'http://127.0.0.1:9';
    const settings = world.runtime.config.marketplace;
    if (!settings) throw new Error('no marketplace');
    const alone = await createWorld({ retryBaseMs: 10, marketplace: { ...settings, lwaTokenUrl: `${nowhere}/token` } });
    try {
      const owner = await alone.owner();
      const storeId = await owner.call(saveStore, { body: { name: '断网' } });
      const address = await owner.call(authUrl, { query: { groupid: storeId, marketplaceId: US } });
      const back = await agree(address, SELLER);
      const answer = await finish(owner, back);
      expect(answer).toMatchObject({ status: 200, code: 400, data: { code: 'B0308' } });
      expect(answer.msg).toBe('亚马逊授权服务暂时没有响应，请稍后刷新本页重试');
      alone.runtime.config.marketplace = settings;
      expect((await finish(owner, back)).code).toBe(201);
    } finally {
      await alone.close();
    }
  });

  test('no marketplace is configured', async () => {
    const alone = await createWorld();
    try {
      const owner = await alone.owner();
      const storeId = await owner.call(saveStore, { body: { name: '未配置' } });
      const answer = await owner.send(authUrl, { query: { groupid: storeId, marketplaceId: US } });
      expect(answer).toMatchObject({ status: 200, code: 400, msg: '尚未配置亚马逊接口地址，请联系管理员' });
    } finally {
      await alone.close();
    }
  });
});

describe('after the consent', () => {
  test('the worker brings everything that the first synchronisation asks for', async () => {
    const owner = await world.owner();
    const { accountId, storeId } = await connectStore(owner);
    const before = await owner.call(accountHealth, { query: { authid: accountId } });
    expect(before.firstSyncDone).toBe(false);
    await world.work();
    await untilSynced(owner, accountId);
    // The streams in the background begin when the first synchronisation is through.
    const health = await vi.waitFor(
      async () => {
        const found = await owner.call(accountHealth, { query: { authid: accountId } });
        expect(found.streams.filter((stream) => stream.lastSuccessAt === null || stream.error !== null)).toEqual([]);
        return found;
      },
      { timeout: PATIENCE_MS, interval: 300 },
    );
    expect(health.streams.length).toBeGreaterThan(0);
    // Reports that come in the background are asked for later: their streams have not called yet.
    expect(health.calls).toBeGreaterThanOrEqual(10);
    expect(health.backfill.filter((plan) => plan.failed > 0)).toEqual([]);

    const [account] = await accounts(owner);
    expect(account?.countrysList.map((site) => site.country).sort()).toEqual(['CA', 'US']);
    expect(account?.health).toBe('1');
    const sites = await owner.call(authMarketplace, {});
    expect(sites.map((site) => site.value)).toContain(`${US}-${accountId}`);
    // Others come in the background and may still be on their way.
    const background = new Set(
      extensionsOf(world.runtime.modules, reportPlans).flatMap((plan) => (plan.inBackground ? [plan.reportType] : [])),
    );
    const waitedFor = async () => {
      const tasks = await owner.call(reportTasks, { body: { pagesize: 100, filter: { authid: [accountId] } } });
      return tasks.records.filter((task) => !background.has(task.reportType));
    };
    expect((await waitedFor()).length).toBeGreaterThan(0);
    // What Amazon had nothing for counts as read, and is asked for once more.
    await vi.waitFor(
      async () => expect((await waitedFor()).filter(({ status }) => !['loaded', 'empty'].includes(status))).toEqual([]),
      { timeout: PATIENCE_MS, interval: 300 },
    );

    // A store with a living account cannot be deleted; a slip of the finger does not stop the account.
    expect((await owner.send(deleteStore, { params: { id: storeId } })).msg).toBe('店铺下存在授权，请先停用');
    const slip = await owner.send(disableSeller, { query: { authid: accountId, sellerid: 'A1SANDBOX0002' } });
    expect(slip.data).toMatchObject({ code: 'B0322' });
    await letGo(owner);
    const stopped = await owner.call(accountHealth, { query: { authid: accountId } });
    expect(new Set(stopped.streams.map((stream) => stream.state))).toEqual(new Set(['blocked_auth']));
    expect(await owner.call(authMarketplace, {})).toEqual([]);
    await owner.call(deleteStore, { params: { id: storeId } });
    expect(await owner.call(listStores, {})).toEqual([]);
  });
});
