import { Decimal } from '#kit/contract/decimal.ts';
import type { CatalogItem } from '../../contract/catalog.ts';

interface Measure {
  unit?: string;
  value?: number;
}

interface Dimensions {
  length?: Measure;
  width?: Measure;
  height?: Measure;
  weight?: Measure;
}

/** What we read of one item of Catalog Items 2022-04-01, named as the API names it. */
export interface ApiCatalogItem {
  asin: string;
  summaries?: readonly {
    marketplaceId: string;
    itemName?: string;
    brand?: string;
    browseClassification?: { displayName?: string };
  }[];
  images?: readonly { marketplaceId: string; images: readonly { variant: string; link: string }[] }[];
  dimensions?: readonly { marketplaceId: string; item?: Dimensions; package?: Dimensions }[];
  salesRanks?: readonly {
    marketplaceId: string;
    classificationRanks?: readonly { title: string; rank: number }[];
    displayGroupRanks?: readonly { title: string; rank: number }[];
  }[];
  identifiers?: readonly {
    marketplaceId: string;
    identifiers: readonly { identifierType: string; identifier: string }[];
  }[];
  productTypes?: readonly { marketplaceId?: string; productType?: string }[];
}

const CENTIMETRES: Readonly<Record<string, string>> = {
  centimeters: '1',
  millimeters: '0.1',
  meters: '100',
  inches: '2.54',
  feet: '30.48',
};
const KILOGRAMS: Readonly<Record<string, string>> = {
  kilograms: '1',
  grams: '0.001',
  pounds: '0.45359237',
  ounces: '0.028349523125',
};

/** A measure in our unit; null where it is missing or in a unit that nobody knows. */
function inUnit(measure: Measure | undefined, factors: Readonly<Record<string, string>>): Decimal | null {
  const factor = factors[measure?.unit?.toLowerCase() ?? ''];
  return factor === undefined || measure?.value === undefined ? null : new Decimal(measure.value).times(factor);
}

/** Edges as "27.0 × 8.0 × 8.0", in cm to a tenth; null where one is missing. */
function sizeOf(of: Dimensions | undefined): string | null {
  const edges = [of?.length, of?.width, of?.height].map((edge) => inUnit(edge, CENTIMETRES));
  return edges.some((edge) => edge === null) ? null : edges.map((edge) => edge?.toFixed(1)).join(' × ');
}

/** One product as the screen shows it. Amazon states lengths in the units of the marketplace. */
export function itemOf(item: ApiCatalogItem, marketplaceId: string): CatalogItem {
  const here = <T extends { marketplaceId?: string }>(list: readonly T[] | undefined): T | undefined =>
    list?.find((one) => one.marketplaceId === marketplaceId);
  const summary = here(item.summaries);
  const ranks = here(item.salesRanks);
  const [group] = ranks?.displayGroupRanks ?? [];
  const measures = here(item.dimensions);
  const size = measures?.package ?? measures?.item;
  const codes = here(item.identifiers)?.identifiers.map(
    ({ identifierType: type, identifier }) => `${type} ${identifier}`,
  );
  return {
    asin: item.asin,
    product: {
      name: summary?.itemName ?? item.asin,
      code: item.asin,
      image: here(item.images)?.images.find(({ variant }) => variant === 'MAIN')?.link ?? null,
      extra: null,
    },
    brand: summary?.brand ?? null,
    category: summary?.browseClassification?.displayName ?? null,
    productType: here(item.productTypes)?.productType ?? null,
    rank: group?.rank ?? null,
    rankTitle: group?.title ?? null,
    classRank: ranks?.classificationRanks?.[0]?.rank ?? null,
    size: sizeOf(size),
    weight: inUnit(size?.weight, KILOGRAMS)?.toFixed(3) ?? null,
    codes: codes?.join('、') || null,
  };
}
