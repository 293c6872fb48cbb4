import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { readSheets } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { uploadAs } from '#test/support/upload.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAccount, addJournal, listJournal } from '../contract/accounts.ts';
import {
  autoMatch,
  ignoreBank,
  listBank,
  matchBank,
  payFromBank,
  reconcileBank,
  restoreBank,
  suggestBank,
  unmatchBank,
  uploadBank,
} from '../contract/bank.ts';
import { savePartner } from '../contract/payables.ts';
import { requestData, requestSteps, saveRequest } from '../contract/requests.ts';
import { readCsv } from '../server/bank/csv.ts';
import { readBank } from '../server/bank/read.ts';
import { bankTemplate } from '../server/bank/upload.ts';

let world: World;
let owner: Person;
let bank: string;

const TITLES = ['交易日期', '收入', '支出', '对方户名', '摘要', '流水号', '余额'];
const ago = (days: number) => worldClock().dayAhead(-days);

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  const body = { name: '招商银行', opening: '1000', openingDay: ago(30) };
  bank = (await owner.call(addAccount, { body })).id;
});

type Row = readonly string[];

async function upload(rows: readonly Row[], fields: Record<string, string> = {}, titles = TITLES) {
  const bytes = await writeWorkbook([{ title: '流水', rows: [titles, ...rows].map((row) => [...row]) }]);
  const answer = await uploadAs(
    world,
    owner,
    uploadBank,
    { cashAccountId: bank, write: 'yes', ...fields },
    { name: '流水.xlsx', bytes },
  );
  expect(answer.code).toBe(201);
  return answer.data;
}

const lines = async (filter: object = {}) =>
  (await owner.call(listBank, { body: { pagesize: 100, filter: { cashAccount: [bank], ...filter } } })).records;
const reconcile = () => owner.call(reconcileBank, { body: { cashAccountId: bank } });

/** bank − book is what its parts come to, exactly. */
async function explained() {
  const found = await reconcile();
  const parts = new Decimal(found.opening)
    .plus(found.unbooked.amount)
    .plus(found.ignored.amount)
    .minus(found.unbanked.amount);
  expect(parts.toFixed()).toBe(new Decimal(found.difference).toFixed());
  return found;
}

const spend = async (amount: string, day: string) => {
  const { postingId } = await owner.call(addJournal, { body: { cashAccountId: bank, amount, day } });
  const { records } = await owner.call(listJournal, { body: { pagesize: 100, filter: { cashAccount: [bank] } } });
  return records.find((row) => row.postingId === postingId)?.id ?? '';
};

const STATEMENT: Row[] = [
  [ago(5), '', '100', '义乌市箱包有限公司', '货款', 'S1', '900'],
  [ago(4), '12.50', '', '', '结息', 'S2', '912.5'],
  [ago(3), '', '60', '顺丰', '运费', 'S3', '852.5'],
];

describe('a statement of the bank', () => {
  it('comes in once, whole, with its balances following from each other; the same lines again change nothing', async () => {
    const dry = await upload(STATEMENT, { write: 'no' });
    expect(dry).toMatchObject({ rows: 3, fresh: 3, written: false, problems: [] });
    expect(await lines()).toEqual([]);
    expect(await upload(STATEMENT)).toMatchObject({ written: true, fresh: 3 });
    expect(await upload(STATEMENT)).toMatchObject({ written: false, fresh: 0, problems: [] });
    // The newest first, and one more.
    const more = [[ago(2), '', '2.50', '', '手续费', 'S4', '850'], ...[...STATEMENT].reverse()];
    expect(await upload(more)).toMatchObject({ written: true, fresh: 1 });
    expect((await lines()).map((row) => [row.outgo, row.balance])).toEqual([
      ['2.5000', '850.0000'],
      ['60.0000', '852.5000'],
      [null, '912.5000'],
      ['100.0000', '900.0000'],
    ]);
    expect(await explained()).toMatchObject({ book: '1000.0000', bank: '850', difference: '-150', opening: '0' });
  });

  it('names every bad row, and writes none of it', async () => {
    const rows = [
      ['不是日期', '', '1', '', '', 'S1', ''],
      [ago(3), '1', '1', '', '', 'S2', ''],
      [ago(3), '', 'x', '', '', 'S3', ''],
      [ago(3), '', '5', '', '', 'S3', ''],
      [ago(-2), '', '5', '', '', 'S5', ''],
    ];
    const { problems, written } = await upload(rows);
    expect(written).toBe(false);
    expect(problems.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [2, '交易日期', '不是日期，例如 2026-10-31'],
      [3, '收入', '收入与支出须填写其中一项'],
      [4, '支出', '不是金额'],
      [5, '流水号', '与第 4 行的流水号相同'],
      [6, '交易日期', '日期晚于今天'],
    ]);
    expect(await lines()).toEqual([]);
    const broken = STATEMENT.map((row, index) => (index === 2 ? [...row.slice(0, 6), '852'] : row));
    expect((await upload(broken)).problems).toMatchObject([
      { line: 4, column: '余额', reason: '余额与上一笔不连续：912.50 加本笔应为 852.50' },
    ]);
    expect((await upload([['x']], {}, ['摘要', '备注', '其他'])).problems.map((one) => one.reason)).toEqual([
      '缺少列【交易日期】',
      '缺少列【金额】',
    ]);
  });

  it('without serial numbers is told apart by what it says, and by how often it says so', async () => {
    const titles = ['交易日期', '金额', '对方户名', '摘要'];
    const twice = [
      [ago(5), '-8', '食堂', '餐费'],
      [ago(5), '-8', '食堂', '餐费'],
    ];
    expect((await upload(twice, {}, titles)).problems).toMatchObject([
      { reason: '文件没有余额列，首次导入请填写期初余额' },
    ]);
    const wrong = await upload(twice, { opening: '1000', closing: '985' }, titles);
    expect(wrong.problems[0]?.reason).toBe('期初 1000.00 + 发生额 -16.00 = 984.00，与期末 985.00 不一致，差额 1.00');
    expect(await upload(twice, { opening: '1000', closing: '984' }, titles)).toMatchObject({ fresh: 2, written: true });
    expect(await upload(twice, {}, titles)).toMatchObject({ fresh: 0, written: false });
    const third = [...twice, [ago(5), '-8', '食堂', '餐费']];
    expect(await upload(third, {}, titles)).toMatchObject({ fresh: 1, written: true });
    expect((await explained()).bank).toBe('976');
    // A month before, brought in later: the bank had so much less before all of it.
    await upload([[ago(40), '-20', '', '']], {}, titles);
    expect((await explained()).bank).toBe('976');
  });

  it('with a gap to what is there says so', async () => {
    await upload(STATEMENT);
    const later = await upload([[ago(1), '', '10', '', '', 'S9', '700']]);
    expect(later.written).toBe(false);
    // What was before, the last line on the day of the first that is kept, joins without a gap.
    const before = [
      [ago(9), '', '40', '', '', 'S-2', '1010'],
      [ago(5), '', '10', '', '', 'S-1', '1000'],
    ];
    expect(await upload(before)).toMatchObject({ fresh: 2, written: true, problems: [] });
    expect((await explained()).bank).toBe('852.5');
    expect(later.problems[0]?.reason).toContain('与已导入的流水不连续：此前余额应为 852.50，文件为 710.00');
  });

  it('is read from CSV in the encoding of the bank, with quotes', () => {
    const gb = Buffer.concat([Buffer.from('date,')]);
    expect(readCsv(Buffer.from('a,"b,""c"""\r\n"d\ne",f\n')).map((row) => row.map((cell) => cell.text))).toEqual([
      ['a', 'b,"c"'],
      ['d\ne', 'f'],
    ]);
    expect(readCsv(gb)[0]?.length).toBe(2);
    // 交易日期,金额,摘要 in GB 18030.
    const head = Buffer.from('bdbbd2d7c8d5c6da2cbdf0b6ee2cd5aad2aa', 'hex');
    const read = readBank(readCsv(Buffer.concat([head, Buffer.from('\n2026-10-31,"-1,234.50",x\n')])), 2);
    expect(read).toMatchObject({ rows: 1, problems: [], lines: [{ day: '2026-10-31', amount: '-1234.5' }] });
  });
});

describe('matching', () => {
  it('one line with several entries, several lines with one; sums must be equal; taken apart all are open again', async () => {
    await upload(STATEMENT);
    const [freight, interest, goods] = await lines();
    const [part, rest] = [await spend('70', ago(5)), await spend('30', ago(6))];
    const wrong = await owner.send(matchBank, { body: { ids: [goods?.id ?? ''], entries: [part] } });
    expect(wrong.msg).toBe('银行流水合计 -100.00 与账户流水合计 -70.00 不一致，差额 -30.00');
    await owner.call(matchBank, { body: { ids: [goods?.id ?? ''], entries: [part, rest] } });
    const again = await owner.send(matchBank, { body: { ids: [freight?.id ?? ''], entries: [part] } });
    expect(again.msg).toBe('账户流水已与其他银行流水匹配');
    const both = await spend('47.50', ago(3));
    const pair = [freight?.id ?? '', interest?.id ?? ''];
    await owner.call(matchBank, { body: { ids: pair, entries: [both] } });
    expect((await lines()).map((row) => row.state)).toEqual(['MATCHED', 'MATCHED', 'MATCHED']);
    expect(await explained()).toMatchObject({ difference: '0', unbooked: { count: 0 }, unbanked: { count: 0 } });
    expect(await owner.call(unmatchBank, { body: { id: pair[0] ?? '' } })).toEqual({ lines: 2 });
    expect(await explained()).toMatchObject({ difference: '0', unbooked: { count: 2, amount: '-47.5000' } });
    await owner.call(ignoreBank, { body: { ids: pair, reason: '银行更正' } });
    expect(await explained()).toMatchObject({ ignored: { count: 2 }, unbooked: { count: 0 } });
    await owner.call(restoreBank, { body: { ids: pair } });
    expect((await lines({ state: 'OPEN' })).length).toBe(2);
  });

  it('twenty people match two lines with the same entry at once: one of them does', async () => {
    const twins = ['S1', 'S2'].map((serial, index) => [ago(4), '', '60', '', '', serial, String(940 - 60 * index)]);
    await upload(twins);
    const entry = await spend('60', ago(4));
    const both = await lines();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        owner.send(matchBank, { body: { ids: [both[nth % 2]?.id ?? ''], entries: [entry] } }),
      ),
    );
    expect(answers.filter((answer) => answer.code === 201)).toHaveLength(1);
    expect((await lines({ state: 'MATCHED' })).length).toBe(1);
    expect(await explained()).toMatchObject({ unbooked: { count: 1 }, unbanked: { count: 0 } });
  });

  it('is suggested by amount, day and payee; what is alone with its like matches by itself', async () => {
    await upload(STATEMENT);
    const near = await spend('60', ago(1));
    await spend('100', ago(20));
    const [freight] = await lines();
    const { candidates } = await owner.call(suggestBank, { body: { ids: [freight?.id ?? ''] } });
    expect(candidates[0]).toMatchObject({ id: near, best: true, why: '金额一致、相差2天' });
    expect(await owner.call(autoMatch, { body: { cashAccountId: bank } })).toEqual({ matched: 1 });
    expect((await lines({ state: 'MATCHED' })).map((row) => row.outgo)).toEqual(['60.0000']);
    await spend('100', ago(5));
    await spend('100', ago(4));
    // Two entries like it: somebody has to say which.
    expect(await owner.call(autoMatch, { body: { cashAccountId: bank } })).toEqual({ matched: 0 });
    await explained();
  });

  it('an approved request is paid by what the bank says, on its day, fee included; once', async () => {
    await upload(STATEMENT);
    const { id: payee } = await owner.call(savePartner, { body: { name: '义乌市箱包' } });
    const { id } = await owner.call(saveRequest, {
      body: {
        kind: 'EXPENSE',
        party: { kind: 'PARTNER', id: payee },
        lines: [{ title: '样品', amount: '98' }],
      },
    });
    await owner.call(requestSteps.submit, { body: { id } });
    await owner.call(requestSteps.approve, { body: { id } });
    const goods = (await lines()).find((row) => row.outgo === '100.0000');
    const { requests } = await owner.call(suggestBank, { body: { ids: [goods?.id ?? ''] } });
    expect(requests).toMatchObject([{ id, why: '收款方一致', open: '98.0000' }]);
    const body = { id: goods?.id ?? '', requestId: id, amount: '98', fee: '1' };
    const short = await owner.send(payFromBank, { body: { ...body, batchId: randomUUID() } });
    expect(short.msg).toBe('付款金额 98 加手续费 1 应等于银行支出 100.00');
    await owner.call(payFromBank, { body: { ...body, fee: '2', batchId: randomUUID() } });
    expect((await owner.call(requestData, { params: { id } })).payments).toMatchObject([
      { day: ago(5), amount: '98.0000', fee: '2.0000' },
    ]);
    const paid = await owner.send(payFromBank, { body: { ...body, fee: '2', batchId: randomUUID() } });
    expect(paid.msg).toBe('银行流水已匹配，请先取消匹配');
    expect(await explained()).toMatchObject({ book: '900.0000', unbanked: { count: 0 } });
    await owner.call(requestSteps.reverse, { body: { id, reason: '付错' } });
    // The books have it back, the bank has not.
    expect(await explained()).toMatchObject({ unbanked: { count: 2, amount: '100.0000' } });
  });

  it('of another account is refused, and a clerk without the right may only look', async () => {
    await upload(STATEMENT);
    const [line] = await lines();
    const other = (await owner.call(addAccount, { body: { name: '支付宝', opening: '60' } })).id;
    const { records } = await owner.call(listJournal, { body: { filter: { cashAccount: [other] } } });
    const wrong = { ids: [line?.id ?? ''], entries: [records[0]?.id ?? ''] };
    expect((await owner.send(matchBank, { body: wrong })).msg).toBe('账户流水不存在，或不属于该账户');
    const clerk = await world.member(owner, ['fin:account:view']);
    expect((await clerk.send(matchBank, { body: wrong })).status).toBe(403);
    expect((await clerk.call(suggestBank, { body: { ids: wrong.ids } })).candidates.length).toBeGreaterThan(0);
    // The template is a file that the upload understands.
    const { body } = await world.as(owner, () => bankTemplate());
    const [first] = await readSheets(body as Buffer);
    expect(readBank(first?.rows ?? [], 2)).toMatchObject({ rows: 2, problems: [] });
  });
});
