import type { SimListing } from '../../business/types.ts';
import { titleIn } from '../report-stock.ts';
import type { World } from '../world.ts';
import { offersAfter, plannedOffers } from './offer.ts';
import { languageTag } from './schema.ts';

type Values = Readonly<Record<string, readonly object[]>>;

const ELECTRIC = ['LIGHT_FIXTURE', 'LAMP', 'LANTERN', 'ELECTRIC_TOOTHBRUSH', 'ELECTRONIC_CABLE', 'COFFEE_MAKER'];
const COLOURS: Readonly<Record<string, string>> = {
  black: 'Black',
  blue: 'Blue',
  green: 'Green',
  grey: 'Grey',
  pink: 'Pink',
  red: 'Red',
  white: 'White',
};

/** The attributes that a listing of the business has without anybody having written them. */
function ownAttributes(world: World, listing: SimListing): Values {
  const { product, marketplaceId, price } = listing;
  const market = world.marketplace(marketplaceId);
  const here = { marketplace_id: marketplaceId };
  const text = (value: string): object => ({ value, language_tag: languageTag(market), ...here });
  const edge = (value: number): object => ({ value, unit: 'centimeters' });
  const title = titleIn(product, market);
  const [, colour = ''] = product.imageKey.split('-');
  return {
    item_name: [text(title)],
    brand: [text(product.brand)],
    externally_assigned_product_identifier: [{ type: 'ean', value: eanOf(product.asin), ...here }],
    bullet_point: [text('Made to last'), text('Ready to use')],
    product_description: [text('Made for every day, packed with care.')],
    color: [text(COLOURS[colour] ?? 'Black')],
    number_of_items: [{ value: product.pack, ...here }],
    main_product_image_locator: [{ media_location: `${world.publicUrl}/images/${product.imageKey}.svg`, ...here }],
    condition_type: [{ value: 'new_new', ...here }],
    country_of_origin: [{ value: 'CN', ...here }],
    supplier_declared_dg_hz_regulation: [{ value: 'not_applicable', ...here }],
    ...(ELECTRIC.includes(product.productType) ? { batteries_required: [{ value: false, ...here }] } : {}),
    item_package_weight: [{ value: product.weightKg, unit: 'kilograms', ...here }],
    item_package_dimensions: [
      { length: edge(product.lengthCm), width: edge(product.widthCm), height: edge(product.heightCm), ...here },
    ],
    ...(price === ''
      ? {}
      : {
          purchasable_offer: [offerValue(market.currency, price, marketplaceId), ...plannedOffers(market, listing)],
        }),
    fulfillment_availability: [availability(world, listing)],
    ...(product.parentAsin === undefined
      ? {}
      : { child_parent_sku_relationship: [{ child_relationship_type: 'variation', parent_sku: 'PARENT', ...here }] }),
  };
}

function offerValue(currency: string, price: string, marketplaceId: string): object {
  return {
    marketplace_id: marketplaceId,
    currency,
    audience: 'ALL',
    our_price: [{ schedule: [{ value_with_tax: Number(price) }] }],
  };
}

/** Where the main picture of a listing is: the seller's own address of it, or ours. */
export function mainImageOf(world: World, listing: SimListing): string {
  const { account, marketplaceId, product } = listing;
  const { sellingPartnerId, region } = account;
  const edits = world.edits.of({ sellingPartnerId, region, marketplaceId, sku: product.sku }, world.now());
  const said = edits.findLast(({ said: { attributes } }) => attributes.main_product_image_locator)?.said;
  const location: unknown = Reflect.get(said?.attributes.main_product_image_locator?.[0] ?? {}, 'media_location');
  return typeof location === 'string' ? location : `${world.publicUrl}/images/${product.imageKey}.svg`;
}

/** How an offer is delivered, in the words of the attribute. */
export function availability(
  world: World,
  { product, marketplaceId, quantity }: SimListing,
): { fulfillment_channel_code: string; quantity?: number } {
  if (product.fulfilment === 'MFN') return { fulfillment_channel_code: 'DEFAULT', quantity: quantity ?? 0 };
  const { region, countryCode } = world.marketplace(marketplaceId);
  return { fulfillment_channel_code: `AMAZON_${region === 'fe' ? countryCode : region.toUpperCase()}` };
}

/** A number that could stand under a bar code, always the same for an ASIN. */
export function eanOf(asin: string): string {
  const digits = [...asin].map((sign) => String(sign.charCodeAt(0) % 10)).join('');
  const body = `69${digits}`.slice(0, 12);
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** All attributes of a listing in its marketplace as of `now`: its own, and what was written of it since. */
export function attributesOf(world: World, listing: SimListing, now: number): Values {
  const { account, marketplaceId, product, price } = listing;
  const { sellingPartnerId, region } = account;
  const edits = world.edits.of({ sellingPartnerId, region, marketplaceId, sku: product.sku }, now);
  const begins = edits.some(({ said }) => said.whole === 'new');
  const values: Record<string, readonly object[]> = begins ? {} : { ...ownAttributes(world, listing) };
  for (const { said } of edits) {
    for (const [name, value] of Object.entries(said.attributes)) {
      if (value === null) delete values[name];
      else values[name] = value;
    }
    const { offers } = said;
    if (offers) values.purchasable_offer = offersAfter(values.purchasable_offer ?? [], offers.op, offers.values);
  }
  // Price and stock move without anybody writing the attribute.
  const { currency } = world.marketplace(marketplaceId);
  if (price !== '') {
    const own = offerValue(currency, price, marketplaceId);
    values.purchasable_offer = offersAfter(values.purchasable_offer ?? [], 'merge', [own]);
  }
  values.fulfillment_availability = [availability(world, listing)];
  return values;
}
