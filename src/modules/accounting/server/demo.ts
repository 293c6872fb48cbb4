import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { firstDay, monthAfter } from '../contract/fields.ts';
import type { VoucherStep } from '../contract/voucher-calls.ts';
import type { VoucherType } from '../contract/vouchers.ts';
import { act } from './act.ts';
import { applyChart, stateOf } from './book.ts';
import { allSubjects } from './subjects.ts';
import { draft } from './write.ts';

/** Summary, code of the subject, debit, credit; '' is none. */
type Line = readonly [summary: string, code: string, debit: string, credit: string];

const OPENING: readonly Line[] = [
  ['期初余额', '1002', '386500.00', ''],
  ['期初余额', '101201', '128600.00', ''],
  ['期初余额', '140501', '215000.00', ''],
  ['期初余额', '2202', '', '130100.00'],
  ['期初余额', '3001', '', '600000.00'],
];
const MONTH: readonly (readonly Line[])[] = [
  [
    ['确认亚马逊销售', '112201', '186420.36', ''],
    ['平台佣金', '560101', '33210.50', ''],
    ['FBA配送费', '560102', '41862.14', ''],
    ['确认亚马逊销售', '500101', '', '261493.00'],
  ],
  [
    ['结转销售成本', '5401', '98500.00', ''],
    ['结转销售成本', '140502', '', '98500.00'],
  ],
  [
    ['发往FBA', '140502', '120000.00', ''],
    ['发往FBA', '140501', '', '120000.00'],
  ],
  [
    ['亚马逊回款', '101201', '171400.00', ''],
    ['提现手续费', '560302', '860.36', ''],
    ['亚马逊回款', '112201', '', '172260.36'],
  ],
];
const RENT: readonly Line[] = [
  ['支付办公室租金', '560203', '23860.00', ''],
  ['支付办公室租金', '1002', '', '23860.00'],
];

/** Gives a company books since January with its opening balances, the vouchers of last month, and two that wait. */
export async function demoBooks(ctx: Ctx): Promise<void> {
  const today = ctx.clock.today();
  const last = monthAfter(today.slice(0, 7), -1);
  // Somebody may have opened the books already.
  const start = (await stateOf(ctx)).startMonth ?? `${last.slice(0, 4)}-01`;
  await applyChart(ctx, start);
  const ids = new Map((await allSubjects(ctx)).map(({ code, id }) => [code, id]));
  const put = async (
    day: string,
    lines: readonly Line[],
    steps: readonly VoucherStep[],
    type: VoucherType = 'GENERAL',
  ) => {
    const { id } = await draft(ctx, {
      type,
      day,
      attachments: 1,
      lines: lines.map(([summary, code, debit, credit]) => ({
        summary,
        subjectId: ids.get(code) ?? '',
        debit,
        credit,
      })),
    });
    for (const step of steps) await act(ctx, id, step, {});
  };
  const posted: readonly VoucherStep[] = ['submit', 'approve', 'post'];
  await put(dayAfter(firstDay(start), -1), OPENING, posted, 'OPENING');
  for (const [at, lines] of MONTH.toReversed().entries())
    await put(dayAfter(firstDay(last), 4 + at * 6), lines, posted);
  await put(today, RENT, ['submit'], 'PAYMENT');
  await put(today, MONTH[2] ?? [], ['submit', 'approve']);
}
