import { type RawBuilder, sql } from 'kysely';

/** A return of either kind, as its report tells it; what a kind does not tell is '' or null. */
export interface ReturnFact {
  channel: 'FBA' | 'FBM';
  company_id: string;
  account_id: string;
  /** Marketplace day: of the return to Amazon's warehouse; of a return to the seller, on which the buyer asked for it. */
  day: string;
  row_id: string;
  marketplace_id: string;
  seller_sku: string;
  fnsku: string;
  asin: string;
  title: string;
  order_id: string;
  returned_at: string | null;
  ordered_day: string | null;
  quantity: number;
  centre: string;
  disposition: string;
  /** Amazon's code, the same words for both kinds. */
  reason: string;
  status: string;
  /** License plate of the piece, or the RMA of the return. */
  plate: string;
  tracking: string;
  comments: string;
}

/**
 * SELECT of all returns, those to Amazon's warehouses and those to the seller. It has no condition of its own, so that the
 * reader's conditions, its company above all, reach the index of each table.
 */
export function returnRowsSelect(): RawBuilder<ReturnFact> {
  return sql<ReturnFact>`
    SELECT 'FBA'::text AS channel, r.company_id, r.account_id, r.day, r.row_id, r.marketplace_id, r.seller_sku, r.fnsku, r.asin,
           r.title, r.order_id, r.returned_at, NULL::date AS ordered_day, r.quantity, r.centre, r.disposition, r.reason,
           r.status, r.plate, ''::text AS tracking, r.comments
      FROM inventory.customer_return AS r
    UNION ALL
    SELECT 'FBM'::text, m.company_id, m.account_id, m.day, m.row_id, m.marketplace_id, m.seller_sku, m.fnsku, m.asin,
           m.title, m.order_id, NULL::timestamptz, m.order_day, m.quantity, ''::text, ''::text,
           regexp_replace(m.reason, '^CR-', ''), m.status, m.rma, m.tracking, ''::text
      FROM inventory.merchant_return AS m`;
}
