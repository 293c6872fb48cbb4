import { createHash } from 'node:crypto';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type Bill, type BillOrder, keepBill } from '#modules/finance/server/index.ts';

const DAY_MS = 86_400_000;
/** An order that somebody placed at the market himself: no purchase order is found for it. */
const BY_HAND = { orderId: '2987654321012345678', name: '气泡膜 50cm', amount: '86.40' };

/** As the market bills it: ten yuan of the second order were given back after it was paid. */
function billed(ctx: Ctx, row: { platformId: string; total: string }, index: number): BillOrder {
  const refund = index === 1 ? '10.00' : null;
  return {
    orderId: row.platformId,
    paidAt: new Date(ctx.runtime.clock.ms() - 9 * DAY_MS).toISOString(),
    name: ['不锈钢保温杯', '硅胶碗'][index] ?? '厨房用品',
    paid: row.total,
    confirmed: row.total,
    confirmedAt: new Date(ctx.runtime.clock.ms() - 3 * DAY_MS).toISOString(),
    term: '诚e赊',
    refunded: refund !== null,
    refund,
  };
}

/** A bill of what the demo company ordered at the market, as if it had been uploaded; nothing without such orders. */
export async function demoBill(ctx: Ctx): Promise<void> {
  const rows = await ctx.db
    .selectFrom('alibaba.trade as t')
    .innerJoin('alibaba.buyer as b', (join) =>
      join.onRef('b.company_id', '=', 't.company_id').onRef('b.id', '=', 't.buyer_id'),
    )
    .select(['t.platform_id as platformId', 't.total', 'b.login_id as account'])
    .where('t.company_id', '=', ctx.companyId)
    .orderBy('t.id')
    .execute();
  const known = rows.flatMap(({ platformId, total }) => (platformId && total ? [{ platformId, total }] : []));
  if (known.length === 0) return;
  const at = new Date(ctx.runtime.clock.ms() - 2 * DAY_MS).toISOString();
  const { amount, ...byHand } = BY_HAND;
  const orders: BillOrder[] = [
    ...known.map((row, index) => billed(ctx, row, index)),
    {
      ...byHand,
      paidAt: at,
      paid: amount,
      confirmed: amount,
      confirmedAt: at,
      term: '诚e赊',
      refunded: false,
      refund: null,
    },
  ];
  const whole = sum(orders.map(({ confirmed, refund }) => new Decimal(confirmed ?? 0).minus(refund ?? 0).toFixed()));
  const bill: Bill = {
    buyerAccount: rows[0]?.account ?? '',
    amount: whole,
    orderCount: orders.length,
    statementDate: ctx.clock.dayAhead(-1),
    dueOn: ctx.clock.dayAhead(19),
    exportedAt: ctx.runtime.clock.now().toISOString(),
    orders,
    repayments: [{ at, method: '企业支付宝', kind: '主动还款', amount: '300.00' }],
    refunds: orders.flatMap(({ orderId, name, paid, refund }) =>
      refund ? [{ orderId, at, name, paid, amount: refund, kind: '售后退款', destination: '账期额度' }] : [],
    ),
    topups: [{ at, kind: '多还退回', reference: '20261101000001', amount: '13.60' }],
  };
  const hash = createHash('sha256').update(JSON.stringify(bill.orders)).digest('hex');
  await keepBill(ctx, bill, { name: '1688账单.xlsx', hash });
}
