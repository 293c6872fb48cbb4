import type { Ctx } from '#kit/server/context.ts';
import type { ComparedDbRow, ComparedList } from '#kit/server/list/compared/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { withListing } from './base.ts';

const text = (row: ComparedDbRow, column: string): string => String(row[column] ?? '');

/** Columns that name the goods of most facts. */
const NAMES = ['seller_sku', 'asin', 'fnsku'];

/**
 * A compared report whose rows are goods: what it shows of a product and its store beside the figures. `names`: which columns
 * of its facts name the goods.
 */
export async function goodsCompared(
  ctx: Ctx,
  list: Omit<ComparedList, 'product' | 'around' | 'show' | 'shown'>,
  names: readonly string[] = NAMES,
): Promise<ComparedList> {
  const stores = await storeNames(ctx);
  return {
    ...list,
    shown: names.filter((name) => !list.by.includes(name)),
    product: 'f.seller_sku',
    around: (rows) => withListing(ctx, rows),
    show: (row) => ({
      product: {
        name: text(row, 'name'),
        code: text(row, 'seller_sku') || text(row, 'fnsku'),
        image: row.image ?? null,
        extra: text(row, 'asin') || text(row, 'fnsku') || null,
      },
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      ...('fnsku' in list.row.shape ? { fnsku: text(row, 'fnsku') } : {}),
    }),
  };
}
