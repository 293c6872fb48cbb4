import { type RawBuilder, sql } from 'kysely';
import type { Period } from '#kit/contract/compare.ts';
import type { Ctx } from '#kit/server/context.ts';
import { COUNTED, MEASURE_NAMES, type Measure } from './measures.ts';

type Company = Pick<Ctx, 'companyId'>;

/** What a row of any of these SELECTs is about; `seller_sku` and `asin` are '' where it is about a whole site. */
export interface SoldKey {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  asin: string;
  /** Marketplace day, "yyyy-MM-dd". */
  day: string;
  currency: string;
  fulfilled_by: string;
  is_business: boolean;
}

/** Every measure of the rollups, by its column: money is decimal text in the row's currency. */
export type SoldDay = SoldKey & Record<Measure, string | number>;

const measures = (alias: string) => sql.raw(MEASURE_NAMES.map((name) => `${alias}.${name}`).join(', '));

/** Condition: a day is within one of the spans. An empty list is no day at all. */
function within(day: string, spans: readonly Period[]): RawBuilder<boolean> {
  if (spans.length === 0) return sql`false`;
  const each = spans.map(({ from, to }) => sql`${sql.ref(day)} BETWEEN ${from}::date AND ${to}::date`);
  return sql`(${sql.join(each, sql` OR `)})`;
}

/** SELECT of the days of SKUs within spans of marketplace days. `orders` adds up over days of a SKU, not over SKUs. */
export function skuDaysSelect({ companyId }: Company, spans: readonly Period[]): RawBuilder<SoldDay> {
  return sql<SoldDay>`
    SELECT d.account_id, d.marketplace_id, d.seller_sku, d.asin, d.local_date AS day, d.currency, d.fulfilled_by,
           d.is_business, ${measures('d')}
      FROM sales.sku_day AS d WHERE d.company_id = ${companyId} AND ${within('d.local_date', spans)}`;
}

/** The same of whole sites: here `orders` adds up over whatever rows. */
export function storeDaysSelect({ companyId }: Company, spans: readonly Period[]): RawBuilder<SoldDay> {
  return sql<SoldDay>`
    SELECT d.account_id, d.marketplace_id, ''::text AS seller_sku, ''::text AS asin, d.local_date AS day, d.currency,
           d.fulfilled_by, d.is_business, ${measures('d')}
      FROM sales.store_day AS d WHERE d.company_id = ${companyId} AND ${within('d.local_date', spans)}`;
}

/** A counted line, by which orders are told apart where no rollup has their number. */
export type CountedLine = SoldKey & { order_key: string };

/** SELECT of the lines that the rollups count, within spans of marketplace days: read it for a few months at most. */
export function countedLinesSelect({ companyId }: Company, spans: readonly Period[]): RawBuilder<CountedLine> {
  return sql<CountedLine>`
    SELECT l.account_id, l.marketplace_id, l.seller_sku, coalesce(l.asin, '') AS asin, l.local_date AS day, l.currency,
           o.fulfilled_by, o.is_business, l.selling_partner_id || '~' || l.amazon_order_id AS order_key
      FROM "order".amazon_order AS o
      JOIN "order".amazon_order_line AS l ON l.company_id = o.company_id AND l.selling_partner_id = o.selling_partner_id
       AND l.amazon_order_id = o.amazon_order_id
     WHERE o.company_id = ${companyId} AND ${within('o.local_date', spans)} AND ${within('l.local_date', spans)}
       AND l.superseded_by IS NULL AND ${sql.raw(COUNTED)}`;
}
