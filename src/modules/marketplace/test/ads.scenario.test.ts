import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { agree, connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { createWorld, type Person } from '#test/support/world.ts';
import { adsBind, adsBindUrl, adsCapture, adsDisable, adsGroups, adsProfiles } from '../contract/ads.ts';
import { bindSeller, saveStore } from '../contract/stores.ts';
import { createAdsApi } from '../server/ads/client.ts';
import { connectionRef, foreignProfiles } from '../server/ads/profiles.ts';

const SELLER = 'A1SANDBOX0001';
const EXPIRED = '授权链接已失效，请重新发起授权';
const ELSEWHERE = '该广告账户已被其他公司绑定，请先在原公司停用后再授权';

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
// Whatever a story ended with, the seller and his profiles are free for the next one.
afterEach(async () => {
  await admin.query("UPDATE marketplace.seller_account SET status = 'disabled'");
  await admin.query("UPDATE marketplace.ads_connection SET status = 'disabled'");
  await admin.query('UPDATE marketplace.ads_profile SET active = false');
});

interface Begun {
  owner: Person;
  storeId: string;
  address: string;
}

async function begun(person?: Person, storeId?: string): Promise<Begun> {
  const owner = person ?? (await world.owner());
  const id = storeId ?? (await owner.call(saveStore, { body: { name: `店铺${Math.random()}` } }));
  const address = await owner.call(adsBindUrl, { query: { groupid: id, region: 'na' } });
  return { owner, storeId: id, address };
}

const part = (back: URL | undefined, name: string) => back?.searchParams.get(name) ?? '';

function finish(person: Person, back: URL | undefined, changes: object = {}) {
  return person.send(adsBind, { body: { state: part(back, 'state'), code: part(back, 'code'), ...changes } });
}

async function bound(person?: Person, storeId?: string): Promise<Begun & { id: string }> {
  const start = await begun(person, storeId);
  const answer = await finish(start.owner, await agree(start.address, SELLER));
  expect(answer.code, answer.msg).toBe(201);
  return { ...start, id: answer.data.id };
}

describe('a seller lets his advertising be read', () => {
  test('the page is that of the region and names client, scope, address and a nonce kept as a hash', async () => {
    const { address } = await begun();
    const page = new URL(address);
    expect(page.pathname).toBe('/ads-consent/na/ap/oa');
    expect(page.searchParams.get('scope')).toBe('advertising::campaign_management');
    expect(page.searchParams.get('response_type')).toBe('code');
    expect(page.searchParams.get('redirect_uri')).toMatch(/\/advresult$/);
    const nonce = page.searchParams.get('state') ?? '';
    expect(Buffer.from(nonce, 'base64url')).toHaveLength(32);
    const { rows } = await admin.query<{ kind: string }>(
      'SELECT kind FROM marketplace.oauth_state WHERE nonce_hash = $1',
      [createHash('sha256').update(nonce).digest('hex')],
    );
    expect(rows).toEqual([{ kind: 'ads' }]);
  });

  test('profiles appear, tokens are sealed, a reloaded page shows the same, pickers know the store', async () => {
    const { owner, address, storeId } = await begun();
    const back = await agree(address, SELLER);
    const first = await finish(owner, back);
    expect(first.code, first.msg).toBe(201);
    expect(await finish(owner, back)).toMatchObject({ code: 201, data: first.data });
    const profiles = await owner.call(adsProfiles, { query: { groupid: storeId } });
    expect(profiles.map((one) => [one.country, one.currency, one.active])).toEqual([
      ['CA', 'CAD', true],
      ['US', 'USD', true],
    ]);
    for (const one of profiles) expect(one.profileId).toMatch(/^\d{15}$/);
    expect(await owner.call(adsGroups, {})).toEqual([
      { id: storeId, name: expect.stringContaining('店铺'), regions: ['北美'] },
    ]);
    const { rows } = await admin.query<{ text: string; sealed: string }>(
      'SELECT c::text AS text, refresh_token_sealed AS sealed FROM marketplace.ads_connection c WHERE id = $1',
      [first.data.id],
    );
    expect(rows[0]?.text).not.toMatch(/Atz[ar]\|/);
    expect(world.runtime.secrets.decrypt(rows[0]?.sealed ?? '')).toMatch(/^Atzr\|/);
  });

  test('a profile is linked to the seller account of its advertiser, whichever came first', async () => {
    const owner = await world.owner();
    const seller = await connectStore(owner, SELLER);
    await bound(owner, seller.storeId);
    const profiles = await owner.call(adsProfiles, { query: {} });
    expect(new Set(profiles.map((one) => one.authid))).toEqual(new Set([seller.accountId]));
    const [account] = (await owner.call(bindSeller, {})).stores.flatMap((store) => store.regionslist);
    expect(account).toMatchObject({ adauth: 1, adStatus: 'active' });
  });
});

describe('nothing is bound when', () => {
  test('the seller declines: the browser comes back without a code', async () => {
    const { owner, address } = await begun();
    const back = await agree(address, SELLER, 'cancel');
    expect(back?.searchParams.get('error')).toBe('access_denied');
    expect((await finish(owner, back)).status).toBe(400);
    expect(await owner.call(adsProfiles, { query: {} })).toEqual([]);
  });

  test('the state is invented, of a seller consent, older than ten minutes, or used by a refused code', async () => {
    const { owner, address } = await begun();
    const back = await agree(address, SELLER);
    expect((await finish(owner, back, { state: 'x'.repeat(43) })).msg).toBe(EXPIRED);
    await admin.query("UPDATE marketplace.oauth_state SET kind = 'seller'");
    expect((await finish(owner, back)).msg).toBe(EXPIRED);
    await admin.query("UPDATE marketplace.oauth_state SET kind = 'ads', expires_at = kit.now() - interval '1 second'");
    expect((await finish(owner, back)).msg).toBe(EXPIRED);
    const second = await begun(owner);
    const again = await agree(second.address, SELLER);
    expect((await finish(owner, again, { code: 'invented' })).data).toMatchObject({ code: 'B0306' });
    expect((await finish(owner, again)).msg).toBe(EXPIRED);
    expect(await owner.call(adsProfiles, { query: {} })).toEqual([]);
  });

  test('a code is used twice for two consents', async () => {
    const first = await begun();
    const back = await agree(first.address, SELLER);
    expect((await finish(first.owner, back)).code).toBe(201);
    const second = await begun(first.owner);
    const state = new URL(second.address).searchParams.get('state') ?? '';
    expect((await finish(first.owner, back, { state })).data).toMatchObject({ code: 'B0306' });
  });

  test('the profiles work for another company: they stay there until it lets go', async () => {
    const holder = await bound();
    const { owner, address } = await begun();
    const refusal = await finish(owner, await agree(address, SELLER));
    expect(refusal).toMatchObject({ code: 400, msg: ELSEWHERE, data: { code: 'B0332' } });
    expect(await owner.call(adsProfiles, { query: {} })).toEqual([]);
    const kept = await holder.owner.call(adsProfiles, { query: {} });
    expect(kept.map((one) => [one.connectionId, one.active])).toEqual([
      [holder.id, true],
      [holder.id, true],
    ]);
    await holder.owner.call(adsDisable, { query: { id: holder.id } });
    const again = await begun(owner);
    expect((await finish(owner, await agree(again.address, SELLER))).code).toBe(201);
  });

  test('somebody names the store or the consent of another company', async () => {
    const holder = await bound();
    const thief = await world.owner();
    expect((await thief.send(adsBindUrl, { query: { groupid: holder.storeId, region: 'na' } })).status).toBe(404);
    expect((await thief.send(adsDisable, { query: { id: holder.id } })).status).toBe(404);
    expect((await thief.send(adsCapture, { query: { id: holder.id } })).status).toBe(404);
  });

  test('no advertising API is configured', async () => {
    const alone = await createWorld();
    try {
      const owner = await alone.owner();
      const groupid = await owner.call(saveStore, { body: { name: '未配置' } });
      const answer = await owner.send(adsBindUrl, { query: { groupid, region: 'na' } });
      expect(answer).toMatchObject({ code: 400, msg: '尚未配置亚马逊广告接口地址，请联系管理员' });
    } finally {
      await alone.close();
    }
  });
});

describe('a consent of another store of the same company', () => {
  test('leaves the profiles with the store that has them', async () => {
    const first = await bound();
    const second = await bound(first.owner);
    const profiles = await first.owner.call(adsProfiles, { query: {} });
    expect(new Set(profiles.map((one) => one.connectionId))).toEqual(new Set([first.id]));
    expect(second.id).not.toBe(first.id);
    await first.owner.call(adsDisable, { query: { id: first.id } });
    const { profiles: moved } = await first.owner.call(adsCapture, { query: { id: second.id } });
    expect(moved.every((one) => one.connectionId === second.id && one.active)).toBe(true);
  });
});

describe('a consent is taken back', () => {
  const accessOf = (connection: Awaited<ReturnType<typeof connectionRef>>) =>
    createAdsApi(world.runtime, connection, { calls: 0, throttled: 0 }).call({
      operation: 'listProfiles',
      method: 'GET',
      path: '/v2/profiles',
    });

  test('asked twice, a minute apart, then it is lost, said once, and its profiles are free', async () => {
    const { owner, id } = await bound();
    const connection = await inTenant(world.runtime, systemPrincipal(owner.companyId), (ctx) => connectionRef(ctx, id));
    const ids = (await owner.call(adsProfiles, { query: {} })).map((one) => one.profileId);
    const stranger = '00000000-0000-4000-8000-000000000001';
    expect((await foreignProfiles(world.runtime, stranger, ids)).size).toBe(2);
    world.sandbox.world.revoke(SELLER, 'na', true);
    await expect(accessOf(connection)).rejects.toThrow('广告授权可能失效');
    const still = await admin.query('SELECT status FROM marketplace.ads_connection WHERE id = $1', [id]);
    expect(still.rows).toEqual([{ status: 'active' }]);
    await admin.query("UPDATE marketplace.ads_connection SET auth_failed_at = kit.now() - interval '2 minutes'");
    await expect(accessOf(connection)).rejects.toThrow('广告授权失效');
    await expect(accessOf(connection)).rejects.toThrow('广告授权失效');
    const lost = await admin.query('SELECT status FROM marketplace.ads_connection WHERE id = $1', [id]);
    expect(lost.rows).toEqual([{ status: 'revoked' }]);
    const said = await admin.query(
      "SELECT 1 FROM message.message WHERE company_id = $1 AND event = 'marketplace.adsLost'",
      [owner.companyId],
    );
    expect(said.rowCount).toBe(1);
    expect((await foreignProfiles(world.runtime, stranger, ids)).size).toBe(0);
    expect((await owner.send(adsCapture, { query: { id } })).data).toMatchObject({ code: 'B0335' });
  });
});
