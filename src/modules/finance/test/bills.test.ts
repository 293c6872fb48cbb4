import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { readSheets } from '#kit/server/excel/read.ts';
import { instantOf, moneyOf, orderIdOf } from '../server/bills/cells.ts';
import { billedOf, readBill } from '../server/bills/read.ts';
import { type Book, headOf, orderRow, workbookOf } from './bill-book.ts';

const read = async (book: Book) => readBill(await readSheets(await workbookOf(book)));
const text = (value: string) => ({ text: value, numeric: false });
const A = '2987654321012345678';
const B = '2987654321012345679';

describe('cells of the bill', () => {
  it('a lone dash is nothing, a leading minus is less than nothing, currency and commas are no matter', () => {
    const of = (value: string) => moneyOf(text(value));
    expect([of('-'), of('—'), of(''), of('-5.20'), of('−5.2'), of('¥1,234.50'), of('-¥8')]).toEqual(
      [null, null, null, '-5.2', '-5.2', '1234.5', '-8'].map((value) => ({ value })),
    );
    expect([of('5.201'), of('abc'), of('--5')].every((one) => 'reason' in one)).toBe(true);
  });

  it('a number of an order is text to its last digit; what a numeric cell has lost is said', () => {
    expect(orderIdOf(text(A))).toEqual({ value: A });
    expect(orderIdOf({ text: '2987654321012350000', numeric: true })).toMatchObject({
      reason: expect.stringContaining('末几位已丢失'),
    });
    expect(orderIdOf(text('12345'))).toMatchObject({ reason: '订单号应为10至30位数字' });
  });

  it('times are those of Beijing, and a day that does not exist is none', () => {
    expect(instantOf(text('2026-10-31 00:30:00'))).toEqual({ value: '2026-10-30T16:30:00.000Z' });
    expect(instantOf(text('2026/1/2 9:05'))).toEqual({ value: '2026-01-02T01:05:00.000Z' });
    expect(instantOf(text('2026-02-30 10:00:00'))).toHaveProperty('reason');
  });
});

describe('the workbook of a bill', () => {
  it('head and four sheets are read by their labels and titles', async () => {
    const { bill, problems, rows } = await read({
      head: headOf('诚信采购', '150.50', 2),
      orders: [orderRow(A, '100.50'), orderRow(B, '60', '10'), ['合计', '', '', '', '160.50']],
      repayments: [['2026-11-02 12:00:00', '支付宝', '主动还款', '50']],
      refunds: [[B, '2026-10-20 08:00:00', '保温杯', '60', '-10.00', '售后退款', '账期额度']],
      topups: [['2026-10-21', '多还退回', 'T1', '3.20']],
    });
    expect([problems, rows]).toEqual([[], 5]);
    expect(bill).toMatchObject({
      buyerAccount: '诚信采购',
      amount: '150.5',
      orderCount: 2,
      statementDate: '2026-10-31',
      dueOn: '2026-11-20',
      exportedAt: '2026-11-01T02:00:00.000Z',
      repayments: [{ at: '2026-11-02T04:00:00.000Z', amount: '50' }],
      refunds: [{ orderId: B, amount: '-10' }],
      topups: [{ reference: 'T1', amount: '3.2' }],
    });
    expect(bill?.orders[1]).toMatchObject({ orderId: B, refund: '10', refunded: true });
  });

  it('each bad row is named with its sheet, line and reason, and nothing is good then', async () => {
    const { bill, problems } = await read({
      head: { ...headOf('诚信采购', '1', 1), '还款日：': '-' },
      orders: [
        orderRow(A, '100'),
        orderRow(A, '5'),
        orderRow(Number(A), '5'),
        orderRow(B, '5').with(4, '很多'),
        orderRow('2987654321012345680', '-'),
      ],
      repayments: [['', '支付宝', '主动还款', '50']],
      without: ['充退记录'],
    });
    expect(bill).toBeUndefined();
    expect(problems.map((one) => [one.sheet, one.line, one.column, one.reason])).toEqual([
      ['账单明细', 11, '订单号', '订单号与第10行重复'],
      ['账单明细', 12, '订单号', '订单号是数字格式，末几位已丢失，请改为文本格式后重新导出'],
      ['账单明细', 13, '确认收货金额', '不是金额'],
      ['账单明细', 14, '确认收货金额', '确认收货金额和退款金额不能都为空'],
      ['还款记录', 4, '还款时间', '不能为空'],
      ['充退记录', 0, '', '缺少工作表【充退记录】'],
      ['账单明细', 6, '还款日', '【还款日】不能为空'],
    ]);
  });

  it('a sheet of another kind is refused in words', async () => {
    const { bill, problems } = readBill([{ title: 'Sheet1', rows: [[text('SKU')]] }]);
    expect(bill).toBeUndefined();
    expect(problems.map((one) => one.reason)).toContain('缺少工作表【账单明细】');
  });

  it('the lines add up to the 入账金额 to the cent, or the difference is named', async () => {
    const cents = fc.integer({ min: 0, max: 99_999_999 });
    const money = (n: number) => new Decimal(n).div(100).toFixed(2);
    const lines = fc.array(fc.tuple(cents, fc.option(cents)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: -500, max: 500 }), async (drawn, off) => {
        const orders = drawn.map(([confirmed, refund], index) =>
          orderRow(
            `29876543210123${String(index).padStart(5, '0')}`,
            money(confirmed),
            refund === null ? '-' : money(refund),
          ),
        );
        const whole = drawn.reduce((total, [confirmed, refund]) => total + confirmed - (refund ?? 0), 0);
        const stated = money(whole + off);
        const { bill, problems } = await read({ head: headOf('甲', stated, orders.length), orders });
        if (off === 0) {
          expect(problems).toEqual([]);
          expect(new Decimal(sum((bill?.orders ?? []).map(billedOf))).eq(bill?.amount ?? 'NaN')).toBe(true);
        } else {
          expect(bill).toBeUndefined();
          expect(problems.map((one) => one.reason)).toEqual([
            `账单明细合计 ${money(whole)} 与入账金额 ${stated} 不一致，差额 ${money(-off)}`,
          ]);
        }
      }),
      { numRuns: 25 },
    );
  });
});
