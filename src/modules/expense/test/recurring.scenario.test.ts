import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { savePartner } from '#modules/finance/contract/payables.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listExpenses, saveExpense } from '../contract/calls.ts';
import { VIEW } from '../contract/document.ts';
import { addRecurring, listRecurring, type RecurringState, setRecurring } from '../contract/recurring.ts';
import { expensePage } from '../server/list.ts';
import { nextDue } from '../server/recurring/due.ts';
import { makeDue } from '../server/recurring/job.ts';
import { add, recurringPage, setState } from '../server/recurring/manage.ts';

let world: World;
let owner: Person;
let expenseId: string;

const DAY = 86_400_000;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  const party = (await owner.call(savePartner, { body: { name: '园区物业' } })).id;
  expenseId = (
    await owner.call(saveExpense, {
      body: {
        kind: 'DAILY',
        scope: 'COMPANY',
        spentOn: '2026-01-31',
        party: { kind: 'PARTNER', id: party },
        lines: [{ feeType: '其它', amount: '3000.5', tax: '100', remark: '房租' }],
      },
    })
  ).id;
});
afterAll(() => world.close());

// By the functions behind the calls: sessions are over after as many weeks as these stories take.
const today = () => world.as(owner, async (ctx) => ctx.clock.today());
const made = () =>
  world.as(owner, async (ctx) => {
    const request = listExpenses.body.parse({ sort: 'spentOn', order: 'asc', pagesize: 100 });
    return (await expensePage(ctx, request)).records.filter(({ id }) => id !== expenseId);
  });
const rowOf = (id: string) =>
  world.as(owner, async (ctx) =>
    (await recurringPage(ctx, listRecurring.body.parse({}))).records.find((row) => row.id === id),
  );
const repeat = (name: string, day: number) => world.as(owner, (ctx) => add(ctx, { expenseId, name, day }));
const turn = (id: string, state: RecurringState) => world.as(owner, (ctx) => setState(ctx, { id, state }));
const useType = (active: boolean) =>
  world.as(owner, (ctx) =>
    sql`INSERT INTO costshare.fee_type (company_id, name, active) VALUES (${ctx.companyId}, '其它', ${active})
        ON CONFLICT (company_id, name) DO UPDATE SET active = excluded.active`.execute(ctx.db),
  );
const run = () => makeDue(world.runtime, owner.companyId);

it('falls on the last day of months that are shorter', () => {
  expect(nextDue('2026-01-31', 31)).toBe('2026-02-28');
  expect(nextDue('2026-02-28', 31)).toBe('2026-03-31');
  expect(nextDue('2026-12-05', 5)).toBe('2027-01-05');
  expect(nextDue('2026-12-04', 5)).toBe('2026-12-05');
  expect(nextDue('2028-02-01', 30)).toBe('2028-02-29');
});

it('is of its company alone, and changed by those who may', async () => {
  const { id } = await owner.call(addRecurring, { body: { expenseId, name: '网费', day: 1 } });
  const stranger = await world.owner('另一家');
  await expect(stranger.call(setRecurring, { body: { id, state: 'paused' } })).rejects.toThrow('404');
  await expect(stranger.call(addRecurring, { body: { expenseId, name: '偷', day: 1 } })).rejects.toThrow('404');
  await expect(owner.call(addRecurring, { body: { expenseId: randomUUID(), name: '无', day: 1 } })).rejects.toThrow(
    '404',
  );
  const reader = await world.member(owner, [VIEW]);
  await expect(reader.call(setRecurring, { body: { id, state: 'paused' } })).rejects.toThrow('403');
  expect((await rowOf(id))?.state).toBe('active');
  await owner.call(setRecurring, { body: { id, state: 'stopped' } });
});

it('makes one draft a month however often it is asked, catches up, and makes none while it is paused', async () => {
  const { id, nextOn } = await repeat('房租', 28);
  expect(nextOn).toBe(nextDue(await today(), 28));
  await run();
  expect(await made()).toEqual([]);
  await world.advance(70 * DAY);
  await Promise.all([run(), run(), run()]);
  const due: string[] = [];
  for (let at = nextOn; at <= (await today()); at = nextDue(at, 28)) due.push(at);
  expect(due.length).toBeGreaterThan(1);
  const drafts = await made();
  expect(drafts.map(({ spentOn, state }) => [spentOn, state])).toEqual(due.map((day) => [day, 'draft']));
  expect(drafts[0]).toMatchObject({ amount: '3000.5000', feeTypes: '其它', payee: '园区物业' });
  const last = drafts.at(-1);
  expect(await rowOf(id)).toMatchObject({ lastId: last?.id, lastNumber: last?.number, problem: '' });

  await turn(id, 'paused');
  await world.advance(40 * DAY);
  await run();
  expect(await made()).toHaveLength(due.length);
  await turn(id, 'active');
  await run();
  expect(await made()).toHaveLength(due.length);
  expect((await rowOf(id))?.nextOn).toBe(nextDue(await today(), 28));
  await world.advance(35 * DAY);
  await run();
  expect((await made()).length).toBeGreaterThan(due.length);
  await turn(id, 'stopped');
  await expect(turn(id, 'active')).rejects.toThrow('已停止');
});

it('says why it could not be made, and makes it once that is mended', async () => {
  const { id } = await repeat('物业费', 15);
  await useType(false);
  await world.advance(35 * DAY);
  const before = (await made()).length;
  await run();
  expect(await rowOf(id)).toMatchObject({ problem: '费用类型【其它】已停用', lastId: null });
  expect(await made()).toHaveLength(before);
  await useType(true);
  await run();
  expect((await rowOf(id))?.problem).toBe('');
  expect((await made()).length).toBeGreaterThan(before);
});
