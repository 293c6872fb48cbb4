import { sql } from 'kysely';
import type { Approvable } from '#kit/server/approval.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { AppError, notFound } from '#kit/server/errors.ts';

/** Whether the caller made the document, was asked about it, or was told of it. */
export async function isInvolved(ctx: Ctx, instance: string): Promise<boolean> {
  if (ctx.userId === null) return false;
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM approval.instance
                    WHERE company_id = ${ctx.companyId} AND id = ${instance} AND initiator_id = ${ctx.userId})
        OR EXISTS (SELECT FROM approval.task WHERE company_id = ${ctx.companyId} AND instance_id = ${instance}
                      AND (assignee_id = ${ctx.userId} OR principal_id = ${ctx.userId}) AND state <> 'waiting')
        OR EXISTS (SELECT FROM approval.copy
                    WHERE company_id = ${ctx.companyId} AND instance_id = ${instance} AND user_id = ${ctx.userId}) AS found`.execute(
    ctx.db,
  );
  return rows[0]?.found ?? false;
}

/** Whether the caller reaches the document itself, by his permissions and data rights. */
export async function reaches(ctx: Ctx, kind: Approvable, docId: string): Promise<boolean> {
  if (!can(ctx, kind.view)) return false;
  try {
    await kind.subject(ctx, docId);
    return true;
  } catch (error) {
    if (error instanceof AppError && (error.status === 404 || error.status === 403)) return false;
    throw error;
  }
}

/** @throws notFound for an approval that is no matter of the caller's */
export async function requireSight(ctx: Ctx, kind: Approvable, instance: string, docId: string): Promise<void> {
  if (!(await isInvolved(ctx, instance)) && !(await reaches(ctx, kind, docId))) throw notFound();
}
