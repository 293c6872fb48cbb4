import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

type Where = Pick<Ctx, 'db' | 'companyId'>;

function cursorsOf(ctx: Pick<Ctx, 'companyId'>, streams: readonly string[], accountIds: readonly string[]) {
  return sql`marketplace.sync_cursor
     WHERE company_id = ${ctx.companyId} AND stream = ANY(${[...streams]}::text[])
       ${accountIds.length > 0 ? sql`AND account_id = ANY(${[...accountIds]}::uuid[])` : sql``}`;
}

/**
 * How fresh facts are: the oldest last success among the cursors of these streams, of the accounts asked for (all where
 * none is named), as an ISO instant. Null while one of them has never succeeded, or where there is none.
 */
export async function freshnessOf(
  ctx: Where,
  streams: readonly string[],
  accountIds: readonly string[] = [],
): Promise<string | null> {
  const { rows } = await sql<{ at: string | null; never: number }>`
    SELECT min(last_success_at) AS at, count(*) FILTER (WHERE last_success_at IS NULL) AS never
      FROM ${cursorsOf(ctx, streams, accountIds)}`.execute(ctx.db);
  const [row] = rows;
  return row && row.never === 0 ? row.at : null;
}

/** The same as a scalar subquery, for a statement that is on its way anyhow. */
export function freshnessSelect(
  ctx: Pick<Ctx, 'companyId'>,
  streams: readonly string[],
  accountIds: readonly string[] = [],
): RawBuilder<string | null> {
  return sql`(SELECT CASE WHEN bool_and(last_success_at IS NOT NULL) THEN min(last_success_at) END
                FROM ${cursorsOf(ctx, streams, accountIds)})`;
}

/**
 * Up to which marketplace time a stream has been read: the oldest watermark of the accounts asked for (all where none is
 * named), as an ISO instant. Null before the first run.
 */
export async function readUpTo(ctx: Where, stream: string, accountIds: readonly string[] = []): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    SELECT min(watermark) AS at FROM ${cursorsOf(ctx, [stream], accountIds)}`.execute(ctx.db);
  return rows[0]?.at ?? null;
}

/** SELECT of (account_id, read_to): up to which marketplace time each account's stream has been read; for joins. */
export function readUpToSelect(
  ctx: Pick<Ctx, 'companyId'>,
  stream: string,
): RawBuilder<{ account_id: string; read_to: string | null }> {
  return sql`SELECT account_id, min(watermark) AS read_to FROM ${cursorsOf(ctx, [stream], [])} GROUP BY account_id`;
}

/**
 * How far a company has come with connecting: whether an account works for it, and whether every stream was read at
 * least once or has said why it cannot be.
 */
export async function connectionOf(ctx: Where): Promise<{ authorised: boolean; synced: boolean }> {
  const { rows } = await sql<{ authorised: boolean; synced: boolean }>`
    SELECT EXISTS (SELECT FROM marketplace.seller_account WHERE company_id = ${ctx.companyId}
                      AND status NOT IN ('disabled', 'deleted')) AS authorised,
           EXISTS (SELECT FROM marketplace.sync_cursor WHERE company_id = ${ctx.companyId})
             AND NOT EXISTS (SELECT FROM marketplace.sync_cursor WHERE company_id = ${ctx.companyId}
                                AND last_success_at IS NULL AND state = 'ready') AS synced`.execute(ctx.db);
  return rows[0] ?? { authorised: false, synced: false };
}
