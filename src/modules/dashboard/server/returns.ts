import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { returnedSelect } from '#modules/inventory/server/index.ts';
import type { Scope } from './scope.ts';
import { ofAccounts } from './source.ts';

/**
 * Pieces that buyers sent back to Amazon on each day (YYYY-MM-DD, in order); null without the permission to see them. The
 * report names the day of the warehouse and no site: where sites are chosen it is that of the order.
 */
export async function returnsOf(ctx: Ctx, scope: Scope, days: readonly string[]): Promise<number[] | null> {
  const [from, to] = [days[0], days.at(-1)];
  if (!can(ctx, 'amz:inventory:view') || from === undefined || to === undefined) return null;
  const { accountIds, marketplaceIds } = scope.filter;
  const sold =
    marketplaceIds.length > 0
      ? sql`AND EXISTS (SELECT FROM "order".amazon_order AS o
                         WHERE o.company_id = ${ctx.companyId} AND o.amazon_order_id = r.order_id
                           AND o.account_id = r.account_id AND o.marketplace_id = ANY (${marketplaceIds}::text[]))`
      : sql``;
  const { rows } = await sql<{ day: string; quantity: number }>`
    SELECT r.day, sum(r.quantity)::int AS quantity FROM (${returnedSelect(ctx, { from, to })}) AS r
     WHERE ${ofAccounts('r', accountIds)} ${sold} GROUP BY 1`.execute(ctx.db);
  const byDay = new Map(rows.map((row) => [row.day, row.quantity]));
  return days.map((day) => byDay.get(day) ?? 0);
}
