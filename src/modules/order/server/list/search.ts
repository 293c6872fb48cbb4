import { sql } from 'kysely';
import { formatMoney } from '#kit/contract/format.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { SearchProvider } from '#modules/system/server/index.ts';
import { AMOUNTS } from '../../contract/orders.ts';
import { OrderStatus, type OrderStatus as Status } from '../../contract/status.ts';

interface Key {
  selling_partner_id: string;
  amazon_order_id: string;
}

/** Every order number begins so. */
const NUMBER = /^(\d[\d-]{1,18}|S\d[\d-]{0,17})$/i;

/** Orders whose number begins with a text: two comparisons, which the index on numbers can walk under any rights. */
async function byNumber(ctx: Ctx, text: string, limit: number): Promise<Key[]> {
  const start = text.toUpperCase();
  const { rows } = await sql<Key>`
    SELECT selling_partner_id, amazon_order_id FROM "order".amazon_order
     WHERE company_id = ${ctx.companyId} AND amazon_order_id >= ${start} AND amazon_order_id < ${`${start}~`}
     ORDER BY amazon_order_id DESC LIMIT ${limit}`.execute(ctx.db);
  return rows;
}

/** The latest orders of exactly this SKU. */
async function bySku(ctx: Ctx, sku: string, limit: number): Promise<Key[]> {
  const { rows } = await sql<Key>`
    SELECT selling_partner_id, amazon_order_id FROM (
      SELECT selling_partner_id, amazon_order_id, purchased_at FROM "order".amazon_order_line
       WHERE company_id = ${ctx.companyId} AND seller_sku = ${sku} AND superseded_by IS NULL
       ORDER BY purchased_at DESC LIMIT ${limit * 4}) AS lines
     GROUP BY 1, 2 ORDER BY max(purchased_at) DESC LIMIT ${limit}`.execute(ctx.db);
  return rows;
}

async function keysFor(ctx: Ctx, text: string, limit: number): Promise<Key[]> {
  if (NUMBER.test(text)) {
    const found = await byNumber(ctx, text, limit);
    if (found.length > 0) return found;
  }
  const exact = await bySku(ctx, text, limit);
  return exact.length > 0 || text === text.toUpperCase() ? exact : bySku(ctx, text.toUpperCase(), limit);
}

async function heads(ctx: Ctx, keys: readonly Key[]) {
  const rows = await ctx.db
    .selectFrom('order.amazon_order as o')
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'o.company_id').onRef('a.id', '=', 'o.account_id'),
    )
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .select(['o.selling_partner_id', 'o.amazon_order_id', 'o.status', 'o.quantity', 'o.order_total', 'o.currency'])
    .select(['o.lead_sku', 'o.local_date', 'o.marketplace_id', 's.name as store'])
    .where('o.company_id', '=', ctx.companyId)
    .where((eb) =>
      eb.or(
        keys.map((key) =>
          eb.and([
            eb('o.selling_partner_id', '=', key.selling_partner_id),
            eb('o.amazon_order_id', '=', key.amazon_order_id),
          ]),
        ),
      ),
    )
    .execute();
  return new Map(rows.map((row) => [`${row.selling_partner_id}~${row.amazon_order_id}`, row]));
}

/** Orders by the beginning of their number, or by a whole SKU. */
export const orderSearch: SearchProvider = {
  title: '订单',
  icon: 'order',
  permission: 'amz:order:view',
  async search(ctx, text, limit) {
    const keys = await keysFor(ctx, text, limit);
    if (keys.length === 0) return [];
    const known = await heads(ctx, keys);
    const amounts = can(ctx, AMOUNTS);
    return keys.flatMap((key) => {
      const id = `${key.selling_partner_id}~${key.amazon_order_id}`;
      const row = known.get(id);
      if (!row) return [];
      const total = amounts && row.order_total !== null ? formatMoney(row.order_total, row.currency) : undefined;
      const shop = `${row.store}-${countryOf(row.marketplace_id)}`;
      return {
        title: row.amazon_order_id,
        subtitle: [shop, `${row.quantity} 件`, total].filter((part) => part !== undefined).join(' · '),
        tag: OrderStatus.meta()?.states?.[row.status as Status] ?? { title: row.status, tone: 'off' as const },
        facts: [
          { label: '店铺-站点', value: shop },
          { label: '站点日期', value: row.local_date },
          { label: '首个 SKU', value: row.lead_sku },
          { label: '数量', value: String(row.quantity) },
          ...(total === undefined ? [] : [{ label: '订单总金额', value: total }]),
        ],
        path: '/orders/detail',
        query: { id },
        tabTitle: row.amazon_order_id,
      };
    });
  },
};
