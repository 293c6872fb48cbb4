import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { requireUnlocked } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { type OrderInput, purchaseOrder } from '../../contract/order.ts';
import { requireNoChange } from '../amend/waiting.ts';
import { clausesFor } from '../clause/snapshot.ts';
import { unmeasuredWords } from '../measured.ts';

import { afterApproval } from './again.ts';
import { amountsOf, type Fees } from './amounts.ts';
import { isAbroad } from './choices.ts';
import { project } from './events.ts';
import { lineKey } from './line-key.ts';
import { locked, type Order } from './load.ts';
import { requireOversea, requireOverseaTerms } from './oversea.ts';
import { supplierOf } from './suppliers.ts';

/** The warehouse can take the goods; answers whether the order is an overseas one: abroad, or in another currency. */
export async function requirePlace(ctx: Ctx, input: Pick<OrderInput, 'warehouseId' | 'currency'>): Promise<boolean> {
  const place = await warehouseOf(ctx, input.warehouseId);
  requireMove(ctx, place.id);
  if (place.disabled) throw refused(`仓库【${place.name}】已停用`, 'B1002');
  if (place.quality !== 'GOOD') throw refused('采购单的入库仓须为正品仓', 'B1002');
  if (place.kind === 'FBA' || place.kind === 'AWD')
    throw refused(`【${place.name}】的库存由平台管理，不能作为入库仓`, 'B1002');
  const overseas = input.currency !== 'CNY' || isAbroad(place);
  if (overseas) requireOversea(ctx);
  return overseas;
}

async function requireProducts(ctx: Ctx, input: OrderInput): Promise<void> {
  const ids = input.lines.map((line) => line.productId);
  const known = await localProducts(ctx, ids);
  if (ids.some((id) => !known.has(id))) throw refused('商品不存在或已删除', 'B1004');
  const keys = input.lines.map(lineKey);
  if (new Set(keys).size < keys.length) throw refused('不能重复添加SKU，赠品除外', 'B1005');
}

function headValues(ctx: Ctx, input: OrderInput, overseas: boolean, terms: unknown) {
  return {
    type: input.type,
    supplier_id: input.supplierId,
    warehouse_id: input.warehouseId,
    overseas,
    currency: input.currency,
    terms: JSON.stringify(terms),
    invoice_type: input.invoiceType,
    freight: input.freight,
    other_fee: input.otherFee,
    discount: input.discount,
    fee_split: input.feeSplit,
    expected_on: input.expectedOn,
    remark: input.remark,
    incoterm: input.incoterm,
    incoterm_place: input.incoterm === null ? '' : input.incotermPlace,
    updated_by_name: ctx.userName,
  };
}

/** An order that was entered just now. */
type Written = Pick<Order, 'id' | 'number' | 'state' | 'version'>;

async function created(ctx: Ctx, input: OrderInput, values: ReturnType<typeof headValues>): Promise<Written> {
  const clauses = await clausesFor(ctx, input);
  const number = await nextNumber(ctx, purchaseOrder.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('purchase.purchase_order')
    .values({
      company_id: ctx.companyId,
      number,
      state: 'draft',
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...values,
      ...clauses,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, purchaseOrder.name, id, { kind: 'note', title: '创建', to: 'draft' });
  return { id, number, state: 'draft', version: 0 };
}

async function rewritten(ctx: Ctx, input: OrderInput & { id: string }, values: ReturnType<typeof headValues>) {
  const order = await locked(ctx, input.id);
  requireMove(ctx, order.warehouse);
  if (order.overseas) requireOversea(ctx);
  if (!['draft', 'approved'].includes(order.state)) {
    await requireUnlocked(ctx, purchaseOrder, order.id);
    const title = purchaseOrder.states[order.state as 'draft']?.title ?? order.state;
    throw conflict(`单据状态为【${title}】，不能执行【修改】`);
  }
  requireFresh(order, input.version);
  await requireNoChange(ctx, order.id);
  const clauses = await clausesFor(ctx, input, order);
  await ctx.db
    .updateTable('purchase.purchase_order')
    .set({ ...values, ...clauses, version: order.version + 1, updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', order.id)
    .execute();
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '修改' });
  return { ...order, version: order.version + 1, updatedByName: ctx.userName };
}

/** Lines as they are written, with the fees that they share; with an id those of that order are replaced. */
type WrittenLines = Fees & Pick<OrderInput, 'id' | 'lines'>;

/** Replaces the lines. @throws refused B1008 for fees that are shared by a measure that products lack */
export async function putLines(ctx: Ctx, order: Pick<Order, 'id'>, input: WrittenLines): Promise<void> {
  const amounts = await amountsOf(ctx, input, input.lines);
  if (amounts.unmeasured.length > 0) {
    throw refused(await unmeasuredWords(ctx, amounts.unmeasured, input.feeSplit), 'B1008');
  }
  const rows = input.lines.map((line, index) => ({ n: index + 1, ...line, ...amounts.lines[index] }));
  if (input.id !== undefined) {
    await ctx.db
      .deleteFrom('purchase.order_line')
      .where('company_id', '=', ctx.companyId)
      .where('order_id', '=', order.id)
      .execute();
  }
  await sql`
    INSERT INTO purchase.order_line (company_id, order_id, line_no, product_id, qty, limit_qty, gift, unit_price, tax_rate,
      rebate_rate, amount, charge, expected_on, receive_tolerance, duty_rate, duty_amount, import_vat_rate, import_vat_amount,
      remark)
    SELECT ${ctx.companyId}, ${order.id}, r.n, r."productId", r.qty, r.qty, r.gift,
           CASE WHEN r.gift THEN 0 ELSE r."unitPrice" END, r."taxRate", r."rebateRate", r.amount, r.charge, r."expectedOn",
           r."receiveTolerance", r."dutyRate", r."dutyAmount", r."importVatRate", r."importVatAmount", r.remark
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(n int, "productId" uuid, qty int, gift boolean,
        "unitPrice" numeric, "taxRate" numeric, "rebateRate" numeric, amount numeric, charge numeric, "expectedOn" date,
        "receiveTolerance" numeric, "dutyRate" numeric, "dutyAmount" numeric, "importVatRate" numeric,
        "importVatAmount" numeric, remark text)`.execute(ctx.db);
  await project(ctx, order.id);
}

/**
 * Writes a new order, or changes one that was not placed yet; all of its lines are replaced. Terms are the supplier's of
 * now. An approved order that this makes dearer than tolerated, or that is another one now, waits for approval again.
 * @throws refused B1001 supplier, B1002 warehouse, B1003 overseas right, B1004 product, B1005 a SKU twice, B1008 no
 *   weight or size to share the fees by, B1121 to B1123 its clauses, B1125 terms of an
 *   overseas order; conflict for a stale version or an order that is
 *   handed in or placed
 */
export async function saveOrder(ctx: Ctx, input: OrderInput): Promise<Outcome> {
  const overseas = await requirePlace(ctx, input);
  requireOverseaTerms(ctx, input, overseas);
  const supplier = await supplierOf(ctx, input.supplierId);
  if (supplier.state === 'blacklisted') throw refused('供应商已停用或评级过低，不能下单', 'B1001');
  await requireProducts(ctx, input);
  const values = headValues(ctx, input, overseas, supplier.terms);
  const before = input.id ? await rewritten(ctx, { ...input, id: input.id }, values) : undefined;
  const order = before ?? (await created(ctx, input, values));
  await putLines(ctx, order, input);
  await audit(ctx, {
    action: '采购单·保存',
    resource: purchaseOrder.name,
    resourceId: order.id,
    ...(before ? { before: { lines: before.lines.length, amount: before.amount } } : {}),
    after: { number: order.number, ...input },
  });
  return before?.state === 'approved' ? afterApproval(ctx, before) : outcome(order, `采购单${order.number}已保存`);
}
