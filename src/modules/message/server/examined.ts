import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

export interface Examined {
  documentType: string;
  documentId: string;
  /** Those whose part is done; without it nobody is asked any more. */
  people?: readonly string[];
}

/**
 * A document was examined, or need not be: what asked people for it counts as read, in the caller's transaction. The
 * messages stay in their inboxes.
 */
export async function examined(ctx: Ctx, { documentType, documentId, people }: Examined): Promise<void> {
  if (people?.length === 0) return;
  const whose = people ? sql`AND i.user_id = ANY(${people}::uuid[])` : sql``;
  await sql`
    UPDATE message.inbox AS i SET is_read = true, read_at = kit.now()
      FROM message.message AS m
     WHERE m.company_id = ${ctx.companyId} AND m.document_id = ${documentId} AND m.document_type = ${documentType}
       AND m.approval AND i.company_id = m.company_id AND i.message_id = m.id AND NOT i.is_read ${whose}`.execute(
    ctx.db,
  );
}
