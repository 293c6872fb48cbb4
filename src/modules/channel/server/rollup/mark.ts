import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { costTouched, holdersOf, partsChanged } from '#modules/product/server/index.ts';
import { salesFolded } from '#modules/sales/server/index.ts';

/** Pause before rows are made anew, in which further changes join them. */
const GATHER_MS = 1_000;
/** Before everything that was ever sold, and after it. */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '9999-12-31';

/** Has the company's marked rows made anew soon; asked again before it began, it is still queued once. */
export async function refreshSoon(ctx: Ctx): Promise<void> {
  const { companyId } = ctx;
  const key = `channel.refresh:${companyId}`;
  const runAt = new Date(ctx.runtime.clock.ms() + GATHER_MS);
  await enqueue(ctx, 'channel.refresh', { companyId }, { key, keyMode: 'preserve_run_at', queue: key, runAt });
}

/** Marks days of SKUs. `rows` is a SELECT of (shop_id uuid, platform_sku text, from_day date, to_day date). */
export async function mark(ctx: Ctx, rows: RawBuilder<unknown>): Promise<void> {
  const { numAffectedRows } = await sql`
    INSERT INTO channel.dirty (company_id, shop_id, platform_sku, from_day, to_day)
    SELECT ${ctx.companyId}::uuid, m.shop_id, m.platform_sku, m.from_day, m.to_day
      FROM (${rows}) AS m (shop_id, platform_sku, from_day, to_day)`.execute(ctx.db);
  if (numAffectedRows) await refreshSoon(ctx);
}

/** Marks everything from a day on (all days where left out), at all shops. */
export async function markAll(ctx: Ctx, from = FIRST_DAY): Promise<void> {
  await mark(
    ctx,
    sql`
    SELECT id, NULL::text, ${from}::date, ${LAST_DAY}::date FROM marketplace.seller_account WHERE company_id = ${ctx.companyId}
    UNION ALL
    SELECT id, NULL::text, ${from}::date, ${LAST_DAY}::date FROM channel.shop WHERE company_id = ${ctx.companyId}`,
  );
}

/** Everything that stands on these products from a day on, as itself or as a part. */
async function markProducts(ctx: Ctx, ids: readonly string[], from: string): Promise<void> {
  await mark(
    ctx,
    sql`
    SELECT DISTINCT k.shop_id, k.platform_sku, ${from}::date, ${LAST_DAY}::date FROM channel.sold_day AS k
     WHERE k.company_id = ${ctx.companyId} AND k.product_id = ANY (${[...ids]}::uuid[]) AND k.day >= ${from}::date`,
  );
}

/** Sales are told by SKU and day. */
const onSales = on(salesFolded, (ctx, { accountId, table }) =>
  mark(
    ctx,
    sql`
    SELECT ${accountId}::uuid, seller_sku, min(local_date), max(local_date) FROM ${sql.table(`pg_temp.${table}`)}
     WHERE seller_sku IS NOT NULL GROUP BY seller_sku`,
  ),
);

/** Told by SKU: what listings called so stand for or cost, and what products called so cost, is another from a day on. */
const onCosts = on(costTouched, (ctx, { table }) => {
  const touched = sql.table(`pg_temp.${table}`);
  return mark(
    ctx,
    sql`
    SELECT DISTINCT m.account_id, t.sku, t.valid_from, ${LAST_DAY}::date
      FROM ${touched} AS t
      JOIN marketplace.seller_marketplace AS m ON m.company_id = ${ctx.companyId}
     WHERE EXISTS (SELECT FROM sales.sku_day AS s WHERE s.company_id = ${ctx.companyId} AND s.account_id = m.account_id
             AND s.marketplace_id = m.marketplace_id AND s.seller_sku = t.sku)
    UNION
    SELECT k.shop_id, k.platform_sku, min(t.valid_from), ${LAST_DAY}::date
      FROM ${touched} AS t
      JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.sku = t.sku
      JOIN channel.sold_day AS k ON k.company_id = ${ctx.companyId} AND k.product_id = p.id AND k.day >= t.valid_from
     GROUP BY k.shop_id, k.platform_sku`,
  );
});

export const handlers = [
  onSales,
  onCosts,
  on(partsChanged, async (ctx, { productId, from }) =>
    markProducts(ctx, [productId, ...(await holdersOf(ctx, [productId]))], from),
  ),
  on(uploadUndone, (ctx) => markAll(ctx)),
];
