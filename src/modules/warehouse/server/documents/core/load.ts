import { sql } from 'kysely';
import type { DocumentDef } from '#kit/contract/document.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';

export type KindName = 'inbound' | 'outbound' | 'transfer' | 'exchange' | 'stocktake' | 'assembly' | 'overseas';
export const TABLE = 'warehouse.document';

export interface Line {
  id: string;
  lineNo: number;
  product: string;
  toProduct: string | null;
  qty: number;
  doneQty: number;
  shortQty: number;
  lotNo: string;
  expiresAt: string | null;
  lot: string | null;
  location: string | null;
  /** CNY a piece. */
  unitCost: string | null;
  fee: string | null;
  qtyPer: string | null;
  bookQty: number | null;
  bookSeq: number | null;
  countedQty: number | null;
  recountQty: number | null;
  skipped: boolean;
  again: boolean;
  reason: string;
}

/** A document as its rules see it: head and lines, read while its row is locked. */
export interface StockDocument extends DocumentRow {
  kind: KindName;
  type: string;
  number: string;
  /** Where it happens; of a transfer, where the pieces leave. */
  warehouse: string;
  toWarehouse: string | null;
  product: string | null;
  qty: number | null;
  /** CNY. */
  freight: string;
  otherFee: string;
  feeSplit: string;
  carrier: string;
  channel: string;
  mode: string | null;
  blind: boolean;
  scope: { products?: string[]; locations?: string[] };
  createdBy: string | null;
  createdByName: string;
  updatedByName: string;
  lines: Line[];
}

/** What a kind of document is to the server. */
export interface StockKind {
  name: KindName;
  def: DocumentDef;
  /** Who approves, and is told of what was submitted. */
  audit: string;
}

type Head = Omit<StockDocument, 'lines'>;

async function headOf(ctx: Ctx, kind: StockKind, id: string, lock: boolean): Promise<Head> {
  const { rows } = await sql<Head>`
    SELECT id, kind, type, number, state, version, warehouse_id AS warehouse, to_warehouse_id AS "toWarehouse",
           product_id AS product, qty, freight, other_fee AS "otherFee", fee_split AS "feeSplit", carrier, channel, mode, blind, scope,
           created_by AS "createdBy", created_by_name AS "createdByName", updated_by_name AS "updatedByName"
      FROM warehouse.document
     WHERE company_id = ${ctx.companyId} AND kind = ${kind.name} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(
    ctx.db,
  );
  const head = rows[0];
  if (!head) throw notFound();
  return head;
}

export async function linesOf(ctx: Ctx, id: string): Promise<Line[]> {
  const { rows } = await sql<Line>`
    SELECT id, line_no AS "lineNo", product_id AS product, to_product_id AS "toProduct", qty, done_qty AS "doneQty",
           short_qty AS "shortQty", lot_no AS "lotNo", expires_at AS "expiresAt", lot_id AS lot, location_id AS location,
           unit_cost AS "unitCost", fee, qty_per AS "qtyPer", book_qty AS "bookQty", book_seq AS "bookSeq",
           counted_qty AS "countedQty", recount_qty AS "recountQty", skipped, again, reason
      FROM warehouse.document_line WHERE company_id = ${ctx.companyId} AND document_id = ${id} ORDER BY line_no`.execute(
    ctx.db,
  );
  return rows;
}

/** The document, its row locked until the transaction ends. @throws notFound for one of another kind or out of reach */
export async function locked(ctx: Ctx, kind: StockKind, id: string): Promise<StockDocument> {
  const head = await headOf(ctx, kind, id, true);
  return { ...head, lines: await linesOf(ctx, id) };
}

/** The document as it is now. @throws notFound for one of another kind or out of reach */
export async function loaded(ctx: Ctx, kind: StockKind, id: string): Promise<StockDocument> {
  const head = await headOf(ctx, kind, id, false);
  return { ...head, lines: await linesOf(ctx, id) };
}
