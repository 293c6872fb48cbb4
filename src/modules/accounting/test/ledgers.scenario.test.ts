import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { exportKingdee, exportYonyou } from '../contract/entry-files.ts';
import { generalLedger, PAGE_LINES, subjectLedger } from '../contract/ledger.ts';
import { checkPeriod } from '../contract/periods.ts';
import { exportStatement, printStatement } from '../contract/statements.ts';
import { listVouchers, saveVoucher } from '../contract/voucher-calls.ts';
import { type Line, openBooks, paper, through } from './support.ts';

let world: World;
let owner: Person;
let ids: Map<string, string>;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  ids = await openBooks(owner);
});
afterAll(() => world.close());

const generalOf = async (more: object) => {
  const body = { from: '2026-09', to: '2026-10', ...more };
  const { lines, total } = await owner.call(generalLedger, { body });
  return {
    total,
    lines: lines.map(({ code, month, summary, debit, credit, side, balance }) =>
      [code, month, summary, debit ?? '', credit ?? '', side, balance].join(' '),
    ),
  };
};

test('明细账 turns pages with the balance brought forward, whatever stands on one day', async () => {
  const opening: Line[] = [
    ['1002', '50', ''],
    ['3001', '', '50'],
  ];
  await through(owner, paper(ids, opening, '2025-12-31', 'OPENING'));
  const lines: Line[] = Array.from({ length: 420 }, (_, at) => ['1002', `${at + 1}.01`, '']);
  await through(owner, paper(ids, [...lines, ['2202', '', '88414.20']], '2026-03-05'));
  await through(owner, paper(ids, [['1002', '', '14.2'] as const, ['2202', '14.2', ''] as const], '2026-03-06'));
  const read = (after?: object) =>
    owner.call(subjectLedger, {
      body: { subjectId: ids.get('1002') ?? '', from: '2026-03', to: '2026-03', ...after },
    });
  const seen: string[] = [];
  const begun: string[] = [];
  let page = await read();
  expect(page).toMatchObject({ opening: '50.00', debit: '88414.20', credit: '14.20', closing: '88450.00', count: 421 });
  for (;;) {
    const [first, ...rest] = page.lines;
    begun.push(`${first?.summary} ${first?.balance}`);
    expect(rest.length).toBeLessThanOrEqual(PAGE_LINES);
    seen.push(...rest.map(({ id }) => id));
    if (!page.next) break;
    page = await read({ after: page.next });
  }
  // 1.01 to 200.01 are 20,102.00, and 201.01 to 400.01 are 60,102.00.
  expect(begun).toEqual(['期初余额 50.00', '承前页 20152.00', '承前页 80254.00']);
  expect(page.lines.at(-1)).toMatchObject({ side: '借', balance: '88450.00', credit: '14.20' });
  expect(new Set(seen).size).toBe(421);
});

test('总账 has opening, turnover, the year so far and the balance of each month, by range and level', async () => {
  const rent = (day: string, amount: string) =>
    through(owner, paper(ids, [['560203', amount, ''] as const, ['2241', '', amount] as const], day));
  await rent('2026-08-10', '100');
  await rent('2026-10-10', '30.5');
  expect(await generalOf({ first: '5602', last: '5602' })).toEqual({
    total: 1,
    lines: [
      '5602 2026-09 期初余额   借 100.00',
      '5602 2026-09 本期合计 0.00 0.00 借 100.00',
      '5602 2026-09 本年累计 100.00 0.00 借 100.00',
      '5602 2026-10 本期合计 30.50 0.00 借 130.50',
      '5602 2026-10 本年累计 130.50 0.00 借 130.50',
    ],
  });
  const both = await generalOf({ first: '2241', last: '5602', level: 2, from: '2026-10' });
  expect(both.total).toBe(4);
  expect(both.lines.filter((line) => line.includes('期初余额'))).toEqual([
    '2241 2026-10 期初余额   贷 100.00',
    '3001 2026-10 期初余额   贷 50.00',
    '5602 2026-10 期初余额   借 100.00',
    '560203 2026-10 期初余额   借 100.00',
  ]);
  const second = await generalOf({ first: '2241', last: '5602', level: 2, size: 3, page: 2 });
  expect([second.total, second.lines[0]?.split(' ')[0]]).toEqual([4, '560203']);
  await expect(generalOf({ from: '2026-11' })).rejects.toThrow('截止月份不能早于起始月份');
});

test('posted entries leave as other programs read them; drafts and openings stay', async () => {
  const filter = { day: { from: '2026-10-01', to: '2026-10-31' } };
  const draft: Line[] = [
    ['1002', '7', ''],
    ['1001', '', '7'],
  ];
  await owner.call(saveVoucher, { body: paper(ids, draft, '2026-10-11') });
  const linesOf = async (call: typeof exportKingdee, of: object = filter) => {
    const { raw, status } = await owner.send(call, { body: { filter: of, format: 'csv' } });
    expect(status).toBe(200);
    return raw
      .toString()
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
  };
  const [titles = [], ...kingdee] = await linesOf(exportKingdee);
  expect(titles.slice(0, 13).join()).toBe(
    '凭证日期,会计年度,会计期间,凭证字,凭证号,科目代码,科目名称,币别代码,币别名称,原币金额,借方,贷方,制单',
  );
  const of = (line: readonly string[], ...names: string[]) => names.map((name) => line[titles.indexOf(name)]).join(' ');
  const shown = [
    '凭证日期',
    '会计年度',
    '会计期间',
    '凭证字',
    '凭证号',
    '科目代码',
    '币别代码',
    '原币金额',
    '借方',
    '贷方',
  ];
  expect(kingdee.map((line) => of(line, ...shown, '分录序号', '过账'))).toEqual([
    '2026-10-10 2026 10 记 1 560203 RMB 30.50 30.50 0.00 0 0',
    '2026-10-10 2026 10 记 1 2241 RMB 30.50 0.00 30.50 1 0',
  ]);
  expect((await linesOf(exportYonyou)).map((line) => line.slice(0, 9).join(' '))).toEqual([
    '制单日期 凭证类别 凭证号 附单据数 摘要 科目编码 科目名称 借方金额 贷方金额',
    '2026-10-10 记 1 0 第1笔 560203 租赁费 30.50 0.00',
    '2026-10-10 记 1 0 第2笔 2241 其他应付款 0.00 30.50',
  ]);
  const all = await linesOf(exportKingdee, {});
  expect(all.some((line) => line.includes('期初'))).toBe(false);
  const clerk = await world.member(owner, ['fin:account:view']);
  expect((await clerk.send(exportKingdee, { body: { filter: {} } })).status).toBe(403);
});

test('vouchers are found by whether they have cash, with the subject opposite to it', async () => {
  const numbersOf = async (filter: object) =>
    (await owner.call(listVouchers, { body: { filter, pagesize: 50 } })).records.map(({ number }) => number).toSorted();
  expect(await numbersOf({ cash: true, subjects: [ids.get('2202')] })).toEqual(['记-202603-0001', '记-202603-0002']);
  expect(await numbersOf({ cash: false })).toEqual(['记-202608-0001', '记-202610-0001']);
});

test('statements leave as a file and as a sheet to sign', async () => {
  for (const statement of ['balance', 'income', 'cash'] as const) {
    const body = { statement, month: '2026-10' };
    const file = await owner.send(exportStatement, { body });
    expect([file.status, file.raw.subarray(0, 2).toString()]).toEqual([200, 'PK']);
    const sheet = await owner.send(printStatement, { body });
    expect([sheet.headers['content-type'], sheet.raw.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);
  }
});

test('numbers that are missing are told as vouchers are called', async () => {
  await world.as(owner, (ctx) =>
    sql`INSERT INTO accounting.voucher (company_id, type, month, seq, number, day, summary, state, amount, created_by_name)
        VALUES (${ctx.companyId}, 'PAYMENT', '2026-11-01', 3, '付-202611-0003', '2026-11-02', 'x', 'draft', 0, 'x')`.execute(
      ctx.db,
    ),
  );
  const checks = await owner.call(checkPeriod, { body: { month: '2026-11' } });
  expect(checks.find(({ title }) => title === '凭证号连续')).toEqual({
    title: '凭证号连续',
    ok: false,
    detail: '凭证号不连续：付-202611-0001、付-202611-0002',
  });
});
