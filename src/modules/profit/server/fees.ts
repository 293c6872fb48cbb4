import { sql } from 'kysely';
import { allocate, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { ALL_GROUPS } from '../contract/figures.ts';
import type { Unit } from './fold.ts';

/** Currency of a store: rows of a cost stand in it, so that a day without money gets no currency of its own. */
const currencyOf = ({ marketplaceId }: Unit): string => marketplaceOf(marketplaceId)?.currency ?? 'CNY';

const NUMBERS = sql.raw(
  [...ALL_GROUPS, 'units', 'orders', 'refund_units', 'cost_units', 'cost_cny', 'settled_size', 'open_size'].join(', '),
);
const ZEROS = sql.raw(
  [...ALL_GROUPS, 'units', 'orders', 'refund_units', 'cost_units', 'cost_cny', 'settled_size', 'open_size']
    .map(() => '0')
    .join(', '),
);

/**
 * Puts costs of one's own onto the marked SKU days that are counted in `pg_temp.fold_row`. A day without money in the store's
 * currency gets a row of nothing else. The table is a shared one of the transaction: see foldUnit().
 */
export async function addFees(ctx: Ctx, unit: Unit): Promise<void> {
  await sql`
    MERGE INTO pg_temp.fold_row AS r
    USING (
      SELECT k.sku, k.date, sum(f.amount_cny) AS fee
        FROM pg_temp.fold_key AS k
        JOIN costshare.cost_line AS f
          ON f.company_id = ${ctx.companyId} AND f.account_id = ${unit.accountId}::uuid
         AND f.marketplace_id = ${unit.marketplaceId} AND f.date = k.date AND f.sku = k.sku
       GROUP BY k.sku, k.date HAVING sum(f.amount_cny) <> 0) AS f
       ON r.sku = f.sku AND r.date = f.date AND r.currency = ${currencyOf(unit)}
     WHEN MATCHED THEN UPDATE SET fee_cny = f.fee
     WHEN NOT MATCHED THEN INSERT (date, sku, currency, ${NUMBERS}, fee_cny)
     VALUES (f.date, f.sku, ${currencyOf(unit)}, ${ZEROS}, f.fee)`.execute(ctx.db);
}

/** A row of shares, as far as costs are concerned. */
interface FeeShare {
  date: string;
  sku: string;
  currency: string;
  settled_size: string;
  open_size: string;
  fee_cny?: string;
}

/**
 * Adds costs of the whole store to the rows of its shares, by net sales of the month in the store's currency; `unallocated` is
 * the SKU that takes what has no base. Parts of a day add up to its cost.
 */
export async function shareFees<Row extends FeeShare>(
  ctx: Ctx,
  unit: Unit,
  rows: (Row | FeeShare)[],
  weights: ReadonlyMap<string, ReadonlyMap<string, string>>,
  unallocated: string,
): Promise<void> {
  const found = await sql<{ date: string; fee: string }>`
    SELECT date::text AS date, sum(amount_cny)::text AS fee FROM costshare.cost_line
     WHERE company_id = ${ctx.companyId} AND account_id = ${unit.accountId} AND marketplace_id = ${unit.marketplaceId}
       AND sku = '' AND date >= ${unit.month}::date AND date < (${unit.month}::date + interval '1 month')
     GROUP BY date HAVING sum(amount_cny) <> 0 ORDER BY date`.execute(ctx.db);
  if (found.rows.length === 0) return;
  const currency = currencyOf(unit);
  const base = weights.get(currency) ?? new Map<string, string>();
  const byKey = new Map(rows.filter((row) => row.currency === currency).map((row) => [`${row.date}\t${row.sku}`, row]));
  for (const { date, fee } of found.rows) {
    for (const [sku, part] of allocate(fee, base, 4) ?? new Map([[unallocated, fee]])) {
      if (new Decimal(part).isZero()) continue;
      const row = byKey.get(`${date}\t${sku}`);
      if (row) row.fee_cny = part;
      else rows.push({ date, sku, currency, settled_size: '0', open_size: '0', fee_cny: part });
    }
  }
}
