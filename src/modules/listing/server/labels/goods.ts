import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { LabelGood, labelGoods } from '../../contract/labels.ts';

/** What labels are made of. */
export interface Good {
  id: string;
  accountId: string;
  marketplaceId: string;
  sku: string;
  fnsku: string | null;
  asin: string | null;
  title: string;
  image: string | null;
  condition: string | null;
}

/** Amazon tells a piece by its maker's barcode where a listing has its ASIN for FNSKU. */
export const hasMakersCode = ({ fnsku, asin }: Pick<Good, 'fnsku' | 'asin'>): boolean =>
  fnsku !== null && fnsku === asin;

type Wanted = Partial<z.output<typeof labelGoods.body>>;

/** Listings by id or by exact SKU, in the order of store, site and SKU; those that are gone too: their pieces are there. */
export async function goodsOf(ctx: Ctx, { ids = [], skus = [] }: Wanted): Promise<Good[]> {
  if (ids.length + skus.length === 0) return [];
  return ctx.db
    .selectFrom('listing.listing')
    .select([
      'id',
      'account_id as accountId',
      'marketplace_id as marketplaceId',
      'seller_sku as sku',
      'fnsku',
      'asin',
      (eb) => eb.fn.coalesce('title', eb.val('')).as('title'),
      'image_url as image',
      'condition',
    ])
    .where('company_id', '=', ctx.companyId)
    .where((eb) =>
      eb.or([
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        // The column that an index holds; case is looked at afterwards.
        ...(skus.length > 0
          ? [
              eb.and([
                eb(
                  'sku_key',
                  'in',
                  skus.map((sku) => sku.toLowerCase()),
                ),
                eb('seller_sku', 'in', skus),
              ]),
            ]
          : []),
      ]),
    )
    .orderBy('account_id')
    .orderBy('marketplace_id')
    .orderBy('seller_sku')
    .execute();
}

/** The same for the screen that labels are chosen on. */
export async function labelGoodsOf(ctx: Ctx, wanted: Wanted): Promise<LabelGood[]> {
  const stores = await storeNames(ctx);
  return (await goodsOf(ctx, wanted)).map((good) => ({
    id: good.id,
    product: { name: good.title, code: good.sku, image: good.image, extra: good.asin },
    store: { name: stores.get(good.accountId) ?? '', country: countryOf(good.marketplaceId) },
    fnsku: good.fnsku,
    condition: good.condition,
    makersCode: hasMakersCode(good),
  }));
}
