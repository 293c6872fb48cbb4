import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { changeDayKind, generateYear, listHolidays } from '../contract/holidays.ts';
import { afterWorking, workedBetween } from '../server/calendar/hours.ts';
import { legalDay } from '../server/calendar/legal.ts';
import { addWorkingHours, isWorkday, workingHours } from '../server/index.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const HOUR = 3_600_000;
const ZONE = 'Asia/Shanghai';
const beijing = (text: string) => new Date(`${text}+08:00`).toISOString();
const add = (from: string, hours: number, who = owner) =>
  world.as(who, (ctx) => addWorkingHours(ctx, beijing(from), hours));

describe('working hours', () => {
  test('over the national holiday: submitted on 30 September, due on 8 October', async () => {
    expect(await add('2026-09-30T17:30:00', 8)).toBe(beijing('2026-10-08T18:00:00'));
    expect(await add('2026-09-30T17:30:00', 4)).toBe(beijing('2026-10-08T14:00:00'));
  });

  test('lunch, evening and week-end do not count; a worked week-end does', async () => {
    expect(await add('2026-03-02T11:30:00', 1)).toBe(beijing('2026-03-02T14:00:00'));
    expect(await add('2026-03-06T20:00:00', 0.5)).toBe(beijing('2026-03-09T09:30:00'));
    expect(await add('2026-10-09T18:00:00', 1)).toBe(beijing('2026-10-10T10:00:00'));
    expect(await add('2026-03-02T10:00:00', 0)).toBe(beijing('2026-03-02T10:00:00'));
    await expect(add('2026-03-02T10:00:00', -1)).rejects.toThrow('工作时长须在0至2000小时之间');
  });

  test('a company counts in its own zone', async () => {
    const berlin = await world.owner();
    await world.as(berlin, (ctx) =>
      ctx.db.updateTable('identity.company').set({ time_zone: 'Europe/Berlin' }).execute(),
    );
    const due = await world.as(berlin, (ctx) => addWorkingHours(ctx, '2026-03-27T16:00:00.000Z', 2));
    // 17:00 on Friday in winter time; the clock changes on Sunday; Monday 10:00 is 08:00 UTC.
    expect(due).toBe('2026-03-30T08:00:00.000Z');
  });

  test('between two instants', async () => {
    const hours = await world.as(owner, (ctx) =>
      workingHours(ctx, beijing('2026-09-30T17:30:00'), beijing('2026-10-08T14:00:00')),
    );
    expect(hours).toBe(4);
    expect(
      await world.as(owner, (ctx) => workingHours(ctx, beijing('2026-03-03T10:00:00'), beijing('2026-03-02T10:00:00'))),
    ).toBe(0);
  });

  const instant = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2026, 11, 1) });
  const span = fc.integer({ min: 1, max: 60 * HOUR });
  const zone = fc.constantFrom(ZONE, 'America/Los_Angeles', 'Europe/Berlin', 'UTC', 'Australia/Adelaide');
  const works = (day: string) => ['work', 'makeup'].includes(legalDay(day).kind);

  test('what is added is what lies between, and adding twice is adding the sum', () => {
    fc.assert(
      fc.property(instant, span, span, zone, (at, a, b, where) => {
        const due = afterWorking(at, a, where, works);
        expect(workedBetween(at, due, where, works)).toBe(a);
        expect(afterWorking(due, b, where, works)).toBe(afterWorking(at, a + b, where, works));
        expect(afterWorking(at, a + b, where, works)).toBeGreaterThan(due);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the calendar', () => {
  test('is the legal one until somebody decides otherwise', async () => {
    const year = await owner.call(listHolidays, { query: { year: 2026 } });
    expect([year.days.length, year.generated, year.announced]).toEqual([365, false, true]);
    const of = (day: string) => year.days.find((each) => each.day === day);
    expect(of('2026-10-01')).toEqual({ day: '2026-10-01', kind: 'holiday', name: '国庆节', byHand: false });
    expect(of('2026-10-10')).toMatchObject({ kind: 'makeup', name: '国庆节调休' });
    expect(of('2026-11-07')?.kind).toBe('weekend');
    expect(of('2026-11-09')?.kind).toBe('work');
    expect(year.workdays).toBe(248);
  });

  test('a year is generated; what was set by hand stays until it is reset', async () => {
    const change = (day: string, kind: 'holiday' | 'work', name?: string) =>
      owner.call(changeDayKind, { body: { day, kind, ...(name ? { name } : {}) } });
    await change('2026-11-09', 'holiday', '公司周年庆');
    expect(await owner.call(generateYear, { body: { year: 2026 } })).toEqual({ days: 365, kept: 1 });
    const year = await owner.call(listHolidays, { query: { year: 2026 } });
    expect(year.generated).toBe(true);
    expect(year.days.find((each) => each.day === '2026-11-09')).toEqual({
      day: '2026-11-09',
      kind: 'holiday',
      name: '公司周年庆',
      byHand: true,
    });
    expect(await world.as(owner, (ctx) => isWorkday(ctx, '2026-11-09'))).toBe(false);
    expect(await add('2026-11-08T09:00:00', 1)).toBe(beijing('2026-11-10T10:00:00'));
    expect(await owner.call(generateYear, { body: { year: 2026, reset: true } })).toEqual({ days: 365, kept: 0 });
    expect(await world.as(owner, (ctx) => isWorkday(ctx, '2026-11-09'))).toBe(true);
  });

  test('another company keeps its own', async () => {
    const other = await world.owner();
    await owner.call(changeDayKind, { body: { day: '2026-12-24', kind: 'holiday' } });
    const theirs = await other.call(listHolidays, { query: { year: 2026 } });
    expect(theirs.days.find((each) => each.day === '2026-12-24')?.kind).toBe('work');
  });

  test('a calendar without workdays ends in words, not in a search without end', async () => {
    const idle = await world.owner();
    await world.as(idle, async (ctx) => {
      const days = Array.from({ length: 3000 }, (_, n) =>
        new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
      );
      await ctx.db
        .insertInto('system.holiday')
        .values(days.map((day) => ({ company_id: ctx.companyId, day, kind: 'holiday' })))
        .execute();
    });
    await expect(add('2026-03-02T10:00:00', 8, idle)).rejects.toThrow('工作日历中没有足够的工作日');
  });

  test('bad years, days and kinds are refused', async () => {
    expect((await owner.send(listHolidays, { query: { year: 1999 } })).msg).toBe('年份须在2020至2040之间');
    expect((await owner.send(generateYear, { body: { year: 2090 } })).status).toBe(400);
    expect((await owner.send(changeDayKind, { body: { day: '2026-02-30', kind: 'work' } })).status).toBe(400);
    expect((await owner.send(changeDayKind, { body: { day: '2060-01-01', kind: 'work' } })).msg).toBe(
      '年份须在2020至2040之间',
    );
    expect((await owner.send(changeDayKind, { body: { day: '2026-02-03', kind: 'party' as 'work' } })).status).toBe(
      400,
    );
    const reader = await world.member(owner, ['sys:holiday:view']);
    expect((await reader.send(generateYear, { body: { year: 2026 } })).status).toBe(403);
  });
});
