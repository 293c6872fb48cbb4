import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { forbidden, notFound } from '#kit/server/errors.ts';
import type { FreightBase, FreightKind } from '../../../contract/freight/fields.ts';

export const TABLE = 'shipping.freight_bill';

export interface Charge {
  id: string;
  order: string;
  reference: string;
  kind: FreightKind;
  amount: string;
  billedWeight: string | null;
  remark: string;
}

/** A freight bill as its rules see it. Amounts in its currency. */
export interface FreightBill extends DocumentRow {
  number: string;
  carrier: string;
  carrierName: string;
  /** Whom it is paid to. */
  supplier: string | null;
  billNo: string;
  day: string;
  dueOn: string | null;
  currency: string;
  amount: string;
  base: FreightBase;
  remark: string;
  createdBy: string | null;
  createdByName: string;
  updatedByName: string;
  /** Those of orders within the caller's reach. */
  charges: Charge[];
}

async function read(ctx: Ctx, id: string, lock: boolean): Promise<FreightBill> {
  const { rows } = await sql<Omit<FreightBill, 'charges'>>`
    SELECT b.id, b.number, b.state, b.version, b.carrier_id AS carrier, k.name AS "carrierName", k.supplier_id AS supplier,
           b.bill_no AS "billNo", b.day, b.due_on AS "dueOn", b.currency, b.amount::text AS amount, b.base, b.remark,
           b.created_by AS "createdBy", b.created_by_name AS "createdByName", b.updated_by_name AS "updatedByName"
      FROM shipping.freight_bill AS b
      JOIN shipping.carrier AS k ON k.company_id = b.company_id AND k.id = b.carrier_id
     WHERE b.company_id = ${ctx.companyId} AND b.id = ${id} ${sql.raw(lock ? 'FOR UPDATE OF b' : '')}`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound('物流账单不存在');
  const charges = await sql<Charge>`
    SELECT id, order_id AS "order", reference, kind, amount::text AS amount, trim_scale(billed_weight)::text AS "billedWeight",
           remark
      FROM shipping.freight_charge
     WHERE company_id = ${ctx.companyId} AND bill_id = ${id} ORDER BY line_no`.execute(ctx.db);
  return { ...head, charges: charges.rows };
}

/** The bill with its row locked until the transaction ends. @throws notFound */
export const lockedBill = (ctx: Ctx, id: string): Promise<FreightBill> => read(ctx, id, true);

/** The bill as it is now. @throws notFound */
export const loadedBill = (ctx: Ctx, id: string): Promise<FreightBill> => read(ctx, id, false);

/** Whoever changes a bill sees all of its orders: a part of it cannot be shared. @throws forbidden */
export function requireWhole({ charges, amount }: FreightBill): void {
  if (!new Decimal(sum(charges.map((one) => one.amount))).eq(amount)) throw forbidden('data');
}
