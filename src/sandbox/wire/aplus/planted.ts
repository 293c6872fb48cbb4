import { createHash } from 'node:crypto';
import type { SimListing } from '../../business/types.ts';
import { titleIn } from '../report-stock.ts';
import type { World } from '../world.ts';
import { localesOf } from './locales.ts';
import type { AplusDocument, Fields, Shelf } from './state.ts';

const DAY_MS = 86_400_000;
/** Pictures that were there from the start are drawings, which have any size. */
export const PLANTED = 'aplus-media/sc/drawn-';

function keyOf(...parts: string[]): string {
  const hex = createHash('sha256').update(parts.join('|')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

const text = (value: string): Fields => ({ value, decoratorSet: [] });
const body = (...values: string[]): Fields => ({ textList: values.map(text) });
const pixels = (value: number): Fields => ({ value, units: 'pixels' });

function picture(imageKey: string, width: number, height: number, altText: string): Fields {
  return {
    uploadDestinationId: `${PLANTED}${imageKey}.svg`,
    imageCropSpecification: {
      size: { width: pixels(width), height: pixels(height) },
      offset: { x: pixels(0), y: pixels(0) },
    },
    altText: altText.slice(0, 100),
  };
}

function document(name: string, locale: string, contentModuleList: Fields[]): Fields {
  return { name: name.slice(0, 100), contentType: 'EBC', locale, contentModuleList };
}

/**
 * The documents that a seller has from the start: one that buyers see, one that was rejected and says why, and one of
 * premium modules, which this version of the API does not write down.
 */
export function plantedDocuments(world: World, shelf: Shelf, listings: readonly SimListing[]): AplusDocument[] {
  const market = world.marketplace(shelf.marketplaceId);
  const [locale = 'en-US'] = localesOf(market.countryCode);
  const byAsin = new Map(listings.map((one) => [one.product.asin, one.product]));
  const products = [...byAsin.values()].sort((a, b) => (a.asin < b.asin ? -1 : 1)).slice(0, 5);
  const [first, second, third, fourth = third, fifth = fourth] = products;
  if (!first || !second || !third || !fourth || !fifth) return [];
  const title = (product: typeof first): string => titleIn(product, market);
  const short = (product: typeof first): string => title(product).slice(0, 60);
  const card = (product: typeof first): Fields => ({
    image: picture(product.imageKey, 300, 300, title(product)),
    headline: text(short(product)),
    body: body('Made to last, packed with care.', 'Ready to use from the first day.'),
  });
  const seen: Fields[] = [
    {
      contentModuleType: 'STANDARD_HEADER_IMAGE_TEXT',
      standardHeaderImageText: {
        headline: text(`${first.brand}: made for every day`),
        block: {
          image: picture(first.imageKey, 970, 600, `${first.brand} ${title(first)}`),
          headline: text('Small things that work'),
          body: body('We make few things, and make them well.'),
        },
      },
    },
    {
      contentModuleType: 'STANDARD_THREE_IMAGE_TEXT',
      standardThreeImageText: { block1: card(first), block2: card(second), block3: card(third) },
    },
    {
      contentModuleType: 'STANDARD_TECH_SPECS',
      standardTechSpecs: {
        headline: text('Specifications'),
        tableCount: 1,
        specificationList: [
          ['Brand', first.brand],
          ['Weight', `${first.weightKg} kg`],
          ['Size', `${first.lengthCm} × ${first.widthCm} × ${first.heightCm} cm`],
          ['Pieces', String(first.pack)],
        ].map(([label = '', description = '']) => ({ label: text(label), description: text(description) })),
      },
    },
  ];
  const rejected: Fields[] = [
    {
      contentModuleType: 'STANDARD_SINGLE_SIDE_IMAGE',
      standardSingleSideImage: { imagePositionType: 'LEFT', block: card(fourth) },
    },
    {
      contentModuleType: 'STANDARD_TEXT',
      standardText: { headline: text('Why us'), body: body('The best seller of its kind, with a lifetime guarantee.') },
    },
  ];
  const made = (
    name: string,
    days: number,
    own: Pick<AplusDocument, 'status' | 'badges' | 'asins' | 'live'> & Partial<AplusDocument> & { modules: Fields[] },
  ): AplusDocument => {
    const { modules, ...rest } = own;
    return {
      ...shelf,
      key: keyOf(world.seed, shelf.sellingPartnerId, shelf.marketplaceId, name),
      content: document(name, locale, modules),
      updatedAt: world.startAt + days * DAY_MS,
      reasons: [],
      ...rest,
    };
  };
  const asins = [first, second, third].map(({ asin }) => asin);
  return [
    made(`${first.brand} story`, 5, {
      status: 'APPROVED',
      badges: ['STANDARD'],
      asins,
      live: asins,
      modules: seen,
    }),
    made(`${short(fourth)} - details`, 12, {
      status: 'REJECTED',
      badges: ['STANDARD'],
      asins: [fourth.asin],
      live: [],
      modules: rejected,
      reasons: [
        {
          code: 'PROHIBITED_CLAIM',
          message: 'The text names a sales rank or a guarantee, which A+ content may not do.',
          details: 'contentModuleList[1].standardText.body',
        },
      ],
    }),
    made(`${short(fifth)} - premium`, 8, {
      status: 'APPROVED',
      badges: ['PREMIUM'],
      asins: [fifth.asin],
      live: [fifth.asin],
      modules: [],
      foreign: 'premium-module-6-three-column-comparison',
    }),
  ];
}
