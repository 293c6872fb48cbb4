import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';

export interface Part {
  id: string;
  product: string;
  /** Pieces for the whole order. */
  qty: number;
}

/** A process order as its rules see it. */
export interface Process extends DocumentRow {
  number: string;
  kind: string;
  product: string;
  qty: number;
  done: number;
  scrapped: number;
  warehouse: string;
  supplier: string | null;
  /** CNY for a good piece, tax included. */
  feePrice: string;
  plannedOn: string | null;
  remark: string;
  createdBy: string | null;
  createdByName: string;
  updatedByName: string;
  parts: Part[];
}

async function read(ctx: Ctx, id: string, lock: boolean): Promise<Process> {
  const { rows } = await sql<Omit<Process, 'parts'>>`
    SELECT id, number, kind, state, version, product_id AS product, qty, done, scrapped, warehouse_id AS warehouse,
           supplier_id AS supplier, fee_price::text AS "feePrice", planned_on AS "plannedOn", remark,
           created_by AS "createdBy", created_by_name AS "createdByName", updated_by_name AS "updatedByName"
      FROM purchase.process_order
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound();
  const parts = await sql<Part>`
    SELECT id, product_id AS product, qty FROM purchase.process_part
     WHERE company_id = ${ctx.companyId} AND order_id = ${id} ORDER BY line_no`.execute(ctx.db);
  return { ...head, parts: parts.rows };
}

/** The order with its row locked until the transaction ends. @throws notFound */
export const lockedProcess = (ctx: Ctx, id: string) => read(ctx, id, true);

/** The order as it is now. @throws notFound for one out of reach */
export const loadedProcess = (ctx: Ctx, id: string) => read(ctx, id, false);
