import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { reconcileClosed } from './balance/reconcile.ts';
import { holdMoney, supersedeCovered } from './coverage.ts';
import { touch } from './touched.ts';

interface Loaded {
  id: string;
  account_id: string;
  line_count: number;
  superseded: boolean;
}

async function settlementOf(ctx: Ctx, documentId: string): Promise<Loaded | undefined> {
  const { rows } = await sql<Loaded>`
    SELECT id, account_id, line_count, superseded_at IS NOT NULL AS superseded FROM settlement.settlement
     WHERE company_id = ${ctx.companyId} AND document_id = ${documentId} ORDER BY version DESC LIMIT 1`.execute(ctx.db);
  return rows[0];
}

async function withdraw(ctx: Ctx, id: string): Promise<void> {
  await sql`UPDATE settlement.settlement SET superseded_at = kit.now()
             WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await sql`UPDATE settlement.source_doc SET state = 'SUPERSEDED', superseded_why = 'REVERTED', superseded_at = kit.now()
             WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
}

/** Documents that had made room for this one count again. Returns them. */
async function reinstate(ctx: Ctx, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE settlement.source_doc
       SET state = 'ACTIVE', superseded_why = NULL, superseded_by = NULL, superseded_at = NULL
     WHERE company_id = ${ctx.companyId} AND superseded_by = ${id} AND state = 'SUPERSEDED'
    RETURNING id`.execute(ctx.db);
  const ids = rows.map((row) => row.id);
  await sql`UPDATE settlement.settlement SET superseded_at = NULL
             WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[])`.execute(ctx.db);
  return ids;
}

/**
 * An upload of a settlement was undone. Lines of money are never deleted: the settlement ceases to count, and what it had
 * replaced counts again, unless something else contains it. One that a later version has replaced stays as it is.
 */
export const onUploadUndone = on(uploadUndone, async (ctx, { documentId, counts }) => {
  const loaded = await settlementOf(ctx, documentId);
  if (!loaded) return;
  if (loaded.superseded) {
    counts.kept += loaded.line_count;
    return;
  }
  // Otherwise a transaction that is landed just now would make room for a settlement that is no more.
  await holdMoney(ctx, loaded.account_id);
  await withdraw(ctx, loaded.id);
  const back = await reinstate(ctx, loaded.id);
  await supersedeCovered(ctx, loaded.account_id);
  await touch(ctx, [loaded.id, ...back]);
  await reconcileClosed(ctx, loaded.account_id);
  counts.restored += loaded.line_count;
});
