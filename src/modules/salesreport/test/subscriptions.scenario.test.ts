import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import type { ViewContent } from '#kit/contract/list-view.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { disableSubUsers } from '#modules/identity/contract/sub-users.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import { MailBox } from '#test/support/mailbox.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { deliver, foldAll, makeSeller, type Seller, US } from '#test/support/sold.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { EXPORT, VIEW } from '../contract/fields.ts';
import { listReport } from '../contract/report.ts';
import {
  addSubscription,
  listSubscriptions,
  pauseSubscription,
  removeSubscription,
  SEND,
  sendSubscription,
  subscriptionReaders,
} from '../contract/subscriptions.ts';
import { nextDue } from '../server/subscriptions/due.ts';
import { tickMails } from '../server/subscriptions/queue.ts';

const box = new MailBox();
let world: World;
let owner: Person;
let sellers: [Seller, Seller];

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The next full hour in Beijing. */
const soon = () => (new Date(world.clock.ms() + HOUR).getUTCHours() + 8) % 24;
const CONTENT: ViewContent = {
  filter: { grain: 'day', compare: 'previous', currency: 'auto' },
  days: { dates: 'last7' },
  sort: null,
};
const FILTER = { grain: 'day', compare: 'previous', currency: 'auto' } as const;

beforeAll(async () => {
  const url = await box.open();
  world = await createWorld({ mail: { url, from: '跨境电商 ERP <erp@example.com>' }, retryBaseMs: 10 });
  owner = await world.owner();
  sellers = [await makeSeller(world, owner, [US]), await makeSeller(world, owner, [US])];
  for (const [n, seller] of sellers.entries()) {
    const orders = Array.from({ length: 40 }, (_, ago) => {
      const day = new Date(Date.parse('2026-11-27T19:00:00Z') - ago * DAY).toISOString();
      const line = { sku: 'A', quantity: n + 1, shipped: n + 1, price: String((n + 1) * 20), discount: '1.00' };
      return { id: `${n}-${ago}`, at: day, lines: [line] };
    });
    await world.as(owner, (ctx) => deliver(ctx, seller, orders));
    await foldAll(world, owner, seller);
  }
  await world.work();
});
afterAll(async () => {
  await world.close();
  await box.close();
});
beforeEach(() => {
  box.mails.length = 0;
  box.refuse = 0;
});

/** Lets so many hours go by and looks twice for what is due, as two processes do. */
async function later(hours: number): Promise<void> {
  await world.advance(hours * HOUR);
  await Promise.all([tickMails(world.runtime), tickMails(world.runtime)]);
}
const setUp = (who: Person, recipients: string[], more: object = {}) =>
  who.call(addSubscription, {
    body: { name: '日报', content: CONTENT, every: 'day', weekday: 1, monthDay: 1, hour: soon(), recipients, ...more },
  });
const mine = async (who = owner, id?: string) =>
  (await who.call(listSubscriptions, {})).filter((one) => id === undefined || one.id === id);
const settledAs = (who: Person, id: string, state: string) =>
  expect.poll(async () => (await mine(who, id))[0]?.last?.state, { timeout: PATIENCE_MS }).toBe(state);
const mailTo = async (part: string) => {
  const found = box.mails.filter(({ to }) => to.some((one) => one.includes(part)));
  return Promise.all(found.map(({ raw }) => PostalMime.parse(raw)));
};
const accountOf = (who: Person) =>
  world.as(who, async (ctx) => {
    const { rows } = await sql<{
      account: string;
    }>`SELECT account FROM identity.member WHERE id = ${who.userId}`.execute(ctx.db);
    return rows[0]?.account ?? '';
  });
const clear = async (id: string, who = owner) => void (await who.call(removeSubscription, { params: { id } }));

describe('when a subscription is due', () => {
  const at = (timing: object, zone: string, after: string) =>
    nextDue({ every: 'month', weekday: 1, monthDay: 31, hour: 8, ...timing }, zone, new Date(after)).toISOString();

  test('the 31st is the last day of shorter months', () => {
    expect(at({}, 'Asia/Shanghai', '2026-01-31T00:00:00Z')).toBe('2026-02-28T00:00:00.000Z');
    expect(at({}, 'Asia/Shanghai', '2026-02-28T00:00:00Z')).toBe('2026-03-31T00:00:00.000Z');
    expect(at({}, 'Asia/Shanghai', '2028-02-01T00:00:00Z')).toBe('2028-02-29T00:00:00.000Z');
    expect(at({}, 'Asia/Shanghai', '2026-12-31T01:00:00Z')).toBe('2027-01-31T00:00:00.000Z');
    expect(at({ monthDay: 1 }, 'Asia/Shanghai', '2026-12-31T23:00:00Z')).toBe('2027-01-01T00:00:00.000Z');
  });

  test('a clock that is changed moves the hour with it, and an hour that is skipped is due after the gap', () => {
    const zone = 'America/New_York';
    expect(at({ every: 'day' }, zone, '2026-03-07T20:00:00Z')).toBe('2026-03-08T12:00:00.000Z');
    expect(at({ every: 'day' }, zone, '2026-03-06T20:00:00Z')).toBe('2026-03-07T13:00:00.000Z');
    expect(at({ every: 'day', hour: 2 }, zone, '2026-03-08T00:00:00Z')).toBe('2026-03-08T07:00:00.000Z');
    const first = at({ every: 'day', hour: 1 }, zone, '2026-10-31T12:00:00Z');
    expect(first).toBe('2026-11-01T05:00:00.000Z');
    expect(at({ every: 'day', hour: 1 }, zone, first)).toBe('2026-11-02T06:00:00.000Z');
  });

  test('weeks begin with Monday', () => {
    expect(at({ every: 'week', weekday: 1 }, 'Asia/Shanghai', '2026-11-18T02:00:00Z')).toBe('2026-11-23T00:00:00.000Z');
    expect(at({ every: 'week', weekday: 7 }, 'Asia/Shanghai', '2026-11-18T02:00:00Z')).toBe('2026-11-22T00:00:00.000Z');
  });
});

describe('a report by e-mail', () => {
  test('comes once to each reader, with the totals of the screen and each as he may see it', async () => {
    const [all, one, plain] = [
      await world.member(owner, [VIEW, EXPORT, AMOUNTS]),
      await world.member(owner, [VIEW, EXPORT, AMOUNTS]),
      await world.member(owner, [VIEW]),
    ];
    await world.as(owner, (ctx) =>
      sql`INSERT INTO identity.member_scope (company_id, member_id, dimension, mode, ids)
          SELECT company_id, ${one.userId}, 'store', 'LIST', ARRAY[store_id] FROM marketplace.seller_account
           WHERE company_id = ${ctx.companyId} AND id = ${sellers[0].accountId}`.execute(ctx.db),
    );
    const id = await setUp(owner, [all.userId, one.userId, plain.userId]);
    await later(1);
    await later(0);
    await settledAs(owner, id, 'sent');
    await expect.poll(() => box.mails.length, { timeout: PATIENCE_MS }).toBe(3);

    const dates = { from: '2026-11-12', to: '2026-11-18' };
    const totals = async (who: Person) =>
      (await who.call(listReport, { body: { filter: { ...FILTER, dates } } })).totals ?? {};
    const [whole, own] = [await totals(all), await totals(one)];
    expect(Number(whole.units)).toBe(3 * Number(own.units));
    for (const [who, shown] of [
      [all, whole],
      [one, own],
    ] as const) {
      const [mail, ...others] = await mailTo(await accountOf(who));
      expect(others).toEqual([]);
      expect(mail?.html).toContain(`>${formatInteger(shown.units as number)}<`);
      expect(mail?.html).toContain(formatMoney(String(shown.netSales), String(shown.currency)));
      const [file] = mail?.attachments ?? [];
      expect(file?.filename).toMatch(/^销售报表 .*\.xlsx$/);
      const [head = [], ...rows] = await readSheet(Buffer.from(file?.content as ArrayBuffer));
      const units = head.indexOf('销量');
      expect(rows.reduce((sum, row) => sum + Number(row[units]), 0)).toBe(Number(shown.units));
    }
    // Without the rights to export and to see amounts: the pieces alone.
    const [mail] = await mailTo(await accountOf(plain));
    expect(mail?.attachments).toEqual([]);
    expect(mail?.html).toContain('订单数');
    expect(mail?.html).not.toContain('净销售额');
    await clear(id);
  });

  test('that the mail server refuses is tried again', async () => {
    const id = await setUp(owner, [owner.userId]);
    box.refuse = 1;
    await owner.call(sendSubscription, { params: { id } });
    await settledAs(owner, id, 'sent');
    expect(box.mails).toHaveLength(1);
    box.refuse = 10;
    await world.advance(1);
    await owner.call(sendSubscription, { params: { id } });
    await settledAs(owner, id, 'failed');
    await clear(id);
  });

  test('goes to members only who may see the report, and to nobody who lost that right or left', async () => {
    const [outsider, blind] = [await world.owner('另一家'), await world.member(owner, [])];
    for (const id of [outsider.userId, blind.userId]) {
      const answer = await owner.send(addSubscription, {
        body: { name: '外人', content: CONTENT, every: 'day', weekday: 1, monthDay: 1, hour: soon(), recipients: [id] },
      });
      expect(answer.status).toBe(400);
      expect((await owner.call(subscriptionReaders, {})).map((one) => one.id)).not.toContain(id);
    }
    const [lost, gone] = [await world.member(owner, [VIEW]), await world.member(owner, [VIEW])];
    const id = await setUp(owner, [lost.userId, gone.userId]);
    await world.as(owner, (ctx) =>
      sql`DELETE FROM identity.member_role WHERE company_id = ${ctx.companyId} AND member_id = ${lost.userId}`.execute(
        ctx.db,
      ),
    );
    await owner.call(disableSubUsers, { params: { ids: gone.userId } });
    await later(1);
    await settledAs(owner, id, 'skipped');
    expect(box.mails).toEqual([]);
    await clear(id);
  });

  test('is paused when its owner leaves, and a pause is not caught up on', async () => {
    const clerk = await world.member(owner, [VIEW, SEND]);
    const id = await setUp(clerk, [owner.userId]);
    await clerk.call(pauseSubscription, { params: { id }, body: { isPaused: true } });
    await later(2);
    await clerk.call(pauseSubscription, { params: { id }, body: { isPaused: false } });
    await later(0);
    expect((await mine(clerk, id))[0]).toMatchObject({ isPaused: false, last: null });
    expect((await owner.send(removeSubscription, { params: { id } })).status).toBe(404);
    await owner.call(disableSubUsers, { params: { ids: clerk.userId } });
    const kept = await world.as(owner, (ctx) =>
      ctx.db
        .selectFrom('salesreport.subscription')
        .select(['is_paused', 'note'])
        .where('id', '=', id)
        .executeTakeFirst(),
    );
    expect(kept).toEqual({ is_paused: true, note: '创建人已离开公司，已自动暂停' });
    await later(1);
    expect(box.mails).toEqual([]);
  });

  test('twenty are enough for one person', async () => {
    const clerk = await world.member(owner, [VIEW, SEND]);
    for (let n = 0; n < 20; n += 1) await setUp(clerk, [owner.userId], { name: `订阅${n}` });
    const answer = await clerk.send(addSubscription, {
      body: {
        name: '多余',
        content: CONTENT,
        every: 'day',
        weekday: 1,
        monthDay: 1,
        hour: 8,
        recipients: [owner.userId],
      },
    });
    expect(answer).toMatchObject({ code: 400, data: { code: 'B0951' } });
  });
});
