import { MEASURE_NAMES, MEASURES, RELEVANT, slotOf } from './measures.ts';

/** How one rollup is made: SQL text; `$SCOPE` in `fresh` and the scope of the table itself are filled in by merge. */
export interface Rollup {
  name: 'sku_day' | 'slot' | 'store_day';
  /** Key after company_id. */
  key: readonly string[];
  /** SELECT of key and measures over the scope. $1 is the company. */
  fresh: (scope: (alias: string) => string) => string;
}

const LINES = `
  FROM "order".amazon_order_line AS l
  JOIN "order".amazon_order AS o
    ON o.company_id = l.company_id AND o.selling_partner_id = l.selling_partner_id
   AND o.amazon_order_id = l.amazon_order_id`;

const measures = MEASURE_NAMES.map((name) => `${MEASURES[name]} AS ${name}`).join(',\n         ');

export const SKU_DAY: Rollup = {
  name: 'sku_day',
  key: ['account_id', 'marketplace_id', 'local_date', 'seller_sku', 'asin', 'fulfilled_by', 'is_business', 'currency'],
  fresh: (scope) => `
  SELECT l.account_id, l.marketplace_id, l.local_date, l.seller_sku, coalesce(l.asin, '') AS asin, o.fulfilled_by,
         o.is_business, l.currency,
         ${measures} ${LINES}
   WHERE l.company_id = $1 AND o.company_id = $1 AND ${RELEVANT} AND ${scope('l')}
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
};

export const SLOT: Rollup = {
  name: 'slot',
  key: ['account_id', 'marketplace_id', 'local_date', 'slot_start', 'fulfilled_by', 'is_business', 'currency'],
  fresh: (scope) => `
  SELECT l.account_id, l.marketplace_id, l.local_date, l.slot_start, o.fulfilled_by, o.is_business, l.currency,
         ${measures}
  FROM (SELECT *, ${slotOf('purchased_at')} AS slot_start FROM "order".amazon_order_line) AS l
  JOIN "order".amazon_order AS o
    ON o.company_id = l.company_id AND o.selling_partner_id = l.selling_partner_id
   AND o.amazon_order_id = l.amazon_order_id
   WHERE l.company_id = $1 AND o.company_id = $1 AND ${RELEVANT} AND ${scope('l')}
   GROUP BY 1, 2, 3, 4, 5, 6, 7`,
};

/** Made from the slots, which add up to it exactly; so slots are merged first. */
export const STORE_DAY: Rollup = {
  name: 'store_day',
  key: ['account_id', 'marketplace_id', 'local_date', 'fulfilled_by', 'is_business', 'currency'],
  fresh: (scope) => `
  SELECT s.account_id, s.marketplace_id, s.local_date, s.fulfilled_by, s.is_business, s.currency,
         ${MEASURE_NAMES.map((name) => `sum(s.${name}) AS ${name}`).join(', ')}
    FROM sales.slot AS s
   WHERE s.company_id = $1 AND ${scope('s')}
   GROUP BY 1, 2, 3, 4, 5, 6`,
};
