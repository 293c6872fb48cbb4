import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';

export interface OrderLine {
  id: string;
  lineNo: number;
  product: string;
  qty: number;
  gift: boolean;
  /** Order currency a piece, tax included. */
  unitPrice: string;
  taxRate: string;
  rebateRate: string;
  /** Share by which more may come; null: as the supplier, else the company, has it. */
  receiveTolerance: string | null;
  dutyRate: string;
  /** Order currency, instead of the share; null: the share counts. */
  dutyAmount: string | null;
  importVatRate: string;
  importVatAmount: string | null;
  amount: string;
  charge: string;
  /** Order currency: what is owed for it by now. */
  due: string;
  expectedOn: string | null;
  remark: string;
  /** Most that may come, tolerance included. */
  limit: number;
  received: number;
  inspecting: number;
  rejected: number;
  returned: number;
  replaced: number;
  cancelled: number;
  /** Went out to be exchanged, and not replaced yet. */
  exchanging: number;
  /** Of those received: beyond the limit, taken over on purpose. */
  over: number;
  /** Came on top for nothing; not among those received. */
  free: number;
  /** Still waited for; what the stock ledger knows as 待入库. */
  open: number;
}

/** An order as its rules see it: head and lines, read while its row is locked. */
export interface Order extends DocumentRow {
  number: string;
  type: string;
  revision: number;
  supplier: string;
  warehouse: string;
  currency: string;
  overseas: boolean;
  incoterm: string | null;
  incotermPlace: string;
  invoiceType: string;
  freight: string;
  otherFee: string;
  discount: string;
  feeSplit: string;
  expectedOn: string | null;
  /** Order currency. */
  amount: string;
  due: string;
  paid: string;
  /** As it was approved last; null before. */
  approvedAmount: string | null;
  createdBy: string | null;
  createdByName: string;
  updatedByName: string;
  lines: OrderLine[];
}

/** The order without its lines; its row locked if asked for. @throws notFound */
export async function headOf(ctx: Ctx, id: string, lock: boolean): Promise<Omit<Order, 'lines'>> {
  const { rows } = await sql<Omit<Order, 'lines'>>`
    SELECT id, number, type, state, version, revision, supplier_id AS supplier, warehouse_id AS warehouse, currency, overseas,
           incoterm, incoterm_place AS "incotermPlace",
           invoice_type AS "invoiceType", freight, other_fee AS "otherFee", discount, fee_split AS "feeSplit",
           expected_on AS "expectedOn", amount, due_amount AS due, paid_amount AS paid,
           approved_amount AS "approvedAmount", created_by AS "createdBy",
           created_by_name AS "createdByName", updated_by_name AS "updatedByName"
      FROM purchase.purchase_order
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const head = rows[0];
  if (!head) throw notFound();
  return head;
}

export async function linesOf(ctx: Ctx, id: string): Promise<OrderLine[]> {
  const { rows } = await sql<OrderLine>`
    SELECT id, line_no AS "lineNo", product_id AS product, qty, gift, unit_price::text AS "unitPrice",
           tax_rate::text AS "taxRate", rebate_rate::text AS "rebateRate", receive_tolerance::text AS "receiveTolerance", duty_rate::text AS "dutyRate",
           duty_amount::text AS "dutyAmount", import_vat_rate::text AS "importVatRate",
           import_vat_amount::text AS "importVatAmount", amount, charge, due,
           expected_on AS "expectedOn", remark, limit_qty AS "limit", received, inspecting, rejected, returned, replaced,
           cancelled, exchanging, over_qty AS over, free_qty AS free, open_qty AS open
      FROM purchase.order_line WHERE company_id = ${ctx.companyId} AND order_id = ${id} ORDER BY line_no`.execute(
    ctx.db,
  );
  return rows;
}

/** The order, its row locked until the transaction ends: whatever happens to it happens one after the other. */
export async function locked(ctx: Ctx, id: string): Promise<Order> {
  const head = await headOf(ctx, id, true);
  return { ...head, lines: await linesOf(ctx, id) };
}

/** The order as it is now. @throws notFound for one out of reach */
export async function loaded(ctx: Ctx, id: string): Promise<Order> {
  const head = await headOf(ctx, id, false);
  return { ...head, lines: await linesOf(ctx, id) };
}
