import type { Principal } from '#kit/server/context.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { foldOnce } from '#modules/sales/server/index.ts';
import { middle, reportTimes, step, timed } from './support/measure.ts';
import { orderFile, orderLoader, storedReport } from './support/order-file.ts';
import type { BenchWorld } from './support/world.ts';

const REPORTS = 12;
const WARM = 2;
const MINUTES = 60_000;

const COUNTED = `o.channel = 'AMAZON' AND NOT o.is_replacement AND o.status NOT IN ('CANCELLED', 'UNFULFILLABLE')
  AND l.quantity > 0`;
const MEASURES = `
  count(DISTINCT l.amazon_order_id) FILTER (WHERE ${COUNTED}), count(*) FILTER (WHERE ${COUNTED}),
  coalesce(sum(l.quantity) FILTER (WHERE ${COUNTED}), 0),
  coalesce(sum(l.first_quantity) FILTER (WHERE o.channel = 'AMAZON' AND NOT o.is_replacement), 0),
  coalesce(sum(l.first_quantity) FILTER (WHERE o.channel = 'AMAZON' AND NOT o.is_replacement), 0)
    - coalesce(sum(l.quantity) FILTER (WHERE ${COUNTED}), 0),
  coalesce(sum(l.shipped_quantity) FILTER (WHERE o.channel = 'AMAZON' AND NOT o.is_replacement), 0),
  coalesce(sum(coalesce(l.item_price, l.estimated_price)) FILTER (WHERE ${COUNTED}), 0),
  coalesce(sum(l.estimated_price) FILTER (WHERE ${COUNTED} AND l.item_price IS NULL), 0),
  coalesce(sum(l.item_discount) FILTER (WHERE ${COUNTED}), 0),
  coalesce(sum(l.shipping_price) FILTER (WHERE ${COUNTED}), 0),
  coalesce(sum(coalesce(l.item_tax, 0) + coalesce(l.shipping_tax, 0) + coalesce(l.gift_wrap_tax, 0))
    FILTER (WHERE ${COUNTED}), 0),
  coalesce(sum(l.quantity) FILTER (WHERE o.channel = 'AMAZON' AND o.is_replacement), 0),
  coalesce(sum(l.quantity) FILTER (WHERE o.channel <> 'AMAZON'), 0),
  coalesce(sum(l.quantity) FILTER (WHERE ${COUNTED} AND l.item_price - coalesce(l.item_discount, 0) <= 0), 0),
  coalesce(sum(l.quantity) FILTER (WHERE ${COUNTED} AND l.item_price IS NULL AND l.estimated_price IS NULL), 0)`;
const LINES = `
  FROM "order".amazon_order_line AS l
  JOIN "order".amazon_order AS o USING (company_id, selling_partner_id, amazon_order_id)
 WHERE l.company_id = $1 AND l.account_id = $2 AND l.local_date >= $3::date AND l.local_date < $3::date + interval '1 month'
   AND l.superseded_by IS NULL`;
const SUMS = `sum(orders), sum(order_items), sum(units), sum(gross_units), sum(cancelled_units), sum(shipped_units),
  sum(product_sales), sum(estimated_sales), sum(discount), sum(shipping_sales), sum(tax), sum(replacement_units),
  sum(mcf_units), sum(zero_price_units), sum(unpriced_units)`;

/** Each rollup by one INSERT … SELECT over the report's month, in one transaction. */
async function byHand(world: BenchWorld, account: AccountRef, month: string): Promise<void> {
  const key = [account.companyId, account.id, `${month}-01`];
  await world.admin.query('BEGIN');
  await world.admin.query(
    `INSERT INTO sales.sku_day
     SELECT l.company_id, l.account_id, l.marketplace_id, l.local_date, l.seller_sku, coalesce(l.asin, ''),
            o.fulfilled_by, o.is_business, l.currency, ${MEASURES} ${LINES} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`,
    key,
  );
  await world.admin.query(
    `INSERT INTO sales.slot
     SELECT l.company_id, l.account_id, l.marketplace_id, l.local_date,
            date_bin('30 minutes', l.purchased_at, timestamptz '2000-01-01 00:00:00+00'), o.fulfilled_by,
            o.is_business, l.currency, ${MEASURES} ${LINES} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
    key,
  );
  await world.admin.query(
    `INSERT INTO sales.store_day
     SELECT company_id, account_id, marketplace_id, local_date, fulfilled_by, is_business, currency, ${SUMS}
       FROM sales.slot WHERE company_id = $1 AND account_id = $2 AND local_date >= $3::date
        AND local_date < $3::date + interval '1 month' GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    key,
  );
  await world.admin.query('COMMIT');
}

interface Seller {
  principal: Principal;
  account: AccountRef;
}

async function fold(world: BenchWorld, { principal, account }: Seller): Promise<void> {
  await inTenant(world.runtime, principal, (ctx) => foldOnce(ctx, account.id), { timeoutMs: 10 * MINUTES });
}

async function figures(world: BenchWorld, account: AccountRef): Promise<string> {
  const { rows } = await world.admin.query(
    `SELECT count(*), sum(units), sum(orders), sum(product_sales), sum(tax) FROM sales.sku_day WHERE company_id = $1
     UNION ALL SELECT count(*), sum(units), sum(orders), sum(product_sales), sum(tax) FROM sales.slot WHERE company_id = $1
     UNION ALL SELECT count(*), sum(units), sum(orders), sum(product_sales), sum(tax) FROM sales.store_day WHERE company_id = $1`,
    [account.companyId],
  );
  return JSON.stringify(rows);
}

/** Times of folding one report each way. Both sellers hold the same lines. */
async function foldReport(world: BenchWorld, seller: Seller, twin: Seller, index: number, lines: number) {
  const month = `${2024 + Math.floor(index / 12)}-${String(1 + (index % 12)).padStart(2, '0')}`;
  const loader = orderLoader(world);
  for (const { principal, account } of [seller, twin]) {
    const content = { month, seller: String(200 + index) };
    const { source } = await storedReport(world, account, orderFile(lines, content));
    await inTenant(world.runtime, principal, (ctx) => loader.load(ctx, source), { timeoutMs: 10 * MINUTES });
  }
  const baseline = await timed(world, () => byHand(world, twin.account, month));
  const ours = await timed(world, () => fold(world, seller));
  return { baseline, ours };
}

/**
 * Sales rollups of reports of `lines` lines each, one month each: the product's fold of marks against one
 * INSERT … SELECT per rollup that knows beforehand which month is new.
 */
export async function salesFold(world: BenchWorld, lines: number): Promise<void> {
  const sellers: Seller[] = [];
  for (let count = 0; count < 2; count += 1) {
    const principal = await world.company();
    sellers.push({ principal, account: await world.account(principal) });
  }
  const [seller, twin] = sellers;
  if (!seller || !twin) throw new Error('no sellers');
  const times: Awaited<ReturnType<typeof foldReport>>[] = [];
  for (let index = 0; index < REPORTS; index += 1) {
    times.push(await step(`report ${index + 1}`, () => foldReport(world, seller, twin, index, lines)));
  }
  if ((await figures(world, seller.account)) !== (await figures(world, twin.account))) {
    throw new Error('the fold and the SQL by hand disagree');
  }
  const counted = times.slice(WARM);
  const ours = middle(counted.map((one) => one.ours));
  const baseline = middle(counted.map((one) => one.baseline));
  reportTimes(`sales fold, ${lines}-line report (median of ${counted.length})`, ours, baseline, '<= 1.5');
}
