import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { selfDoc } from '../../../contract/self/doc.ts';
import type { LabelRow } from '../../../contract/self/label.ts';
import type { LabelState } from '../../../contract/self/label-state.ts';
import { loaded, type SelfDoc } from '../load.ts';
import type { KnownLabel } from './carrier.ts';
import { itemsOf } from './parcel.ts';

/** A purchase as its row has it, with whose it is. */
export interface Label extends KnownLabel {
  state: Exclude<LabelState, 'none'>;
  seller: string;
  carrier: string;
  service: string;
  format: 'PDF' | 'ZPL';
  currency: string;
  offered: string;
  trackingNo: string;
  fileId: string | null;
  write: string | null;
}

interface Row extends Omit<Label, 'orderId' | 'marketplaceId' | 'items'> {}

const ROW = sql`l.id, l.doc_id AS "docId", l.account_id AS account, l.state, l.seller, l.carrier, l.service, l.format,
  l.currency, l.offered::text AS offered, l.tracking_no AS "trackingNo", l.file_id AS "fileId", l.write_id AS write,
  l.shipment_no AS "shipmentNo", l.asked_there AS "askedAt"`;

const labelOf = (row: Row, doc: SelfDoc): Label => ({
  ...row,
  marketplaceId: doc.marketplaceId ?? '',
  orderId: doc.orders[0]?.orderId ?? '',
  items: itemsOf(doc),
});

/** The newest purchase of a document; undefined where there was none. */
export async function newestLabel(ctx: Ctx, doc: SelfDoc): Promise<Label | undefined> {
  const { rows } = await sql<Row>`
    SELECT ${ROW} FROM shipping.self_label AS l
     WHERE l.company_id = ${ctx.companyId} AND l.doc_id = ${doc.id} ORDER BY l.id DESC LIMIT 1`.execute(ctx.db);
  return rows[0] && labelOf(rows[0], doc);
}

/** The purchase that a write carries out or calls back. */
export async function labelOfWrite(ctx: Ctx, writeId: string): Promise<Pick<Label, 'id' | 'docId'> | undefined> {
  const { rows } = await sql<Pick<Label, 'id' | 'docId'>>`
    SELECT l.id, l.doc_id AS "docId" FROM shipping.self_label AS l
     WHERE l.company_id = ${ctx.companyId} AND (l.write_id = ${writeId} OR l.void_write_id = ${writeId})`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Puts a purchase and its document into another state. `columns` are those of the purchase beside it. */
export async function putLabel(
  ctx: Ctx,
  label: Pick<Label, 'id' | 'docId'>,
  state: Label['state'],
  columns: { problem?: string } & Record<string, string | null> = {},
): Promise<void> {
  const { problem = '', ...others } = columns;
  await ctx.db
    .updateTable('shipping.self_label')
    .set({ ...others, state, problem: problem.slice(0, 500) })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', label.id)
    .execute();
  await sql`UPDATE shipping.self_doc SET label_state = ${state}, version = version + 1, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${label.docId}`.execute(ctx.db);
}

/** A line of the document's story. */
export const say = (ctx: Ctx, docId: string, title: string, body = ''): Promise<void> =>
  note(ctx, selfDoc.name, docId, { kind: 'note', title, ...(body ? { body } : {}) });

/** All purchases of a document, the newest first. @throws notFound */
export async function labelsOf(ctx: Ctx, docId: string): Promise<LabelRow[]> {
  await loaded(ctx, docId);
  const rows = await ctx.db
    .selectFrom('shipping.self_label')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('doc_id', '=', docId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    state: row.state as Label['state'],
    service: row.service,
    carrier: row.carrier,
    trackingNo: row.tracking_no,
    offered: row.offered,
    charged: row.charged,
    currency: row.currency,
    arrivesAt: row.arrives_at,
    format: row.format as Label['format'],
    hasFile: row.file_id !== null,
    problem: row.problem,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
  }));
}
