import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { SearchProvider } from '#modules/system/server/index.ts';
import { ListingState, type ListingState as State } from '../contract.ts';

const ASIN = /^[A-Z0-9]{10}$/i;
/** Sorts behind every character that a SKU may hold. */
const LAST = '\u{10ffff}';

function listings(ctx: Ctx, limit: number) {
  return ctx.db
    .selectFrom('listing.listing')
    .select(['seller_sku', 'account_id', 'marketplace_id', 'title', 'image_url', 'asin', 'state', 'quantity'])
    .where('company_id', '=', ctx.companyId)
    .limit(limit);
}
type Found = Awaited<ReturnType<ReturnType<typeof listings>['execute']>>;

/** By ASIN, then by the beginning of the SKU; both go by an index. */
async function find(ctx: Ctx, text: string, limit: number): Promise<Found> {
  if (ASIN.test(text)) {
    const found = await listings(ctx, limit).where('asin', '=', text.toUpperCase()).orderBy('seller_sku').execute();
    if (found.length > 0) return found;
  }
  const start = text.toLowerCase();
  return listings(ctx, limit)
    .where('sku_key', '>=', start)
    .where('sku_key', '<', start + LAST)
    .orderBy('sku_key')
    .execute();
}

/** What is on sale, by ASIN or by the beginning of the SKU. */
export const listingSearch: SearchProvider = {
  title: 'SKU',
  icon: 'sku',
  permission: 'amz:listing:view',
  async search(ctx, text, limit) {
    const found = await find(ctx, text, limit);
    if (found.length === 0) return [];
    const stores = await storeNames(ctx);
    return found.map((row) => {
      const shop = `${stores.get(row.account_id) ?? '—'}-${countryOf(row.marketplace_id)}`;
      return {
        title: row.title ?? row.seller_sku,
        subtitle: `${row.seller_sku} · ${shop}`,
        image: row.image_url,
        tag: ListingState.meta()?.states?.[row.state as State] ?? { title: row.state, tone: 'off' as const },
        facts: [
          { label: 'MSKU', value: row.seller_sku },
          { label: 'ASIN', value: row.asin ?? '—' },
          { label: '店铺-站点', value: shop },
          ...(row.quantity === null ? [] : [{ label: '自发货库存', value: String(row.quantity) }]),
        ],
        path: '/amazon/listing/products',
        query: { 'f.skus': row.seller_sku },
        tabTitle: '在线商品',
      };
    });
  },
};
