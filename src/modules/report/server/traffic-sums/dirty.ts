import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** Months of sites whose sums are behind their days, as arrays of the same length. */
export interface DirtyMonths {
  accounts: string[];
  sites: string[];
  months: string[];
}

/** The marked months of the company. A read sees marks, sums and days of one moment. */
export async function dirtyMonths(ctx: Ctx): Promise<DirtyMonths> {
  const { rows } = await sql<{ account_id: string; marketplace_id: string; month: string }>`
    SELECT DISTINCT account_id, marketplace_id, month FROM report.traffic_dirty
     WHERE company_id = ${ctx.companyId} ORDER BY 1, 2, 3`.execute(ctx.db);
  return {
    accounts: rows.map((row) => row.account_id),
    sites: rows.map((row) => row.marketplace_id),
    months: rows.map((row) => row.month),
  };
}

/** Relation of (account_id, marketplace_id, month) of some marked months. */
export const dirtyRelation = ({ accounts, sites, months }: DirtyMonths): RawBuilder<unknown> =>
  sql`unnest(${accounts}::uuid[], ${sites}::text[], ${months}::date[]) AS x (account_id, marketplace_id, month)`;
