import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { PlanWay } from '../../contract/requisition.ts';

export interface RequisitionLine {
  id: string;
  way: PlanWay;
  planLine: string | null;
  product: string;
  warehouse: string;
  /** Null where it is made. */
  supplier: string | null;
  qty: number;
  /** Tax included, in `currency`; null where it is made. */
  unitPrice: string | null;
  amount: string | null;
  currency: string;
  needBy: string | null;
  usedFor: string;
}

/** Needs that were handed in together, as their rules see them. */
export interface Requisition extends DocumentRow {
  number: string;
  /** Whether its orders are handed in at once. */
  review: boolean;
  createdBy: string | null;
  createdByName: string;
  /** All of them, whatever warehouses the caller may see: a plan is converted as a whole. */
  lines: RequisitionLine[];
}

async function read(ctx: Ctx, id: string, lock: boolean): Promise<Requisition> {
  const { rows } = await sql<Omit<Requisition, 'lines'>>`
    SELECT id, number, state, version, review, created_by AS "createdBy", created_by_name AS "createdByName"
      FROM purchase.requisition
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound();
  const lines = await unscoped(ctx, () =>
    sql<RequisitionLine>`
      SELECT id, way, plan_line_id AS "planLine", product_id AS product, warehouse_id AS warehouse, supplier_id AS supplier,
             qty, unit_price::text AS "unitPrice", amount::text AS amount, currency, need_by AS "needBy", used_for AS "usedFor"
        FROM purchase.requisition_line
       WHERE company_id = ${ctx.companyId} AND requisition_id = ${id} ORDER BY line_no`.execute(ctx.db),
  );
  return { ...head, lines: lines.rows };
}

/** The plan with its row locked until the transaction ends. @throws notFound */
export const lockedRequisition = (ctx: Ctx, id: string) => read(ctx, id, true);

/** The plan as it is now. @throws notFound */
export const loadedRequisition = (ctx: Ctx, id: string) => read(ctx, id, false);
