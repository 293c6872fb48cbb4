import { type RawBuilder, sql } from 'kysely';

/** Goods on their way to the seller: a SKU in a parcel of a removal order, or what a buyer sends back to the seller. */
export interface IncomingFact {
  kind: 'REMOVAL' | 'FBM';
  company_id: string;
  account_id: string;
  /** Marketplace day of the dispatch, or on which the buyer asked for the return. */
  day: string;
  row_id: string;
  marketplace_id: string;
  seller_sku: string;
  fnsku: string;
  /** The removal order, or the order of the buyer. */
  order_id: string;
  disposition: string;
  carrier: string;
  tracking: string;
  sent: number;
  /** Whether it comes to the seller at all: not to a liquidator, and not a refund without a return. */
  expected: boolean;
}

/** SELECT of both kinds. It has no condition of its own, so that those of its reader reach the index of each table. */
export function incomingRowsSelect(): RawBuilder<IncomingFact> {
  return sql<IncomingFact>`
    SELECT 'REMOVAL'::text AS kind, p.company_id, p.account_id, p.day, p.row_id, p.marketplace_id, p.seller_sku, p.fnsku,
           p.order_id, p.disposition, p.carrier, p.tracking, p.quantity AS sent,
           p.order_type NOT IN ('Disposal', 'Liquidations') AS expected
      FROM inventory.removal_parcel AS p
    UNION ALL
    SELECT 'FBM'::text, m.company_id, m.account_id, m.day, m.row_id, m.marketplace_id, m.seller_sku, m.fnsku, m.order_id,
           ''::text, m.carrier, m.tracking, m.quantity, m.rma <> ''
      FROM inventory.merchant_return AS m`;
}
