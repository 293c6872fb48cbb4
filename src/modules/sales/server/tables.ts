import { MEASURE_NAMES, MEASURES, RELEVANT, slotOf } from './measures.ts';
import { rowsIn, type Scope } from './scope.ts';

/** How one rollup is made: SQL text. */
export interface Rollup {
  name: 'sku_day' | 'slot' | 'store_day';
  /** Key after company_id. */
  key: readonly string[];
  /** SELECT of key and measures over the scope. $1 is the company. */
  fresh: (scope: Scope) => string;
}

/** The order of a line, by its key: whatever the planner thinks of how many there are, no line walks through orders. */
const ORDER_OF_LINE = `
  CROSS JOIN LATERAL (
    SELECT o.channel, o.is_replacement, o.status, o.fulfilled_by, o.is_business FROM "order".amazon_order AS o
     WHERE o.company_id = $1 AND o.selling_partner_id = l.selling_partner_id AND o.amazon_order_id = l.amazon_order_id
    OFFSET 0) AS o
 WHERE ${RELEVANT}`;
const SLOT_OF_LINE = slotOf('l.purchased_at');

const lines = (scope: Scope) => `
  FROM ${rowsIn(scope, '"order".amazon_order_line', 'l', SLOT_OF_LINE)}${ORDER_OF_LINE}`;

const measures = MEASURE_NAMES.map((name) => `${MEASURES[name]} AS ${name}`).join(',\n         ');

export const SKU_DAY: Rollup = {
  name: 'sku_day',
  key: ['account_id', 'marketplace_id', 'local_date', 'seller_sku', 'asin', 'fulfilled_by', 'is_business', 'currency'],
  fresh: (scope) => `
  SELECT l.account_id, l.marketplace_id, l.local_date, l.seller_sku, coalesce(l.asin, '') AS asin, o.fulfilled_by,
         o.is_business, l.currency,
         ${measures} ${lines(scope)}
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
};

export const SLOT: Rollup = {
  name: 'slot',
  key: ['account_id', 'marketplace_id', 'local_date', 'slot_start', 'fulfilled_by', 'is_business', 'currency'],
  fresh: (scope) => `
  SELECT l.account_id, l.marketplace_id, l.local_date, ${SLOT_OF_LINE} AS slot_start, o.fulfilled_by, o.is_business,
         l.currency,
         ${measures} ${lines(scope)}
   GROUP BY 1, 2, 3, 4, 5, 6, 7`,
};

/** Made from the slots, which add up to it exactly; so slots are merged first. */
export const STORE_DAY: Rollup = {
  name: 'store_day',
  key: ['account_id', 'marketplace_id', 'local_date', 'fulfilled_by', 'is_business', 'currency'],
  fresh: (scope) => `
  SELECT s.account_id, s.marketplace_id, s.local_date, s.fulfilled_by, s.is_business, s.currency,
         ${MEASURE_NAMES.map((name) => `sum(s.${name}) AS ${name}`).join(', ')}
    FROM ${rowsIn(scope, 'sales.slot', 's', 's.slot_start')}
   GROUP BY 1, 2, 3, 4, 5, 6`,
};
