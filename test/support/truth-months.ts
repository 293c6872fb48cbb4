import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Sandbox } from '#sandbox/index.ts';
import type { Person, World } from './world.ts';

/** "marketplace yyyy-MM" to "orders units sales": months of the site's own days, sales in its currency. */
export type Months = Record<string, string>;

/** Sales by month as the product's screens count them. */
export function productMonths(world: World, person: Person, accountId: string): Promise<Months> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<{ key: string; value: string }>`
      SELECT marketplace_id || ' ' || to_char(local_date, 'YYYY-MM') AS key,
             concat_ws(' ', sum(orders), sum(units), sum(product_sales)::numeric(18, 2)) AS value
        FROM sales.store_day WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
       GROUP BY 1 HAVING sum(orders) > 0`.execute(ctx.db);
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  });
}

/** The marketplace's own books since an instant, epoch ms. */
export function truthMonths(sandbox: Sandbox, sellingPartnerId: string, from: number): Months {
  const account = sandbox.business.accounts.find((one) => one.sellingPartnerId === sellingPartnerId);
  if (!account) throw new Error(`the sandbox does not know ${sellingPartnerId}`);
  const now = sandbox.clock.now();
  return Object.fromEntries(
    account.marketplaceIds.flatMap((id) => {
      const days = sandbox.business.truth(account, id, { from, to: now }, now).byDay.filter(({ orders }) => orders > 0);
      return [...Map.groupBy(days, ({ day }) => day.slice(0, 7))].map(([month, of]) => {
        const total = (pick: 'orders' | 'units') => of.reduce((sum, day) => sum + day[pick], 0);
        const sales = Decimal.sum(...of.map((day) => day.productSales)).toFixed(2);
        return [`${id} ${month}`, `${total('orders')} ${total('units')} ${sales}`];
      });
    }),
  );
}
