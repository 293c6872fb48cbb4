import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { subscriptions } from '#modules/identity/contract/self.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { listSchedules } from '#modules/system/contract/schedules.ts';
import { makeSellerAccount, type SellerOptions } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { remindOfExpiry, stepDue } from '../server/expiry-reminders.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A seller account whose consent ends then; answers its id. */
async function connected(
  owner: Person,
  options: SellerOptions & { expiresAt: string },
  name = '北美店',
): Promise<string> {
  return (await makeSellerAccount(world, owner, { ...options, name })).id;
}

const titlesOf = async (person: Person) =>
  (await person.call(getRemind, { body: { pagesize: 100 } })).records.map((row) => row.title);

/** Nine in the morning in Shanghai of each day from one to another, both included. */
function mornings(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(`${from}T01:00:00Z`); at <= Date.parse(`${to}T01:00:00Z`); at += 86_400_000) {
    days.push(new Date(at).toISOString());
  }
  return days;
}

async function daysWithReminders(owner: Person, days: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const at of days) {
    const sent = await world.as(owner, (ctx) => remindOfExpiry(ctx, at));
    // A second look on the same day says nothing new.
    expect(await world.as(owner, (ctx) => remindOfExpiry(ctx, at))).toBe(0);
    if (sent > 0) found.push(at.slice(0, 10));
  }
  return found;
}

describe('authorised on 2026-03-10 a store', () => {
  test('is reminded of on 2027-02-08, 02-24, 03-03, 03-07 and 03-09, and on no other day', async () => {
    const owner = await world.owner();
    const expiresAt = new Date(Date.parse('2026-03-10T06:30:00Z') + 365 * 86_400_000).toISOString();
    expect(expiresAt.slice(0, 10)).toBe('2027-03-10');
    await connected(owner, { expiresAt });
    expect(await daysWithReminders(owner, mornings('2027-02-01', '2027-03-15'))).toEqual([
      '2027-02-08',
      '2027-02-24',
      '2027-03-03',
      '2027-03-07',
      '2027-03-09',
    ]);
    expect(await titlesOf(owner)).toEqual([
      '店铺授权1天后到期：北美店（NA）',
      '店铺授权3天后到期：北美店（NA）',
      '店铺授权7天后到期：北美店（NA）',
      '店铺授权14天后到期：北美店（NA）',
      '店铺授权30天后到期：北美店（NA）',
    ]);
    const [newest] = (await owner.call(getRemind, { body: {} })).records;
    expect(newest?.text).toContain('授权将于 2027-03-10 到期');
    expect(newest?.link?.path).toBe('/amazon/storeAuth');
  });

  test('counts days where the company is: 23:30 UTC is tomorrow in Shanghai', async () => {
    const owner = await world.owner();
    await connected(owner, { expiresAt: '2027-03-09T23:30:00Z' });
    expect(await daysWithReminders(owner, mornings('2027-02-07', '2027-02-09'))).toEqual(['2027-02-08']);
  });

  test('after days of standstill it is reminded of once, with the days that are left', async () => {
    const owner = await world.owner();
    await connected(owner, { expiresAt: '2027-03-10T06:30:00Z' });
    expect(await daysWithReminders(owner, mornings('2027-03-05', '2027-03-06'))).toEqual(['2027-03-05']);
    expect(await titlesOf(owner)).toEqual(['店铺授权5天后到期：北美店（NA）']);
  });

  test('renewed, it is silent until its new end comes near; stopped or lost, it stays silent', async () => {
    const owner = await world.owner();
    const id = await connected(owner, { expiresAt: '2027-03-10T06:30:00Z' });
    await connected(owner, { expiresAt: '2027-03-10T06:30:00Z', status: 'disabled' }, '停用店');
    await connected(owner, { expiresAt: '2027-03-10T06:30:00Z', status: 'revoked' }, '失效店');
    expect(await daysWithReminders(owner, mornings('2027-02-08', '2027-02-08'))).toHaveLength(1);
    await world.as(owner, (ctx) =>
      ctx.db
        .updateTable('marketplace.seller_account')
        .set({ expires_at: '2028-02-20T06:30:00Z' })
        .where('company_id', '=', owner.companyId)
        .where('id', '=', id)
        .execute(),
    );
    expect(await daysWithReminders(owner, mornings('2027-02-09', '2027-03-12'))).toEqual([]);
    expect(await daysWithReminders(owner, mornings('2028-01-20', '2028-01-22'))).toEqual(['2028-01-21']);
    expect((await titlesOf(owner)).every((title) => title.includes('北美店'))).toBe(true);
  });
});

test('who may authorise hears of it, others and other companies do not', async () => {
  const [owner, stranger] = [await world.owner(), await world.owner('另一家')];
  const authoriser = await world.member(owner, ['amz:store:authorize']);
  const viewer = await world.member(owner, ['amz:store:view']);
  await connected(owner, { expiresAt: '2027-03-10T06:30:00Z' });
  await world.as(owner, (ctx) => remindOfExpiry(ctx, '2027-03-09T01:00:00Z'));
  expect(await titlesOf(authoriser)).toEqual(['店铺授权1天后到期：北美店（NA）']);
  expect([await titlesOf(viewer), await titlesOf(stranger)]).toEqual([[], []]);
});

test('it is a schedule of every company, and an event that people choose channels for', async () => {
  const owner = await world.owner();
  const { records } = await owner.call(listSchedules, { body: { pagesize: 100 } });
  expect(records.find((row) => row.title === '店铺授权到期提醒')).toMatchObject({ state: 'active', cron: '0 9 * * *' });
  const event = (await owner.call(subscriptions, {})).find((row) => row.title === '店铺授权即将到期');
  expect(event?.channels).toMatchObject({ site: true, email: true, sms: false });
});

test('the step that is due is the nearest one that was reached', () => {
  fc.assert(
    fc.property(fc.integer({ min: -40, max: 60 }), (days) => {
      const step = stepDue(days);
      if (days < 0 || days > 30) return step === undefined;
      const reached = [30, 14, 7, 3, 1].filter((each) => days <= each);
      return step === Math.min(...reached);
    }),
  );
});
