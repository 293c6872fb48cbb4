import type { Ctx } from '#kit/server/context.ts';
import { productInfo, productKey } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';

interface Bearer {
  account_id: string;
  marketplace_id: string;
  sku: string;
}

/** What a row shows of the SKU or the store that bears a cost; a whole store has no product. */
export async function bearerCells(ctx: Ctx, rows: readonly Bearer[]) {
  const stores = await storeNames(ctx);
  const keyOf = ({ account_id, marketplace_id, sku }: Bearer) => ({
    accountId: account_id,
    marketplaceId: marketplace_id,
    sellerSku: sku,
  });
  const known = await productInfo(ctx, rows.filter(({ sku }) => sku !== '').map(keyOf));
  return (row: Bearer) => ({
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    product:
      row.sku === ''
        ? { name: '整店', code: '' }
        : (known.get(productKey(keyOf(row))) ?? { name: row.sku, code: row.sku }),
  });
}
