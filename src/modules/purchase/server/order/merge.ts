import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { MAX_LINES } from '../../contract/fields.ts';
import { type OrderLineInput, purchaseOrder } from '../../contract/order.ts';
import type { MergeInput } from '../../contract/parts.ts';
import { mergePlan } from '../plan/follow.ts';
import { step } from './act.ts';
import { fallBack } from './fall-back.ts';
import { lineKey } from './line-key.ts';
import { link } from './links.ts';
import { locked, type Order } from './load.ts';
import { requireOversea } from './oversea.ts';
import { feesOf, repriced, requireUnplaced, rewrite, withinApproval, written } from './rewrite.ts';
import { requirePlace } from './save.ts';

/** An order with what its rules do not read. */
type Whole = Order & { terms: string; clauses: string; remark: string };

/** Orders, locked in the order of their ids; the oldest first. @throws notFound */
async function lockAll(ctx: Ctx, ids: readonly string[]): Promise<Whole[]> {
  const orders: Order[] = [];
  for (const id of [...ids].sort()) orders.push(await locked(ctx, id));
  const { rows } = await sql<{ id: string; terms: string; clauses: string; remark: string }>`
    SELECT id, terms::text AS terms, concat(clauses::text, clause_penalty::text) AS clauses, remark FROM purchase.purchase_order
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])`.execute(ctx.db);
  return orders.map((order) => ({
    terms: '',
    clauses: '',
    remark: '',
    ...order,
    ...rows.find((row) => row.id === order.id),
  }));
}

const hasFees = (order: Order) =>
  [order.freight, order.otherFee, order.discount].some((fee) => !new Decimal(fee).isZero());

/** In what an order is another one than the first, so that they cannot become one; or nothing. */
function difference(first: Whole, other: Whole): string | undefined {
  const heads = {
    supplier: '供应商',
    warehouse: '入库仓',
    currency: '币种',
    type: '采购类型',
    terms: '付款条款',
    clauses: '合同条款',
    invoiceType: '发票类型',
    incoterm: '贸易术语',
    incotermPlace: '贸易术语的指定地点',
    state: '状态',
  } as const;
  const [key] = (Object.keys(heads) as (keyof typeof heads)[]).filter((one) => first[one] !== other[one]);
  if (key) return heads[key];
  return hasFees(first) && hasFees(other) && first.feeSplit !== other.feeSplit ? '费用分摊方式' : undefined;
}

/** Distinct texts, one after the other, cut to what the field holds. */
const joined = (texts: readonly string[], most: number) =>
  [...new Set(texts.filter((text) => text !== ''))].join('；').slice(0, most);

const given = (line: OrderLineInput) => [line.dutyAmount !== null, line.importVatAmount !== null].join(' ');
/** Lines whose taxes are reckoned in different ways stay apart. */
const keyOf = (line: OrderLineInput) => `${lineKey(line)} ${given(line)}`;

/** Taxes that were given as amounts add up. */
function addedTaxes(a: OrderLineInput, b: OrderLineInput): Pick<OrderLineInput, 'dutyAmount' | 'importVatAmount'> {
  const added = (key: 'dutyAmount' | 'importVatAmount') =>
    a[key] === null || b[key] === null ? null : sum([a[key], b[key]]);
  return { dutyAmount: added('dutyAmount'), importVatAmount: added('importVatAmount') };
}

/** Lines of all orders; what is the same product on the same conditions becomes one line. */
function together(orders: readonly Whole[]): OrderLineInput[] {
  // A line without a day of its own has its order's: that is another one in the merged order.
  const sameDay = new Set(orders.map((order) => order.expectedOn)).size === 1;
  const lines = new Map<string, OrderLineInput>();
  for (const order of orders) {
    for (const one of order.lines) {
      const line = written(one, order.currency);
      const mine = { ...line, expectedOn: line.expectedOn ?? (sameDay ? null : order.expectedOn) };
      const before = lines.get(keyOf(mine));
      const remark = joined([before?.remark ?? '', mine.remark], 200);
      const taxes = before ? addedTaxes(before, mine) : {};
      lines.set(keyOf(mine), { ...mine, ...taxes, qty: mine.qty + (before?.qty ?? 0), remark });
    }
  }
  return [...lines.values()];
}

const total = (orders: readonly Order[], of: (order: Order) => string) => sum(orders.map(of));

/**
 * Orders of one supplier, warehouse, currency and terms that are not placed become one, the oldest of them; the others are
 * void and say where their pieces are. Fees add up, plans and conditions go along. Approved orders stay approved as long
 * as the one comes to no more than was approved of all of them.
 * @throws refused B1014 for orders that differ or have money on them, B1002 and B1003 as saveOrder; conflict for a stale
 *   version, or an order that is handed in or placed
 */
export async function mergeOrders(ctx: Ctx, input: MergeInput): Promise<Outcome> {
  const ids = input.orders.map((one) => one.id);
  if (new Set(ids).size < ids.length) throw refused('不能重复选择采购单', 'B1014');
  const orders = await lockAll(ctx, ids);
  const [target, ...others] = orders;
  if (!target) throw refused('请选择至少两张采购单', 'B1014');
  for (const order of orders) {
    requireMove(ctx, order.warehouse);
    if (order.overseas) requireOversea(ctx);
    requireFresh(order, input.orders.find((one) => one.id === order.id)?.version);
    await requireUnplaced(ctx, order, '合并', 'B1014');
  }
  for (const other of others) {
    const what = difference(target, other);
    if (what) throw refused(`采购单${other.number}与${target.number}的${what}不同，不能合并`, 'B1014');
  }
  await requirePlace(ctx, { warehouseId: target.warehouse, currency: target.currency as 'CNY' });
  const approved = target.state === 'approved';
  if (input.reprice && approved) throw refused('已审核的采购单不能重新取价', 'B1014');
  const lines = input.reprice ? await repriced(ctx, target, together(orders)) : together(orders);
  if (lines.length > MAX_LINES) throw refused(`合并后超过${MAX_LINES}行，不能合并`, 'B1014');
  const approvedAmount = approved ? total(orders, (order) => order.approvedAmount ?? order.amount) : null;
  const feeSplit = orders.find(hasFees)?.feeSplit ?? target.feeSplit;
  const whole = await rewrite(ctx, target, {
    fees: {
      ...feesOf({ ...target, feeSplit }),
      freight: total(orders, (order) => order.freight),
      otherFee: total(orders, (order) => order.otherFee),
      discount: total(orders, (order) => order.discount),
    },
    lines,
    expectedOn: orders.flatMap((order) => order.expectedOn ?? []).sort()[0] ?? null,
    remark: joined(
      orders.map((order) => order.remark),
      500,
    ),
    approvedAmount,
  });
  await closeOthers(ctx, target, others);
  await note(ctx, purchaseOrder.name, target.id, {
    kind: 'note',
    title: '合并',
    body: `并入 ${others.map((one) => one.number).join('、')}`,
  });
  await audit(ctx, {
    action: '采购单·合并',
    resource: purchaseOrder.name,
    resourceId: target.id,
    before: { amount: target.amount, merged: orders.map(({ number, amount }) => ({ number, amount })) },
    after: { amount: whole.amount, lines },
  });
  const falls = approvedAmount !== null && !(await withinApproval(ctx, [whole.amount], approvedAmount));
  const now = falls ? await fallBack(ctx, whole) : whole;
  const words = falls ? '，金额超过已审核的合计，须重新提交审批' : '';
  return outcome(now, `已合并为采购单${target.number}${words}`);
}

/** The orders whose pieces are elsewhere now: their needs go along, so the plan does not open again. */
async function closeOthers(ctx: Ctx, target: Order, others: readonly Order[]): Promise<void> {
  await mergePlan(
    ctx,
    others.map((one) => one.id),
    target.id,
  );
  for (const other of others) {
    await link(ctx, target, 'MERGED_FROM', other);
    // Whoever may write orders may merge them: nothing is given up.
    await step({ ...ctx, permissions: undefined }, other, 'discard', { reason: `并入 ${target.number}` }, {});
  }
}
