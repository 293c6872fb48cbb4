import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

type Company = Pick<Ctx, 'companyId'>;

/** A SKU in a marketplace with one figure about it. */
interface SkuFigure {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  figure: string;
  words: string;
}

/** SELECT of goods that nobody can buy, by the newest report of each stock: pieces, and why. */
export function strandedSelect({ companyId }: Company): RawBuilder<SkuFigure> {
  return sql<SkuFigure>`
    SELECT s.account_id, s.marketplace_id, s.seller_sku, sum(s.fulfillable + s.unfulfillable + s.reserved)::numeric AS figure,
           min(s.reason) AS words
      FROM (SELECT account_id, stock, max(day) AS day FROM (
              SELECT account_id, stock, day FROM inventory.fact_day
               WHERE company_id = ${companyId} AND report_type = 'GET_STRANDED_INVENTORY_UI_DATA'
              UNION ALL SELECT account_id, stock, day FROM inventory.stranded_day WHERE company_id = ${companyId}) AS d
             GROUP BY 1, 2) AS n
      JOIN inventory.stranded_day AS s ON s.company_id = ${companyId} AND s.account_id = n.account_id AND s.stock = n.stock
       AND s.day = n.day
     GROUP BY 1, 2, 3`;
}

/** SELECT of what the next count day will cost for goods that lie too long, in the currency of the marketplace. */
export function surchargesSelect({ companyId }: Company): RawBuilder<SkuFigure> {
  return sql<SkuFigure>`
    SELECT p.account_id, p.marketplace_id, p.seller_sku, sum(a.next_fee) AS figure,
           min(p.currency) || ' · ' || min(a.next_day)::text || ' · ' || sum(a.next_qty)::text || ' 件' AS words
      FROM (SELECT account_id, stock, max(day) AS day FROM inventory.planning_day WHERE company_id = ${companyId} GROUP BY 1, 2) AS n
      JOIN inventory.planning_day AS p ON p.company_id = ${companyId} AND p.account_id = n.account_id AND p.stock = n.stock
       AND p.day = n.day
      JOIN inventory.aging_forecast AS a ON a.company_id = p.company_id AND a.account_id = p.account_id AND a.day = p.day
       AND a.row_id = p.row_id AND a.next_fee IS NOT NULL
     GROUP BY 1, 2, 3`;
}
