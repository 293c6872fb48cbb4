import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { subjectLedger, trialBalance } from '../contract/ledger.ts';
import { applyTemplate, bookState, listSubjects, saveSubject, setSubjectState } from '../contract/subjects.ts';
import { countVouchers, listVouchers, saveVoucher, voucherData, voucherSteps } from '../contract/voucher-calls.ts';
import { openBooks, paper, through } from './support.ts';

let world: World;
let owner: Person;
let clerk: Person;
let ids: Map<string, string>;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  clerk = await world.member(owner, ['gl:voucher:view', 'gl:voucher:create', 'gl:voucher:approve']);
  ids = await openBooks(owner);
});
afterAll(() => world.close());

const SALE = [
  ['112201', '1000', ''],
  ['500101', '', '1000'],
] as const;
const balanceOf = async (code: string, from = '2026-01', to = '2026-11') => {
  const { rows } = await owner.call(trialBalance, { body: { from, to, level: 3, moved: false } });
  return rows.find((row) => row.code === code);
};

test('the chart is that of the standard, comes once, and is found by code', async () => {
  expect(await owner.call(applyTemplate, { body: { startMonth: '2026-01' } })).toEqual({ count: 0 });
  const records = await owner.call(listSubjects, { body: { filter: { keyword: '1122' } } });
  expect(records.map(({ code, path, leaf, direction }) => [code, path, leaf, direction])).toEqual([
    ['1122', '应收账款', false, 'DEBIT'],
    ['112201', '应收账款-亚马逊', true, 'DEBIT'],
    ['112202', '应收账款-其他平台', true, 'DEBIT'],
  ]);
  expect(await owner.call(bookState, { body: {} })).toEqual({
    startMonth: '2026-01',
    openingDay: '2025-12-31',
    openingId: null,
  });
});

test('a voucher is written, handed in, approved by another one, posted, and taken back in red', async () => {
  const draft = await clerk.call(saveVoucher, { body: paper(ids, SALE, '2026-10-08') });
  expect(draft).toMatchObject({ number: '记-202610-0001', state: 'draft' });
  await clerk.call(voucherSteps.submit, { body: { id: draft.id } });
  expect((await clerk.send(voucherSteps.approve, { body: { id: draft.id } })).msg).toBe('不能审核本人制作的凭证');
  expect((await owner.send(voucherSteps.post, { body: { id: draft.id } })).msg).toBe('单据当前为「待审核」，不能过账');
  await owner.call(voucherSteps.approve, { body: { id: draft.id } });
  expect((await clerk.send(voucherSteps.post, { body: { id: draft.id } })).status).toBe(403);
  expect((await balanceOf('1122'))?.closingDebit).toBe('0.00');
  await owner.call(voucherSteps.post, { body: { id: draft.id } });
  expect(await balanceOf('1122')).toMatchObject({ openingDebit: '0.00', debit: '1000.00', closingDebit: '1000.00' });
  expect(await balanceOf('1122', '2026-11')).toMatchObject({
    openingDebit: '1000.00',
    debit: '0.00',
    yearDebit: '1000.00',
  });
  const { message } = await owner.call(voucherSteps.reverse, { body: { id: draft.id, reason: '金额有误' } });
  expect(message).toBe('已生成红字凭证 记-202610-0002');
  expect(await balanceOf('1122')).toMatchObject({ debit: '0.00', closingDebit: '0.00' });
  const data = await owner.call(voucherData, { params: { id: draft.id } });
  expect(data).toMatchObject({
    document: { state: 'reversed' },
    reversedBy: { number: '记-202610-0002' },
    actions: [],
  });
  const red = await owner.call(voucherData, { params: { id: data.reversedBy?.id ?? '' } });
  expect(red.lines.map(({ debit, credit }) => [debit, credit])).toEqual([
    ['-1000.00', null],
    [null, '-1000.00'],
  ]);
  expect(red.actions).toEqual([]);
  expect((await owner.send(voucherSteps.reverse, { body: { id: draft.id, reason: '再来' } })).status).toBe(409);
});

test('what does not fit is refused in words that name the field', async () => {
  const send = async (lines: Parameters<typeof paper>[1], day = '2026-10-09') =>
    (await owner.send(saveVoucher, { body: paper(ids, lines, day) })).msg;
  expect(await send([SALE[0], ['500101', '5', '5']])).toBe('第 2 行：借方金额和贷方金额必须且只能填一个');
  expect(await send([SALE[0], ['500101', '', '0']])).toBe('第 2 行：借方金额和贷方金额必须且只能填一个');
  expect(await send([SALE[0], ['5001', '', '1000']])).toBe('第 2 行科目：5001 主营业务收入 有下级，请选择末级科目');
  expect(await send([SALE[0], ['500101', '', '1.005']])).toContain('贷方金额：请输入正确的金额');
  expect(await send([SALE[0]])).toContain('凭证至少要有两行分录');
  expect(await send(SALE, '2026-12-01')).toBe('日期：凭证日期不能晚于本月末');
  expect(await send(SALE, '2025-12-31')).toBe('凭证日期不能早于账套启用月份 2026-01');
  const off = await owner.call(saveVoucher, { body: paper(ids, [SALE[0], ['500101', '', '900']], '2026-10-09') });
  expect((await owner.send(voucherSteps.submit, { body: { id: off.id } })).msg).toBe('借贷不平衡，差额 100.00');
  const moved = paper(ids, SALE, '2026-11-01');
  expect((await owner.send(saveVoucher, { body: { ...moved, id: off.id } })).msg).toContain(
    '凭证字和会计期间在编号后不能更改',
  );
  await owner.call(voucherSteps.void, { body: { id: off.id, reason: '录错' } });
  const next = await owner.call(saveVoucher, { body: paper(ids, SALE, '2026-10-10') });
  expect(next.number).toBe('记-202610-0004');
  expect(await owner.call(countVouchers, { body: { filter: { keyword: '202610' } } })).toMatchObject({
    void: 1,
    draft: 1,
  });
});

test('a subject that is used keeps its side and stays a leaf; a stopped one takes nothing', async () => {
  await through(
    owner,
    paper(
      ids,
      [
        ['1001', '50', ''],
        ['1002', '', '50'],
      ],
      '2026-10-11',
    ),
    undefined,
    clerk,
  );
  const records = await owner.call(listSubjects, { body: { filter: { keyword: '1001' } } });
  const cash = records[0];
  if (!cash) throw new Error('no 1001');
  const { id, version, code, name, kind } = cash;
  const change = { code, name, kind, direction: 'CREDIT' as const };
  expect((await owner.send(saveSubject, { body: { id, version, subject: change } })).msg).toBe(
    '科目 1001 库存现金 已有下级或凭证，编码、类别和余额方向不能更改',
  );
  const child = { code: '100101', name: '门店', kind, direction: 'DEBIT' as const };
  expect((await owner.send(saveSubject, { body: { subject: child } })).msg).toBe(
    '科目 1001 库存现金 已有凭证，不能增加下级',
  );
  expect((await owner.send(saveSubject, { body: { subject: { ...child, code: '100901' } } })).msg).toContain(
    '上级科目 1009 不存在',
  );
  expect((await owner.send(saveSubject, { body: { subject: { ...child, code: '1001' } } })).msg).toBe(
    '科目编码 1001 已存在',
  );
  await owner.call(saveSubject, { body: { id, version, subject: { ...change, name: '现金', direction: 'DEBIT' } } });
  await owner.call(setSubjectState, { body: { id, version: version + 1, state: 'stopped' } });
  expect((await owner.send(saveVoucher, { body: paper(ids, [['1001', '1', ''], SALE[1]], '2026-10-12') })).msg).toBe(
    '第 1 行科目：1001 现金 已停用',
  );
  const shelf = { code: '140301', name: '包材', kind, direction: 'DEBIT' as const };
  await owner.call(saveSubject, { body: { subject: shelf } });
  expect((await owner.call(listSubjects, { body: { filter: { keyword: '1403' } } })).map(({ leaf }) => leaf)).toEqual([
    false,
    true,
  ]);
});

test('opening balances come before the first month, once, and are no movement of the year', async () => {
  const other = await world.owner('期初公司');
  const own = await openBooks(other);
  const lines = [
    ['1002', '80000', ''],
    ['140501', '20000.50', ''],
    ['3001', '', '100000.50'],
  ] as const;
  const opening = paper(own, lines, '2025-12-31', 'OPENING');
  const wrong = await other.send(saveVoucher, { body: { ...opening, day: '2026-01-01' } });
  expect(wrong.msg).toBe('期初余额的日期必须在启用月份的前一个月');
  await through(other, opening);
  expect((await other.send(saveVoucher, { body: opening })).msg).toContain('期初余额已经录入');
  await through(
    other,
    paper(
      own,
      [
        ['1002', '', '300'],
        ['560206', '300', ''],
      ],
      '2026-01-20',
    ),
  );
  const { rows, totals } = await other.call(trialBalance, { body: { from: '2026-01', to: '2026-01', level: 1 } });
  expect(
    rows.map(({ code, openingDebit, openingCredit, yearCredit, closingDebit, closingCredit }) => [
      code,
      openingDebit,
      openingCredit,
      yearCredit,
      closingDebit,
      closingCredit,
    ]),
  ).toEqual([
    ['1002', '80000.00', '0.00', '300.00', '79700.00', '0.00'],
    ['1405', '20000.50', '0.00', '0.00', '20000.50', '0.00'],
    ['3001', '0.00', '100000.50', '0.00', '0.00', '100000.50'],
    ['5602', '0.00', '0.00', '0.00', '300.00', '0.00'],
  ]);
  expect(totals).toMatchObject({
    openingDebit: '100000.50',
    openingCredit: '100000.50',
    debit: '300.00',
    credit: '300.00',
  });
  const ledger = await other.call(subjectLedger, {
    body: { subjectId: own.get('1002') ?? '', from: '2026-01', to: '2026-01' },
  });
  expect(ledger).toMatchObject({
    opening: '80000.00',
    debit: '0.00',
    credit: '300.00',
    closing: '79700.00',
    count: 1,
    next: null,
  });
  expect(ledger.lines.map(({ summary, side, balance }) => [summary, side, balance])).toEqual([
    ['期初余额', '借', '80000.00'],
    ['第1笔', '借', '79700.00'],
  ]);
});

test('the database itself keeps the books: no way past the steps', async () => {
  const posted = await through(owner, paper(ids, SALE, '2026-09-01'), undefined, clerk);
  const approved = await through(owner, paper(ids, SALE, '2026-09-02'), ['submit', 'approve'], clerk);
  const run = (text: string, id: string) => world.as(owner, (ctx) => sql`${sql.raw(text)} ${id}::uuid`.execute(ctx.db));
  await expect(run(`UPDATE accounting.voucher SET summary = 'x' WHERE id =`, posted.id)).rejects.toThrow(
    '已过账或作废，不能修改',
  );
  await expect(run(`UPDATE accounting.voucher SET state = 'draft' WHERE id =`, posted.id)).rejects.toThrow(
    '已过账或作废',
  );
  await expect(run('DELETE FROM accounting.entry WHERE voucher_id =', posted.id)).rejects.toThrow('分录不能修改');
  await expect(run('UPDATE accounting.entry SET debit = 1 WHERE voucher_id =', posted.id)).rejects.toThrow(
    'permission denied',
  );
  await expect(run('DELETE FROM accounting.voucher WHERE id =', approved.id)).rejects.toThrow('permission denied');
  await expect(run('UPDATE accounting.balance SET debit = 0 WHERE subject_id =', posted.id)).rejects.toThrow(
    'permission denied',
  );
  const draft = await owner.call(saveVoucher, { body: paper(ids, [SALE[0], ['500101', '', '900']], '2026-09-03') });
  await expect(run(`UPDATE accounting.voucher SET state = 'posted' WHERE id =`, draft.id)).rejects.toThrow(
    '未审核，不能过账',
  );
  await run(`UPDATE accounting.voucher SET state = 'approved' WHERE id =`, draft.id);
  expect((await owner.send(voucherSteps.post, { body: { id: draft.id } })).msg).toContain('借贷不平衡，差额 100.00');
  await world.as(owner, (ctx) =>
    sql`INSERT INTO accounting.period (company_id, month, state, changed_by_name) VALUES (${ctx.companyId}, '2026-09-01', 'CLOSED', 'x')`.execute(
      ctx.db,
    ),
  );
  const closed = '2026-09 已关账，不能新增或修改；请录入到当前期间或申请反关账';
  expect((await owner.send(voucherSteps.post, { body: { id: approved.id } })).msg).toBe(closed);
  expect((await owner.send(saveVoucher, { body: paper(ids, SALE, '2026-09-30') })).msg).toBe(closed);
  const { message } = await owner.call(voucherSteps.reverse, { body: { id: posted.id, reason: '跨月冲销' } });
  expect(message).toContain('记-202611-');
});

test('nobody sees or changes the books of another company', async () => {
  const stranger = await world.owner('别家');
  await openBooks(stranger);
  const { records } = await owner.call(listVouchers, { body: { filter: {} } });
  expect((await stranger.call(listVouchers, { body: { filter: {} } })).total).toBe(0);
  expect((await stranger.send(voucherData, { params: { id: records[0]?.id ?? '' } })).status).toBe(404);
  expect((await stranger.send(voucherSteps.void, { body: { id: records[0]?.id ?? '', reason: '看看' } })).status).toBe(
    404,
  );
  const foreign = await stranger.send(saveVoucher, { body: paper(ids, SALE, '2026-10-01') });
  expect(foreign.msg).toBe('第 1 行科目：科目不存在');
  const ledger = { subjectId: ids.get('1002') ?? '', from: '2026-01', to: '2026-11' };
  expect((await stranger.send(subjectLedger, { body: ledger })).status).toBe(404);
});
