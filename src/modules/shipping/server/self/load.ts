import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { SelfState } from '../../contract/self/doc.ts';
import type { Origin } from '../../contract/self/fields.ts';
import type { LabelState } from '../../contract/self/label-state.ts';

export const TABLE = 'shipping.self_doc';

/** An order that a document is for, and the write by which its package was reported. */
export interface SelfOrder {
  sellingPartnerId: string;
  orderId: string;
  write: string | null;
}

export interface SelfLine {
  id: string;
  lineNo: number;
  sellingPartnerId: string | null;
  orderId: string | null;
  orderItemId: string | null;
  msku: string;
  asin: string | null;
  title: string;
  image: string | null;
  qty: number;
}

/** A local product in one piece of a line. */
export interface SelfPart {
  id: string;
  line: string;
  product: string;
  qtyPer: number;
}

/** A document as its rules see it. */
export interface SelfDoc extends DocumentRow {
  number: string;
  state: SelfState;
  origin: Origin;
  account: string | null;
  marketplaceId: string | null;
  warehouse: string;
  heldFrom: 'pending' | 'short' | 'printing' | 'ready' | null;
  problem: string;
  labelState: LabelState;
  channelId: string | null;
  carrier: string;
  trackingNo: string;
  weightG: number | null;
  length: string | null;
  width: string | null;
  height: string | null;
  estimatedFee: string | null;
  actualFee: string | null;
  currency: string;
  country: string;
  region: string;
  postalCode: string;
  recipient: string;
  phone: string;
  city: string;
  street: string;
  remark: string;
  /** The posting by which its pieces left. */
  posting: string | null;
  createdBy: string | null;
  createdByName: string;
  updatedByName: string;
  orders: SelfOrder[];
  lines: SelfLine[];
  parts: SelfPart[];
}

type Head = Omit<SelfDoc, 'orders' | 'lines' | 'parts'>;

async function read(ctx: Ctx, id: string, lock: boolean): Promise<SelfDoc> {
  const { rows } = await sql<Head>`
    SELECT id, number, state, version, origin, account_id AS account, marketplace_id AS "marketplaceId",
           warehouse_id AS warehouse, held_from AS "heldFrom", problem, label_state AS "labelState",
           channel_id AS "channelId", carrier,
           tracking_no AS "trackingNo", weight_g AS "weightG", length_cm::text AS length, width_cm::text AS width,
           height_cm::text AS height, estimated_fee::text AS "estimatedFee", actual_fee::text AS "actualFee", currency,
           country, region, postal_code AS "postalCode", recipient, phone, city, street, remark, posting_id AS posting,
           created_by AS "createdBy", created_by_name AS "createdByName", updated_by_name AS "updatedByName"
      FROM shipping.self_doc
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound('自发货单不存在或已删除');
  // Whoever reaches the document sees all of it.
  return unscoped(ctx, async () => {
    const orders = await sql<SelfOrder>`
      SELECT selling_partner_id AS "sellingPartnerId", amazon_order_id AS "orderId", write_id AS write
        FROM shipping.self_order WHERE company_id = ${ctx.companyId} AND doc_id = ${id}
       ORDER BY amazon_order_id, selling_partner_id`.execute(ctx.db);
    const lines = await sql<SelfLine>`
      SELECT id, line_no AS "lineNo", selling_partner_id AS "sellingPartnerId", amazon_order_id AS "orderId",
             order_item_id AS "orderItemId", msku, asin, title, image, qty
        FROM shipping.self_line WHERE company_id = ${ctx.companyId} AND doc_id = ${id} ORDER BY line_no`.execute(
      ctx.db,
    );
    const parts = await sql<SelfPart>`
      SELECT p.id, p.line_id AS line, p.product_id AS product, p.qty_per AS "qtyPer"
        FROM shipping.self_part AS p
        JOIN shipping.self_line AS l ON l.company_id = p.company_id AND l.id = p.line_id
       WHERE p.company_id = ${ctx.companyId} AND p.doc_id = ${id} ORDER BY l.line_no, p.product_id`.execute(ctx.db);
    return { ...head, orders: orders.rows, lines: lines.rows, parts: parts.rows };
  });
}

/** The document with its row locked until the transaction ends. @throws notFound */
export const locked = (ctx: Ctx, id: string): Promise<SelfDoc> => read(ctx, id, true);

/** The document as it is now. @throws notFound */
export const loaded = (ctx: Ctx, id: string): Promise<SelfDoc> => read(ctx, id, false);

/** An order by the id that the order module's calls take. */
export const orderRef = ({ sellingPartnerId, orderId }: { sellingPartnerId: string | null; orderId: string | null }) =>
  `${sellingPartnerId}~${orderId}`;
