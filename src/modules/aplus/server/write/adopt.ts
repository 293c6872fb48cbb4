import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Document, putDocument } from '../row.ts';

/** Gives a document its key. The stream may have read the new one before: then that row gives way to the one written here. */
export async function adopt(ctx: Ctx, document: Document, key: string): Promise<void> {
  await sql`
    DELETE FROM aplus.document
     WHERE company_id = ${ctx.companyId} AND account_id = ${document.account_id}
       AND marketplace_id = ${document.marketplace_id} AND content_key = ${key} AND id <> ${document.id}`.execute(
    ctx.db,
  );
  await putDocument(ctx, document.id, { content_key: key, status: 'DRAFT', state: 'DRAFT' });
}
