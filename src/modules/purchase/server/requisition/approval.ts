import { Decimal } from '#kit/contract/decimal.ts';
import { type Approvable, type ApprovalSubject, ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { warehouseChoices, warehouses } from '#modules/warehouse/server/index.ts';
import { PRICE, VIEW } from '../../contract/fields.ts';
import { type RequisitionStep, requisition } from '../../contract/requisition.ts';
import { actRequisition } from './act.ts';
import { loadedRequisition, type RequisitionLine } from './load.ts';

/** Several currencies on one plan are compared as CNY of today. @throws refused B0848 where a rate is missing */
async function amountOf(ctx: Ctx, lines: readonly RequisitionLine[]): Promise<string> {
  const rates = await ratesOn(
    ctx,
    lines.map((line) => line.currency),
    ctx.clock.today(),
  );
  return lines
    .reduce((total, line) => {
      const rate = rates.get(line.currency);
      if (rate === undefined) throw refused(`缺少${line.currency}汇率，无法提交审批`, 'B0848');
      return total.plus(new Decimal(line.amount ?? 0).times(rate));
    }, new Decimal(0))
    .toFixed(2);
}

const pieces = (lines: readonly RequisitionLine[]) => lines.reduce((total, line) => total + line.qty, 0);

async function subject(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const plan = await loadedRequisition(ctx, id);
  const known = await warehouses(ctx);
  const places = [...new Set(plan.lines.map((line) => line.warehouse))];
  const place = places.map((one) => known.get(one)?.name ?? '').join('、');
  const bought = plan.lines.filter((line) => line.way === 'BUY');
  const made = plan.lines.filter((line) => line.way === 'MAKE');
  const suppliers = new Set(bought.map((line) => line.supplier)).size;
  const skus = new Set(plan.lines.map((line) => line.product)).size;
  const qty = pieces(bought);
  const words = (count: number) => count.toLocaleString('en-US');
  return {
    number: plan.number,
    summary: `采购计划 · ${skus} 个SKU 共采购 ${words(qty)} 件`,
    facts: [
      { label: '入库仓', value: place },
      { label: 'SKU数', value: String(skus) },
      { label: '采购数量', value: words(qty) },
      { label: '供应商', value: `${suppliers} 家` },
      ...(made.length > 0 ? [{ label: '组装', value: `${made.length} 种 共 ${words(pieces(made))} 件` }] : []),
    ],
    amount: await amountOf(ctx, plan.lines),
    currency: 'CNY',
    place,
    warehouses: places,
    vars: { warehouse: places, qty, skus, suppliers, made: pieces(made) },
    ...(plan.createdBy ? { people: { planner: [plan.createdBy] } } : {}),
    content: { number: plan.number, review: plan.review, lines: plan.lines },
  };
}

/** Plans as flows see them: the amount is that of all that is bought, CNY by the rates of the day. */
export const requisitionApproval: Approvable = {
  def: requisition,
  table: 'purchase.requisition',
  view: VIEW,
  amountPermission: PRICE,
  fields: [
    { key: 'warehouse', title: '入库仓', kind: 'choice', options: warehouseChoices },
    { key: 'qty', title: '采购数量', kind: 'number' },
    { key: 'skus', title: 'SKU数', kind: 'number' },
    { key: 'suppliers', title: '供应商数', kind: 'number' },
    { key: 'made', title: '组装数量', kind: 'number' },
  ],
  people: { planner: '计划员' },
  subject,
  take: (ctx, id, step, reason) => actRequisition(ctx, step as RequisitionStep, { id, reason }),
};
