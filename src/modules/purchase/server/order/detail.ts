import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { ExchangeState } from '../../contract/exchange.ts';
import type { FeeSplit, InvoiceType } from '../../contract/fields.ts';
import { OVERSEA } from '../../contract/fields.ts';
import { importTaxes, taxWithin } from '../../contract/money.ts';
import { type OrderHead, type OrderLineRow, type OrderReceiptRow, purchaseOrder } from '../../contract/order.ts';
import type { Incoterm } from '../../contract/oversea.ts';
import { filledClauses } from '../clause/fill.ts';
import { stageTitle } from './check.ts';
import { lastPrices } from './goods.ts';
import { linksOf } from './links.ts';
import { orderRow } from './list.ts';
import { loaded, type Order } from './load.ts';
import { paymentsOf } from './payments.ts';
import { mostOf } from './quantities.ts';
import { supplierOf, type TermStage } from './suppliers.ts';

const UNKNOWN = { name: '—', code: '—' };

async function headOf(ctx: Ctx, order: Order): Promise<OrderHead> {
  const row = await orderRow(ctx, order.id);
  if (!row) throw notFound();
  const supplier = await supplierOf(ctx, order.supplier);
  const more = await ctx.db
    .selectFrom('purchase.purchase_order')
    .select(['terms', 'rate', 'placed_by_name as placedByName'])
    .select(['clauses', 'clause_template_id', 'clause_template', 'clause_penalty'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', order.id)
    .executeTakeFirstOrThrow();
  const terms = more.terms as unknown as TermStage[];
  const termsText = terms.length === 0 ? '未约定' : terms.map(stageTitle).join('，');
  const invoiceType = order.invoiceType as InvoiceType;
  const said = { ...row, termsText, invoiceType };
  return {
    ...said,
    supplierCode: supplier.code,
    supplierGrade: supplier.grade,
    terms,
    clauses: {
      templateId: more.clause_template_id,
      template: more.clause_template,
      penalty: more.clause_penalty,
      lines: more.clauses,
      filled: await filledClauses(ctx, said, more.clauses, more.clause_penalty),
    },
    incotermRule: order.incoterm as Incoterm | null,
    incotermPlace: order.incotermPlace,
    ...taxesOf(ctx, order),
    freight: order.freight,
    otherFee: order.otherFee,
    discount: order.discount,
    feeSplit: order.feeSplit as FeeSplit,
    goodsAmount: sum(order.lines.map((line) => line.amount)),
    taxAmount: sum(order.lines.map((line) => taxWithin(line.amount, line.taxRate, order.currency))),
    rate: more.rate,
    revision: order.revision,
    placedByName: more.placedByName,
  };
}

/** What customs are expected to take for the order, its currency; null for who may not buy overseas. */
function taxesOf(ctx: Ctx, order: Order): { duty: string | null; importVat: string | null } {
  if (!can(ctx, OVERSEA)) return { duty: null, importVat: null };
  const lines = order.lines.map((line) => importTaxes(line, order.currency));
  return { duty: sum(lines.map((line) => line.duty)), importVat: sum(lines.map((line) => line.importVat)) };
}

const UNSEEN = { duty: null, importVat: null, dutyAmount: null, importVatAmount: null };

async function lineRows(ctx: Ctx, order: Order): Promise<OrderLineRow[]> {
  const oversea = can(ctx, OVERSEA);
  const ids = order.lines.map((line) => line.product);
  const products = await localProducts(ctx, ids);
  const last = await lastPrices(ctx, {
    supplier: order.supplier,
    currency: order.currency,
    products: ids,
    but: order.id,
  });
  return order.lines.map((line) => ({
    id: line.id,
    lineNo: line.lineNo,
    productId: line.product,
    product: { ...(products.get(line.product)?.cell ?? UNKNOWN), ...(line.gift ? { extra: '赠品' } : {}) },
    gift: line.gift,
    qty: line.qty,
    unitPrice: line.unitPrice,
    lastPrice: line.gift ? null : (last.get(line.product) ?? null),
    taxRate: line.taxRate,
    rebateRate: line.rebateRate,
    receiveTolerance: line.receiveTolerance,
    amount: line.amount,
    charge: line.charge,
    dutyRate: line.dutyRate,
    importVatRate: line.importVatRate,
    ...(oversea
      ? { ...importTaxes(line, order.currency), dutyAmount: line.dutyAmount, importVatAmount: line.importVatAmount }
      : UNSEEN),
    currency: order.currency,
    received: line.received,
    inspecting: line.inspecting,
    rejected: line.rejected,
    returned: line.returned,
    replaced: line.replaced,
    exchanging: line.exchanging,
    cancelled: line.cancelled,
    freeQty: line.free,
    openQty: line.open,
    mostQty: order.state === 'ordered' ? mostOf(line) : 0,
    expectedOn: line.expectedOn,
    remark: line.remark,
    qcLevel: products.get(line.product)?.qcLevel ?? 'none',
  }));
}

type Happened = Omit<OrderReceiptRow, 'product' | 'currency'> & { productId: string; free: boolean };

/** What came and what went back, newest first. */
async function receiptRows(ctx: Ctx, order: Order): Promise<OrderReceiptRow[]> {
  const { rows } = await sql<Happened>`
    SELECT l.id, r.number, 'receipt' AS kind, r.state, l.product_id AS "productId", l.free, l.qty, l.passed, l.special, l.rejected,
           CASE WHEN r.state = 'reversed' THEN 0 ELSE l.amount END AS amount,
           CASE WHEN r.state = 'reversed' THEN 0 ELSE l.cost END AS cost, r.received_on AS day, r.created_by_name AS by,
           r.id AS "documentId", r.created_at AS at
      FROM purchase.receipt AS r
      JOIN purchase.receipt_line AS l ON l.company_id = r.company_id AND l.receipt_id = r.id
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${order.id}
    UNION ALL
    SELECT l.id, r.number, 'return', r.state, l.product_id, false, -l.qty, NULL, NULL, NULL, -l.credit, -l.cost,
           kit.day(r.created_at), r.created_by_name, r.id, r.created_at
      FROM purchase.return_order AS r
      JOIN purchase.return_line AS l ON l.company_id = r.company_id AND l.return_id = r.id
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${order.id} AND r.state <> 'cancelled'
    UNION ALL
    SELECT l.id, x.number, 'exchange', x.state, l.product_id, false, l.received - CASE WHEN x.takes_stock THEN l.qty - CASE x.ending WHEN 'BACK' THEN l.ended ELSE 0 END ELSE 0 END,
           NULL, NULL, NULL, -l.credit, CASE WHEN x.takes_stock THEN l.cost_back - l.cost ELSE l.cost_back END,
           kit.day(x.created_at), x.created_by_name, x.id, x.created_at
      FROM purchase.exchange_order AS x
      JOIN purchase.exchange_line AS l ON l.company_id = x.company_id AND l.exchange_id = x.id
     WHERE x.company_id = ${ctx.companyId} AND x.order_id = ${order.id} AND x.state IN ('receiving', 'done', 'terminated')
     ORDER BY at DESC, id`.execute(ctx.db);
  const products = await localProducts(
    ctx,
    rows.map((row) => row.productId),
  );
  return rows.map(({ productId, free, ...row }) => ({
    ...row,
    state: (row.kind === 'exchange' ? EXCHANGES[row.state]?.title : TITLES[row.state]) ?? row.state,
    product: { ...(products.get(productId)?.cell ?? UNKNOWN), ...(free ? { extra: '免费超收' } : {}) },
    currency: order.currency,
  }));
}

const EXCHANGES: Record<string, { title: string } | undefined> = ExchangeState.meta()?.states ?? {};

const TITLES: Record<string, string> = {
  inspecting: '待质检',
  done: '已入库',
  reversed: '已撤销',
  draft: '草稿',
  pending: '待审核',
  approved: '待发出',
  shipped: '已退回',
};

/** Actions that the caller may take now; an order that is not over says why. */
function offered(ctx: Ctx, order: Order) {
  const codes = [...new Set(Object.values(purchaseOrder.transitions).map((rule) => rule.permission))];
  const open = order.lines.some((line) => line.open > 0 || line.inspecting > 0 || line.exchanging > 0);
  const came = order.lines.some((line) => line.received > 0);
  return actionsOf(purchaseOrder, order.state, new Set(codes.filter((code) => can(ctx, code)))).filter(
    ({ name }) => !(name === 'complete' && open) && !(name === 'cancel' && (came || !new Decimal(order.paid).isZero())),
  );
}

/** Everything that the page of an order shows. @throws notFound */
export async function orderDetail(ctx: Ctx, id: string) {
  const order = await loaded(ctx, id);
  return {
    order: await headOf(ctx, order),
    lines: await lineRows(ctx, order),
    receipts: await receiptRows(ctx, order),
    ...(await paymentsOf(ctx, order)),
    links: await linksOf(ctx, id),
    actions: offered(ctx, order),
    timeline: await timelineOf(ctx, purchaseOrder.name, id),
  };
}
