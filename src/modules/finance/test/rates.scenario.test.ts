import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAccount, addJournal, listJournal, undoJournal } from '../contract/accounts.ts';
import {
  closePeriod,
  copyMonth,
  dropMonthRate,
  listPeriods,
  listRates,
  rateHistory,
  reopenPeriod,
  saveDayRate,
  saveMonthRate,
} from '../contract/rates.ts';
import { knownRate, monthRates, rateOn } from '../server/index.ts';
import { readRates } from '../server/rates/upload.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
});

/** yyyy-MM, so many months back from the running one. */
function monthAgo(back: number): string {
  const [year = 0, month = 1] = worldClock().today().split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7);
}

const day = (currency: string, date: string, rate: string) =>
  owner.call(saveDayRate, { body: { currency, day: date, rate } });

describe('exchange rates', () => {
  it('a day takes its own rate, else the last within a week; the own rate of the month goes first; else none', async () => {
    const month = monthAgo(2);
    await day('USD', `${month}-03`, '7.1234');
    await day('USD', `${month}-10`, '7.2');
    const on = (date: string) => world.as(owner, (ctx) => knownRate(ctx, 'USD', date));
    expect(await on(`${month}-09`)).toEqual({ rate: '7.1234000000', from: 'day' });
    expect(await on(`${month}-17`)).toEqual({ rate: '7.2000000000', from: 'day' });
    expect(await on(`${month}-18`)).toBeUndefined();
    await owner.call(saveMonthRate, { body: { currency: 'USD', month, rate: '7.15' } });
    expect(await on(`${month}-10`)).toEqual({ rate: '7.1500000000', from: 'own' });
    await expect(world.as(owner, (ctx) => rateOn(ctx, 'XAU', `${month}-10`))).rejects.toThrow(
      `缺少 XAU ${month}-10 汇率，无法折算`,
    );
    expect(await world.as(owner, (ctx) => rateOn(ctx, 'CNY', `${month}-10`))).toBe('1');
  });

  it('a month is converted by its own rate or the mean of its days; without either the list says preset', async () => {
    const month = monthAgo(1);
    await day('EUR', `${month}-01`, '7.80');
    await day('EUR', `${month}-02`, '7.81');
    const row = async () => (await owner.call(listRates, { body: { filter: { month, currency: 'EUR' } } })).records[0];
    expect(await row()).toMatchObject({
      official: '7.8050000000',
      effective: '7.8050000000',
      source: '当月平均（手工录入）',
      days: 2,
    });
    await owner.call(saveMonthRate, { body: { currency: 'EUR', month, rate: '7.9' } });
    expect(await row()).toMatchObject({ mine: '7.9000000000', effective: '7.9000000000', source: '手工录入' });
    expect((await world.as(owner, monthRates)).get(`EUR ${month}`)).toBe('7.9000000000');
    await owner.call(dropMonthRate, { body: { currency: 'EUR', month } });
    expect((await world.as(owner, monthRates)).get(`EUR ${month}`)).toBe('7.8050000000');
    const gbp = await owner.call(listRates, { body: { filter: { month, currency: 'gbp' } } });
    expect(gbp.records).toMatchObject([{ currency: 'GBP', effective: '9.2000', source: '预设汇率' }]);
    expect((await owner.send(saveMonthRate, { body: { currency: 'CNY', month, rate: '1' } })).msg).toContain('本位币');
    const days = await owner.call(rateHistory, { body: { currency: 'EUR', from: `${month}-01`, to: `${month}-03` } });
    expect(days.map((one) => [one.official, one.effective])).toEqual([
      ['7.8000000000', '7.8000000000'],
      ['7.8100000000', '7.8100000000'],
      [null, '7.8100000000'],
    ]);
  });

  it('the rates of the month before are copied where the month has none', async () => {
    await day('USD', `${monthAgo(1)}-05`, '7.05');
    await owner.call(saveMonthRate, { body: { currency: 'JPY', month: monthAgo(1), rate: '0.0466' } });
    await owner.call(saveMonthRate, { body: { currency: 'JPY', month: monthAgo(0), rate: '0.05' } });
    expect(await owner.call(copyMonth, { body: { month: monthAgo(0) } })).toEqual({ copied: 1 });
    const known = await world.as(owner, monthRates);
    expect([known.get(`USD ${monthAgo(0)}`), known.get(`JPY ${monthAgo(0)}`)]).toEqual([
      '7.0500000000',
      '0.0500000000',
    ]);
  });

  it('a sheet may quote 100 units or the other direction; one bad row refuses all', () => {
    const head = ['日期', '币种', '汇率', '单位'];
    const good = readRates(
      [
        head,
        ['2026-03-02', 'usd', '7.1021', ''],
        ['2026/3/2', 'JPY', '4.6612', '100'],
        ['2026-03-02', 'MXN', '2.5', '-1'],
      ],
      new Set(),
    );
    expect(good.rates).toEqual([
      { currency: 'USD', day: '2026-03-02', rate: '7.1021000000' },
      { currency: 'JPY', day: '2026-03-02', rate: '0.0466120000' },
      { currency: 'MXN', day: '2026-03-02', rate: '0.4000000000' },
    ]);
    const bad = readRates(
      [
        head,
        ['2026-02-30', 'USD', '7', ''],
        ['2026-03-01', 'CNY', '1', ''],
        ['2026-03-01', 'USD', '-7', ''],
        ['2026-01-05', 'USD', '7', ''],
      ],
      new Set(['2026-01']),
    );
    expect(bad.problems.map((problem) => [problem.line, problem.column])).toEqual([
      [2, '日期'],
      [3, '币种'],
      [4, '汇率'],
      [5, '日期'],
    ]);
    expect(readRates([['日期', '汇率']], new Set()).problems).toMatchObject([{ reason: '缺少列【币种】' }]);
  });

  it('E12 (the cash side): a closed month keeps its rates and takes no entry, what comes late lands in the open one; months are closed in order and opened backwards, with a reason', async () => {
    const [before, last] = [monthAgo(2), monthAgo(1)];
    await day('USD', `${last}-05`, '7.05');
    const bank = (
      await owner.call(addAccount, {
        body: { name: `银行${randomUUID().slice(0, 4)}`, opening: '100', openingDay: `${before}-15` },
      })
    ).id;
    const { postingId } = await owner.call(addJournal, {
      body: { cashAccountId: bank, amount: '10', day: `${last}-06` },
    });
    expect((await owner.send(closePeriod, { body: { month: monthAgo(0) } })).msg).toBe('当月尚未结束，不能关账');
    expect((await owner.send(closePeriod, { body: { month: last } })).msg).toBe(`请先关闭 ${before}`);
    await owner.call(closePeriod, { body: { month: before } });
    await owner.call(closePeriod, { body: { month: last } });

    const refused = `${last} 已关账，不能新增或修改；请录入到当前期间或申请反关账`;
    const late = { cashAccountId: bank, amount: '15' };
    expect((await owner.send(addJournal, { body: { ...late, day: `${last}-28` } })).msg).toBe(refused);
    await owner.call(addJournal, { body: { ...late, memo: `归属 ${last}` } });
    expect((await owner.send(saveDayRate, { body: { currency: 'USD', day: `${last}-06`, rate: '9' } })).msg).toBe(
      refused,
    );
    expect((await owner.send(saveMonthRate, { body: { currency: 'USD', month: last, rate: '9' } })).msg).toBe(refused);
    expect((await owner.send(undoJournal, { body: { postingId, reason: '记错' } })).msg).toBe('该期间已关账');
    expect((await world.as(owner, monthRates)).get(`USD ${last}`)).toBe('7.0500000000');
    const inLast = await owner.call(listJournal, {
      body: { filter: { direction: 'OUT', day: { from: `${last}-01`, to: `${last}-28` } } },
    });
    expect(inLast.records).toHaveLength(1);

    expect((await owner.send(reopenPeriod, { body: { month: before, reason: '补录' } })).msg).toContain(
      '请先反关账较晚的期间',
    );
    await owner.call(reopenPeriod, { body: { month: last, reason: '补录运费' } });
    const months = await owner.call(listPeriods, {});
    expect(months.slice(1, 3)).toMatchObject([
      { month: last, closed: false, reason: '补录运费' },
      { month: before, closed: true },
    ]);
    await owner.call(addJournal, { body: { ...late, day: `${last}-28` } });
  });
});
