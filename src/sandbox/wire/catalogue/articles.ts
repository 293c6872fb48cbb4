import { COLOURS, HOME_KINDS, type Kind, PET_KINDS } from '../../business/kinds.ts';
import type { SimMarketplace, SimProduct } from '../../business/types.ts';
import { unitDraw } from '../random.ts';
import { titleIn } from '../report-stock.ts';
import type { World } from '../world.ts';
import { PRODUCT_TYPES } from './attributes.ts';
import { eanOf } from './shown.ts';

/** Something that is sold on a marketplace, by whomever. */
export interface Article {
  asin: string;
  parentAsin: string | undefined;
  title: string;
  brand: string;
  productType: string;
  classificationId: string;
  className: string;
  colour: string;
  imageKey: string;
  ean: string;
  cm: readonly [length: number, width: number, height: number];
  kg: number;
  rank: number;
  pack: number;
}

/** Brands of others. The first two let nobody else sell what is theirs. */
export const FOREIGN_BRANDS = ['Stahlberg', 'Kitora', 'Evermoor', 'Pinecraft', 'Brightwell'] as const;

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function asinOf(seed: string, key: string): string {
  const signs = Array.from(
    { length: 8 },
    (_, index) => SIGNS[Math.floor(unitDraw('asin', seed, key, index) * 36)] ?? '0',
  );
  return `B0${signs.join('')}`;
}

/** The class of a product type in a marketplace: a number, as browse nodes have. */
export function classOf(productType: string, marketplaceId: string): string {
  return String(100_000_000 + Math.floor(unitDraw('class', productType, marketplaceId) * 899_999_999));
}

function articleOf(world: World, market: SimMarketplace, product: SimProduct): Article {
  const { asin, parentAsin, brand, productType, imageKey, lengthCm, widthCm, heightCm, weightKg, pack } = product;
  const [, colour = ''] = imageKey.split('-');
  return {
    asin,
    parentAsin,
    title: titleIn(product, market),
    brand,
    productType,
    classificationId: classOf(productType, market.marketplaceId),
    className: PRODUCT_TYPES[productType]?.[0] ?? productType,
    colour,
    imageKey,
    ean: eanOf(asin),
    cm: [lengthCm, widthCm, heightCm],
    kg: weightKg,
    rank: 1 + Math.floor(unitDraw('rank', world.seed, asin, market.marketplaceId) * 90_000),
    pack,
  };
}

function foreign(world: World, market: SimMarketplace, kind: Kind): Article[] {
  const language = market.language.slice(0, 2) as keyof Kind['title'];
  return FOREIGN_BRANDS.flatMap((brand) =>
    COLOURS.filter((_, index) => index % 2 === 0).map(({ key, name }) => {
      const asin = asinOf(world.seed, `${brand}|${kind.code}|${key}`);
      const title = `${brand} ${kind.title[language] ?? kind.title.en}, ${name[language] ?? name.en}`;
      const [lengthCm, widthCm, heightCm] = kind.box;
      return articleOf(world, market, {
        sku: '',
        asin,
        fnsku: '',
        titles: { en: title, [language]: title },
        brand,
        productType: kind.productType,
        imageKey: `${kind.image}-${key}`,
        fulfilment: 'AFN',
        condition: 'New',
        lengthCm,
        widthCm,
        heightCm,
        weightKg: kind.weightKg,
        pack: 1,
        openedAt: 0,
      });
    }),
  );
}

/** All that a marketplace sells, the best selling first: the simulated sellers' products and those of others. */
export function articlesIn(world: World, market: SimMarketplace): readonly Article[] {
  const key = ['articles', market.marketplaceId, world.now()].join('|');
  return world.cachedList(key, () => {
    const own = world.business.accounts
      .filter(({ marketplaceIds }) => marketplaceIds.includes(market.marketplaceId))
      .flatMap((account) => world.listings(account, market.marketplaceId, world.now()))
      .map(({ product }) => articleOf(world, market, product));
    const all = [...own, ...[...HOME_KINDS, ...PET_KINDS].flatMap((kind) => foreign(world, market, kind))];
    return [...new Map(all.map((one) => [one.asin, one])).values()].sort(
      (a, b) => a.rank - b.rank || (a.asin < b.asin ? -1 : 1),
    );
  });
}
