import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { authSeller, authUrl, bindSeller, saveStore } from '#modules/marketplace/contract/stores.ts';
import { accountHealth, syncNow } from '#modules/marketplace/contract/sync.ts';
import { inProof } from '../support/in-proof.ts';
import {
  agree,
  connectStore,
  createMarketplaceWorld,
  type MarketplaceWorld,
  untilSynced,
} from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import type { Person } from '../support/world.ts';
import {
  AMERICAN,
  clearStage,
  connect,
  expectSameBooks,
  ORDERS,
  STORY_MS,
  switchOn,
  syncAgain,
  tasksOf,
} from './story.ts';

const { sellingPartnerId: SELLER, marketplaceId: US } = AMERICAN;

let world: MarketplaceWorld;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
});
afterAll(() => world.close());
afterEach(() => clearStage(world));

async function accountsOf(owner: Person) {
  return (await owner.call(bindSeller, {})).stores.flatMap((store) => store.regionslist);
}

const healthOf = (owner: Person, accountId: string) => owner.call(accountHealth, { query: { authid: accountId } });

async function stateOf(owner: Person, accountId: string, stream: string): Promise<string | undefined> {
  return (await healthOf(owner, accountId)).streams.find((one) => one.stream === stream)?.state;
}

/** The consent page from end to end; what the result page is told. */
async function consent(owner: Person, storeId: string) {
  const address = await owner.call(authUrl, { query: { groupid: storeId, marketplaceId: US } });
  const back = await agree(address, SELLER);
  const part = (name: string) => back?.searchParams.get(name) ?? '';
  return owner.send(authSeller, {
    query: {
      state: part('state'),
      selling_partner_id: part('selling_partner_id'),
      spapi_oauth_code: part('spapi_oauth_code'),
    },
  });
}

inProof(
  'a code that was used before: the result page says so in words, nothing is connected, a second consent works',
  async () => {
    const owner = await world.owner('a code used twice');
    const storeId = await owner.call(saveStore, { body: { name: '重复授权码' } });
    const switchOff = switchOn(world, { name: '', kind: 'codeReused', count: 1 });
    expect(await consent(owner, storeId)).toMatchObject({
      status: 200,
      code: 400,
      msg: '授权失败，请重试，重试时必须在店铺所在的网络环境中操作',
      data: { code: 'B0306' },
    });
    expect(await accountsOf(owner)).toEqual([]);
    switchOff();
    const second = await consent(owner, storeId);
    expect(second.code).toBe(201);
    await untilSynced(owner, second.data.id);
    await expectSameBooks(world, owner, second.data.id);
  },
  STORY_MS,
);

test(
  'a role taken away: its stream says so and waits, the others go on; once the role is back it catches up',
  async () => {
    const owner = await world.owner('a role taken away');
    const switchOff = switchOn(world, { name: '', kind: 'roleRemoved', operation: 'searchOrders' });
    const { accountId } = await connect(owner, AMERICAN);
    const settled = async () => {
      const { streams } = await healthOf(owner, accountId);
      const others = streams.filter((one) => one.stream !== 'orders.live');
      return others.length > 2 && others.every((one) => one.lastSuccessAt !== null);
    };
    await expect.poll(settled, { timeout: PATIENCE_MS }).toBe(true);
    const { streams } = await healthOf(owner, accountId);
    const orders = streams.filter((one) => one.stream === 'orders.live');
    expect(orders.length).toBeGreaterThan(0);
    for (const stream of orders) {
      expect(stream).toMatchObject({ state: 'blocked_role', lastSuccessAt: null });
      expect(stream.error).toContain('缺少权限角色');
    }
    for (const stream of streams.filter((one) => one.stream !== 'orders.live')) {
      expect(['ready', 'running']).toContain(stream.state);
    }
    // The consent itself stands: nobody is told to authorise anew.
    expect(await accountsOf(owner)).toMatchObject([{ status: 'active', sellerauth: 1 }]);

    // Trying again before the role is back changes nothing.
    await owner.call(syncNow, { body: { authid: accountId } });
    await expect.poll(() => stateOf(owner, accountId, 'orders.live'), { timeout: PATIENCE_MS }).toBe('blocked_role');
    switchOff();
    await syncAgain(owner, accountId);
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);

inProof(
  'a role for reports taken away: the history says what it lacks, and is asked for again once the role is back',
  async () => {
    const owner = await world.owner('no role for reports');
    const switchOff = switchOn(world, { name: '', kind: 'roleRemoved', operation: 'createReport' });
    const { accountId } = await connect(owner, AMERICAN);
    const tasks = () => tasksOf(owner, accountId, ORDERS);
    const open = async () => {
      const all = await tasks();
      return all.length > 0 ? all.filter((task) => task.status !== 'failed').length : undefined;
    };
    await expect.poll(open, { timeout: PATIENCE_MS }).toBe(0);
    for (const task of await tasks()) expect(task.error).toContain('缺少权限角色');
    switchOff();
    await syncAgain(owner, accountId);
    // What Amazon had nothing for counts as read, and is asked for once more.
    const unread = async () => (await tasks()).filter((task) => !['loaded', 'empty'].includes(task.status));
    await expect.poll(unread, { timeout: PATIENCE_MS }).toEqual([]);
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);

inProof(
  'no role even to ask where the seller sells: the store says so, and opens once the role is there',
  async () => {
    const owner = await world.owner('no role at all');
    const switchOff = switchOn(world, { name: '', kind: 'roleRemoved', operation: 'getMarketplaceParticipations' });
    const { accountId } = await connect(owner, AMERICAN);
    const problem = async () => (await accountsOf(owner))[0]?.problem ?? '';
    await expect.poll(problem, { timeout: PATIENCE_MS }).toContain('缺少权限角色');
    expect(await healthOf(owner, accountId)).toMatchObject({ streams: [], firstSyncDone: false });
    switchOff();
    await syncAgain(owner, accountId);
    expect(await problem()).toBe('');
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);

async function tokensExpire(owner: Person, accountId: string): Promise<void> {
  await world.as(owner, (ctx) =>
    ctx.db
      .updateTable('marketplace.seller_account')
      .set({ access_expires_at: new Date(0) })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', accountId)
      .execute(),
  );
}

inProof(
  'a grant that is refused once by mistake: the seller does not count as lost, and the books agree',
  async () => {
    const owner = await world.owner('a slip of the token endpoint');
    const { accountId } = await connect(owner, AMERICAN);
    await untilSynced(owner, accountId);
    const switchOff = switchOn(world, { name: '', kind: 'tokenRevoked', count: 1 });
    await tokensExpire(owner, accountId);
    await owner.call(syncNow, { body: { authid: accountId } });
    const struck = () => world.sandbox.world.faults.list()[0]?.struck;
    await expect.poll(struck, { timeout: PATIENCE_MS }).toBe(1);
    // Every stream asks again by itself, and none of them says that the consent is lost.
    const calm = async () =>
      (await healthOf(owner, accountId)).streams.every((one) => one.error === null && one.state === 'ready');
    await expect.poll(calm, { timeout: PATIENCE_MS }).toBe(true);
    switchOff();
    // The slip is confirmed to be one by the next token, which whoever comes next asks for.
    const told = { status: 'active', sellerauth: 1, problem: null };
    await expect.poll(() => accountsOf(owner), { timeout: PATIENCE_MS }).toMatchObject([told]);
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);

inProof(
  'a consent that was taken back stops the streams; a new consent catches up',
  async () => {
    const owner = await world.owner('a seller who changed his mind');
    const { accountId } = await connect(owner, AMERICAN);
    await untilSynced(owner, accountId);
    await fetch(`${world.sandbox.url}/control/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na' }),
    });
    await owner.call(syncNow, { body: { authid: accountId } });
    const status = async () => (await accountsOf(owner))[0]?.status;
    await expect.poll(status, { timeout: PATIENCE_MS }).toBe('revoked');
    const again = await connectStore(owner, SELLER, 'A2EUQ1WTGCTBG2');
    expect(again.accountId).toBe(accountId);
    await untilSynced(owner, accountId);
    await expectSameBooks(world, owner, accountId);
  },
  STORY_MS,
);
