import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enterCompany } from './company.ts';

/** The people of a company, put aside while its rows move. */
const STAGED = 'pg_temp.moving_people';

/**
 * Puts the people of the running company aside and leaves husks of them: a name for the log, and no way in. Their account
 * is free for the row that the target gets. Departments let go of nobody yet; people let go of their departments.
 */
export async function leaveHusks(ctx: Ctx): Promise<void> {
  await sql`
    CREATE TEMP TABLE moving_people ON COMMIT DROP AS
    SELECT * FROM identity.member WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  await sql`
    UPDATE identity.member SET account = 'moved-' || id, deleted_at = coalesce(deleted_at, kit.now()), dept_id = NULL,
           password_hash = '!', tel = NULL, email = NULL, email_verified = false, image_file_id = NULL,
           version = version + 1
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
}

/**
 * Gives the people that were put aside to the target, under the ids that everything else knows them by and without a
 * department. Owners arrive as members: what they may do there its own owner decides.
 */
export async function takeIn(ctx: Ctx, target: string): Promise<number> {
  await enterCompany(ctx, target);
  const { rows } = await sql<{ columns: string }>`
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = 'identity.member'::regclass AND attnum > 0 AND NOT attisdropped
       AND attname NOT IN ('company_id', 'user_type', 'dept_id')`.execute(ctx.db);
  const columns = sql.raw(rows[0]?.columns ?? '');
  const moved = await sql`
    INSERT INTO identity.member (company_id, user_type, ${columns})
    SELECT ${target}::uuid, CASE user_type WHEN 'owner' THEN 'member' ELSE user_type END, ${columns}
      FROM ${sql.raw(STAGED)}`.execute(ctx.db);
  return Number(moved.numAffectedRows ?? 0n);
}

/** Once the departments are there. */
export async function seat(ctx: Ctx, target: string): Promise<void> {
  await enterCompany(ctx, target);
  await sql`
    UPDATE identity.member m SET dept_id = s.dept_id FROM ${sql.raw(STAGED)} s
     WHERE m.company_id = ${target} AND m.id = s.id AND s.dept_id IS NOT NULL`.execute(ctx.db);
}
