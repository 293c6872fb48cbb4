import { sql } from 'kysely';
import type { ShareBases, SkuBase } from '#modules/costshare/server/index.ts';
import type { Scope } from './scope.ts';
import { conversionOf, reportSql } from './source.ts';

/** What SKUs sold by the profit report: net sales in CNY and pieces, by listing. */
export const profitBases: ShareBases = async (ctx, { stores, from, to }) => {
  const scope: Scope = { from, to, stores, skus: [], currency: 'CNY' };
  const report = reportSql(ctx, scope, await conversionOf(ctx, scope, true), 'msku');
  const { rows } = await sql<SkuBase>`
    SELECT store_key AS store, sku, net_sales::text AS "netSales", units FROM ${report} AS r ORDER BY 1, 2`.execute(
    ctx.db,
  );
  return rows;
};
