import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { logInAs } from '#test/support/log-in.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { saveSubscription } from '../contract/self.ts';
import { company, PASSWORD } from './support.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const CHROME_LATER = CHROME.replace('131', '132');
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

interface Browser {
  ip: string;
  agent: string;
  cookie?: string | undefined;
}

/** Logs in with a browser and keeps its cookie as browsers do. */
async function comeIn(account: string, browser: Browser, password = PASSWORD): Promise<string | undefined> {
  const response = await world.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { account, password },
    remoteAddress: browser.ip,
    headers: { 'user-agent': browser.agent },
    cookies: browser.cookie ? { device: browser.cookie } : {},
  });
  const set = response.cookies.find(({ name }) => name === 'device');
  if (set) {
    expect(set).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    browser.cookie = set.value;
  }
  return response.json().data?.session;
}

async function told(companyId: string): Promise<string[]> {
  const rows = await world.runtime.connections.tenant(
    companyId,
    (db) =>
      db
        .selectFrom('message.message')
        .select(['title', 'content'])
        .where('company_id', '=', companyId)
        .where('event', '=', 'identity.newDevice')
        .orderBy('id')
        .execute(),
    { readOnly: true },
  );
  return rows.map((row) => `${row.title}\n${row.content}`);
}

async function toldTimes(companyId: string, times: number): Promise<string[]> {
  await vi.waitFor(async () => expect(await told(companyId)).toHaveLength(times), { timeout: PATIENCE_MS });
  return told(companyId);
}

describe('a person and his browsers', () => {
  let who: Awaited<ReturnType<typeof company>>;
  const office: Browser = { ip: '203.0.113.5', agent: CHROME };
  beforeAll(async () => {
    who = await company(world);
  });

  test('the first browser ever is no news', async () => {
    expect(await comeIn(who.account, office)).toBeDefined();
    expect(await told(who.companyId)).toEqual([]);
  });

  test('the same browser stays known at another address and after an update', async () => {
    await comeIn(who.account, office);
    await comeIn(who.account, { ...office, ip: '198.51.100.77' });
    await comeIn(who.account, { ...office, agent: CHROME_LATER });
    expect(await told(who.companyId)).toEqual([]);
  });

  test('another browser is told with time, address and device', async () => {
    await comeIn(who.account, { ip: '192.0.2.9', agent: SAFARI });
    const [text] = await toldTimes(who.companyId, 1);
    expect(text).toContain('新设备登录');
    expect(text).toContain(`账号 ${who.account} 于 `);
    expect(text).toMatch(/于 \d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} 在新设备上登录/);
    expect(text).toContain('设备：Safari 17 · macOS');
    expect(text).toContain('地址：192.0.2.9');
  });

  test('one that keeps no cookies is known by address and name', async () => {
    await comeIn(who.account, { ip: '192.0.2.9', agent: SAFARI });
    await comeIn(who.account, { ip: '192.0.2.9', agent: CHROME });
    await toldTimes(who.companyId, 2);
  });

  test('a browser known to one person is news for another', async () => {
    const other = await company(world);
    await comeIn(other.account, { ip: '203.0.113.200', agent: SAFARI });
    await comeIn(other.account, { ...office });
    await toldTimes(other.companyId, 1);
  });

  test('a wrong password makes no browser known', async () => {
    const stranger: Browser = { ip: '192.0.2.66', agent: CHROME };
    expect(await comeIn(who.account, stranger, 'Falsch-2026')).toBeUndefined();
    expect(stranger.cookie).toBeUndefined();
    await comeIn(who.account, stranger);
    await toldTimes(who.companyId, 3);
  });
});

describe('who does not want to hear of it', () => {
  let owner: Person;
  let account: string;
  beforeAll(async () => {
    const { companyId } = await world.owner();
    account = `owner-${companyId}@example.com`;
    // The first browser of all is no new one.
    owner = await logInAs(world, account, PASSWORD, companyId);
  });

  async function delivered(): Promise<string[]> {
    const rows = await world.runtime.connections.tenant(
      owner.companyId,
      async (db) => [
        ...(
          await db.selectFrom('message.inbox').select('user_id').where('company_id', '=', owner.companyId).execute()
        ).map(() => 'site'),
        ...(
          await db.selectFrom('message.delivery').select('channel').where('company_id', '=', owner.companyId).execute()
        ).map(({ channel }) => channel),
      ],
      { readOnly: true },
    );
    return rows.sort();
  }

  test('switches it off by channel', async () => {
    await world.as(owner, (ctx) =>
      ctx.db
        .updateTable('identity.member')
        .set({ email: 'wer@example.com', email_verified: true })
        .where('company_id', '=', owner.companyId)
        .execute(),
    );
    await comeIn(account, { ip: '192.0.2.1', agent: SAFARI });
    await toldTimes(owner.companyId, 1);
    expect(await delivered()).toEqual(['email', 'site']);
    const off = async (channel: 'site' | 'email') =>
      owner.call(saveSubscription, { body: { event: 'identity.newDevice', channel, wanted: false } });
    await off('email');
    await comeIn(account, { ip: '192.0.2.2', agent: SAFARI });
    await toldTimes(owner.companyId, 2);
    expect(await delivered()).toEqual(['email', 'site', 'site']);
    await off('site');
    await comeIn(account, { ip: '192.0.2.3', agent: SAFARI });
    await toldTimes(owner.companyId, 3);
    expect(await delivered()).toEqual(['email', 'site', 'site']);
  });
});
