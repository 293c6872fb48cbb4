import type { SimAccount } from '../../business/types.ts';
import { articlesIn, FOREIGN_BRANDS } from '../catalogue/articles.ts';
import { mainImageOf } from '../catalogue/shown.ts';
import { iso } from '../clock.ts';
import { titleIn } from '../report-stock.ts';
import type { World } from '../world.ts';
import { plantedDocuments } from './planted.ts';
import type { AplusDocument, Complaint } from './state.ts';

/** Documents of an account in a marketplace, the last changed first. */
export function documentsOn(world: World, account: SimAccount, marketplaceId: string): AplusDocument[] {
  const { sellingPartnerId, region } = account;
  const shelf = { sellingPartnerId, region, marketplaceId };
  return world.aplus.on(shelf, () =>
    plantedDocuments(world, shelf, world.business.listings(account, marketplaceId, world.now())),
  );
}

/** Metadata of a document, as lists and its page give them. */
export function metadataOf({ content, marketplaceId, status, badges, updatedAt }: AplusDocument): object {
  return { name: content.name, marketplaceId, status, badgeSet: [...badges], updateTime: iso(updatedAt) };
}

type AsinBadge = 'BRAND_NOT_ELIGIBLE' | 'CATALOG_NOT_FOUND' | 'CONTENT_NOT_PUBLISHED' | 'CONTENT_PUBLISHED';

/** What keeps an ASIN from showing a document of this seller; undefined where nothing does. */
export function asinTrouble(
  world: World,
  account: SimAccount,
  marketplaceId: string,
  asin: string,
): Extract<AsinBadge, 'BRAND_NOT_ELIGIBLE' | 'CATALOG_NOT_FOUND'> | undefined {
  const market = world.marketplace(marketplaceId);
  const own = world.listings(account, marketplaceId, world.now()).find(({ product }) => product.asin === asin);
  const brand = own?.product.brand ?? articlesIn(world, market).find((one) => one.asin === asin)?.brand;
  if (brand === undefined) return 'CATALOG_NOT_FOUND';
  return own && !FOREIGN_BRANDS.some((foreign) => foreign === brand) ? undefined : 'BRAND_NOT_ELIGIBLE';
}

const TROUBLES = {
  BRAND_NOT_ELIGIBLE: 'The ASIN is not of a brand that is registered to you.',
  CATALOG_NOT_FOUND: 'The ASIN is not in the catalog of the marketplace.',
} as const;

/** One complaint for each ASIN that cannot show a document of this seller. */
export function asinComplaints(
  world: World,
  account: SimAccount,
  marketplaceId: string,
  asins: readonly string[],
): Complaint[] {
  return asins.flatMap((asin) => {
    const trouble = asinTrouble(world, account, marketplaceId, asin);
    return trouble ? [{ code: trouble, message: TROUBLES[trouble], details: `asinSet: ${asin}` }] : [];
  });
}

/** An ASIN of a document; with its title, picture and badges where they are asked for. */
export function asinShape(
  world: World,
  account: SimAccount,
  document: AplusDocument,
  asin: string,
  withMetadata: boolean,
): object {
  if (!withMetadata) return { asin };
  const { marketplaceId } = document;
  const listing = world.listings(account, marketplaceId, world.now()).find(({ product }) => product.asin === asin);
  const trouble = asinTrouble(world, account, marketplaceId, asin);
  const badge: AsinBadge = trouble ?? (document.live.includes(asin) ? 'CONTENT_PUBLISHED' : 'CONTENT_NOT_PUBLISHED');
  return {
    asin,
    badgeSet: [badge],
    ...(listing
      ? {
          ...(listing.product.parentAsin === undefined ? {} : { parent: listing.product.parentAsin }),
          title: titleIn(listing.product, world.marketplace(marketplaceId)),
          imageUrl: mainImageOf(world, listing),
        }
      : {}),
    contentReferenceKeySet: documentsOn(world, account, marketplaceId)
      .filter(({ asins }) => asins.includes(asin))
      .map(({ key }) => key),
  };
}
