import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { DOCUMENT_EVENT } from '../documents/core/tell.ts';
import { release } from '../ledger/reserve.ts';

/** A document that holds stock for longer than it may. */
export interface Overdue {
  type: string;
  id: string;
  number: string;
}

/** Documents with reservations whose time is over and of which nothing was picked, 500 at most. */
export async function overdue(ctx: Ctx): Promise<Overdue[]> {
  const { rows } = await sql<Overdue>`
    SELECT DISTINCT document_type AS type, document_id AS id, document_number AS number FROM warehouse.reservation
     WHERE company_id = ${ctx.companyId} AND held > 0 AND picked_qty = 0 AND expires_at <= kit.now()
     LIMIT 500`.execute(ctx.db);
  return rows;
}

/** Keeps commands to the document away until the transaction ends; answers who made it, where it is one of ours. */
async function lockDocument(ctx: Ctx, { type, id }: Overdue): Promise<string | null> {
  if (!type.startsWith('warehouse.')) return null;
  const { rows } = await sql<{ maker: string | null }>`
    SELECT created_by AS maker FROM warehouse.document
     WHERE company_id = ${ctx.companyId} AND id::text = ${id} FOR UPDATE`.execute(ctx.db);
  return rows[0]?.maker ?? null;
}

/**
 * Gives back what a document held for longer than it may: 待出库 becomes 可用, the reservations are 已过期, and its maker
 * is told. What was picked in the meantime stays. Answers how many reservations that were. Run it as the system.
 */
export async function expire(ctx: Ctx, document: Overdue): Promise<number> {
  const maker = await lockDocument(ctx, document);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM warehouse.reservation
     WHERE company_id = ${ctx.companyId} AND document_type = ${document.type} AND document_id = ${document.id}
       AND held > 0 AND picked_qty = 0 AND expires_at <= kit.now() ORDER BY id`.execute(ctx.db);
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return 0;
  const { type, id, number } = document;
  await release(ctx, { type, id, event: `expire-${ids[0]}`, number }, ids);
  await sql`SELECT warehouse.expire(${ids}::uuid[])`.execute(ctx.db);
  const after = { number, reservations: ids.length };
  await audit(ctx, { action: '预留过期释放', resource: 'warehouse.reservation', resourceId: id, after });
  if (maker !== null) {
    await remind(ctx, {
      event: DOCUMENT_EVENT,
      documentType: type,
      documentId: id,
      to: [maker],
      title: `${number} 的预留已过期`,
      content: `${number} 占用的库存超过有效期，已自动释放。如仍需出库，请撤销后重新提交。`,
      dedupeKey: `warehouse.expired:${ids[0]}`,
    });
  }
  return ids.length;
}
