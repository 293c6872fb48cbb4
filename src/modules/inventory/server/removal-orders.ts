import { type RawBuilder, sql } from 'kysely';

/** SELECT of the removal orders that Amazon's report told of, a row per line of an order; read by company and order. */
export function removalOrdersSelect(): RawBuilder<{ company_id: string; account_id: string; order_id: string }> {
  return sql`SELECT o.company_id, o.account_id, o.order_id FROM inventory.removal_line AS o`;
}
