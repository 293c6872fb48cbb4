import { sql } from 'kysely';

/** What the price of goods and their delivery is made of, taxes aside. */
const PRICES = `'PRINCIPAL', 'SHIPPING', 'GIFTWRAP', 'PROMOTION'`;
const REFUNDS = `'REFUND_PRINCIPAL', 'REFUND_SHIPPING', 'PROMOTION', 'GOODWILL', 'RESTOCKING'`;

/** That a money line `m` is part of what a buyer got back for goods and delivery, taxes aside; such lines are negative. */
export const IS_REFUND = sql<boolean>`(m.transaction_type ILIKE 'refund%' AND m.fee_code IN (${sql.raw(REFUNDS)}))`;

/** That a money line `m` is part of what a buyer paid for goods and delivery, taxes aside. */
export const IS_PRICE = sql<boolean>`(m.transaction_type NOT ILIKE 'refund%' AND m.fee_code IN (${sql.raw(PRICES)}))`;

/** Join of money lines `m` with their documents: only those that count. */
export const COUNTED_MONEY = sql`settlement.money_line AS m
  JOIN settlement.source_doc AS d ON d.company_id = m.company_id AND d.id = m.source_doc_id AND d.state = 'ACTIVE'`;
