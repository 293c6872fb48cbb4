import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { trialBalance } from '../contract/ledger.ts';
import { checkPeriod, closePeriod, listPeriods, reopenPeriod } from '../contract/periods.ts';
import { applyTemplate } from '../contract/subjects.ts';
import { saveVoucher, voucherSteps } from '../contract/voucher-calls.ts';
import { idsOf, paper, through } from './support.ts';

let world: World;
let owner: Person;
let ids: Map<string, string>;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  await owner.call(applyTemplate, { body: { startMonth: '2026-09' } });
  ids = await idsOf(owner);
});
afterAll(() => world.close());

const stepsOf = async () =>
  (await owner.call(listPeriods, { body: {} })).map(({ month, state, step }) => [month, state, step]);
const closingOf = async (month: string) => {
  const { rows } = await owner.call(trialBalance, { body: { from: month, to: month, level: 1, moved: false } });
  return Object.fromEntries(
    rows
      .filter(({ code }) => ['3103', '5001', '5602'].includes(code))
      .map(({ code, closingDebit, closingCredit }) => [code, [closingDebit, closingCredit]]),
  );
};

test('a month is closed in its order once all is posted: profit and loss go to 3103, and nothing comes in any more', async () => {
  expect(await owner.call(listPeriods, { body: {} })).toHaveLength(3);
  await through(
    owner,
    paper(
      ids,
      [
        ['112201', '900', ''],
        ['500101', '', '900'],
      ],
      '2026-09-05',
    ),
  );
  await through(
    owner,
    paper(
      ids,
      [
        ['560202', '250.5', ''],
        ['1002', '', '250.5'],
      ],
      '2026-09-06',
    ),
  );
  const waits = await owner.call(saveVoucher, {
    body: paper(
      ids,
      [
        ['1002', '1', ''],
        ['1001', '', '1'],
      ],
      '2026-09-07',
    ),
  });
  expect((await owner.send(closePeriod, { body: { month: '2026-10' } })).msg).toContain('2026-10 不能结账');
  expect((await owner.send(closePeriod, { body: { month: '2026-09' } })).msg).toBe(`未过账：${waits.number}`);
  await owner.call(voucherSteps.void, { body: { id: waits.id, reason: '不要了' } });
  expect((await owner.call(checkPeriod, { body: { month: '2026-09' } })).every(({ ok }) => ok)).toBe(true);
  expect(await owner.call(closePeriod, { body: { month: '2026-09' } })).toEqual({
    number: '转-202609-0001',
    revaluation: null,
    yearEnd: null,
  });
  expect(await closingOf('2026-09')).toEqual({
    3103: ['0.00', '649.50'],
    5001: ['0.00', '0.00'],
    5602: ['0.00', '0.00'],
  });
  expect(await stepsOf()).toEqual([
    ['2026-11', 'OPEN', 'none'],
    ['2026-10', 'OPEN', 'close'],
    ['2026-09', 'CLOSED', 'reopen'],
  ]);
  const late = await owner.send(saveVoucher, {
    body: paper(
      ids,
      [
        ['1002', '1', ''],
        ['1001', '', '1'],
      ],
      '2026-09-30',
    ),
  });
  expect(late.msg).toContain('2026-09 已关账');
});

test('only the last closed month is opened again, with a reason, and its transfer is taken back until it is closed anew', async () => {
  expect(await owner.call(closePeriod, { body: { month: '2026-10' } })).toEqual({
    revaluation: null,
    number: null,
    yearEnd: null,
  });
  expect((await owner.send(closePeriod, { body: { month: '2026-11' } })).msg).toContain('2026-11 不能结账');
  const send = (month: string, reason: string) => owner.send(reopenPeriod, { body: { month, reason } });
  expect((await send('2026-09', '补录')).msg).toContain('只能反结账最后一个');
  expect((await send('2026-10', '')).msg).toContain('原因不能为空');
  await owner.call(reopenPeriod, { body: { month: '2026-10', reason: '补录' } });
  expect(await owner.call(reopenPeriod, { body: { month: '2026-09', reason: '补录' } })).toEqual({
    number: '转-202609-0001',
  });
  expect(await closingOf('2026-09')).toEqual({
    3103: ['0.00', '0.00'],
    5001: ['0.00', '900.00'],
    5602: ['250.50', '0.00'],
  });
  await through(
    owner,
    paper(
      ids,
      [
        ['560202', '49.5', ''],
        ['1002', '', '49.5'],
      ],
      '2026-09-08',
    ),
  );
  expect(await owner.call(closePeriod, { body: { month: '2026-09' } })).toEqual({
    number: '转-202609-0003',
    revaluation: null,
    yearEnd: null,
  });
  expect((await closingOf('2026-09'))['3103']).toEqual(['0.00', '600.00']);
});

test('while a month is being closed vouchers come in before it or not at all', async () => {
  const other = await world.owner('抢时间');
  await other.call(applyTemplate, { body: { startMonth: '2026-10' } });
  const own = await idsOf(other);
  const body = paper(
    own,
    [
      ['560202', '10', ''],
      ['1002', '', '10'],
    ],
    '2026-10-05',
  );
  await through(other, body);
  const [closed, ...late] = await Promise.all([
    other.send(closePeriod, { body: { month: '2026-10' } }),
    ...Array.from({ length: 6 }, () => other.send(saveVoucher, { body })),
  ]);
  const written = late.filter(({ code }) => code === 201).length;
  if (closed.code === 201) expect(written).toBe(0);
  else expect(closed.msg).toContain('未过账：');
  for (const answer of late.filter(({ code }) => code !== 201)) expect(answer.msg).toContain('2026-10 已关账');
});
