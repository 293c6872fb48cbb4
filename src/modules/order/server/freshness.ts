import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { marketplaceNow } from '#modules/marketplace/server/index.ts';
import { LIVE } from './sources/live.ts';

/**
 * How fresh the orders are: the oldest last success among the order streams of the accounts asked for (all where none
 * is named), an ISO instant; null while one of them has never succeeded or there is none.
 */
export async function ordersAsOf(ctx: Ctx, accountIds?: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ at: string | null; never: number }>`
    SELECT min(last_success_at) AS at, count(*) FILTER (WHERE last_success_at IS NULL) AS never
      FROM marketplace.sync_cursor
     WHERE company_id = ${ctx.companyId} AND stream = ${LIVE}
       ${accountIds?.length ? sql`AND account_id = ANY(${accountIds}::uuid[])` : sql``}`.execute(ctx.db);
  const [row] = rows;
  return row && row.never === 0 ? row.at : null;
}

/** Now by the marketplace's clock; the machine's where no marketplace is configured (only uploads then). */
export async function nowThere(runtime: Runtime): Promise<Date> {
  return runtime.config.marketplace ? marketplaceNow(runtime) : new Date();
}
