/** Products, offers and reference prices: a pure function of the seed and the seller. */
import { code, Dice, draw, normal } from './draws.ts';
import { COLOURS, type Colour, HOME_KINDS, type Kind, PET_KINDS } from './kinds.ts';
import { DAY } from './marketplaces.ts';
import type { Lane } from './model.ts';
import { type CountryPlan, MERCHANT_SHIPPED_EVERY, type SellerPlan } from './scenario.ts';
import type { SimMarketplace, SimProduct } from './types.ts';

const BASE36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Price level of a marketplace against the US price, in its own minor units per US cent (JPY has no decimals). */
const PRICE_LEVEL: Record<string, number> = { USD: 1, CAD: 1.36, GBP: 0.84, EUR: 0.97, JPY: 1.48 };

interface SeedOf {
  seed: string;
  plan: SellerPlan;
}

/** The seller's products, in a fixed order. */
export function products({ seed, plan }: SeedOf, startAt: number): SimProduct[] {
  const kinds = plan.range === 'home' ? HOME_KINDS : PET_KINDS;
  const list: SimProduct[] = [];
  // Singly before packs and colour by colour, so that a short list still shows many kinds.
  for (let pack = 1; pack <= plan.packs; pack += 1) {
    for (let tint = 0; tint < plan.colours; tint += 1) {
      for (const [position, kind] of kinds.entries()) {
        if (list.length === plan.skus) return list;
        const colour = COLOURS[(position + tint) % COLOURS.length];
        if (!colour) continue;
        const single = product({ seed, plan }, kind, colour, list.length, startAt);
        list.push(pack === 1 ? single : packOf({ seed, plan }, single, pack));
      }
    }
  }
  return list;
}

/** So many pieces in one box, under a SKU and an ASIN of their own. */
function packOf({ seed, plan }: SeedOf, single: SimProduct, pack: number): SimProduct {
  const sku = `${single.sku}-X${pack}`;
  const key = [seed, plan.sellingPartnerId];
  const titles = Object.fromEntries(
    Object.entries(single.titles).map(([language, title]) => [language, `${title} (${pack}x)`]),
  );
  return {
    ...single,
    sku,
    asin: `B0${code(8, BASE36, ...key, `asin:${sku}`)}`,
    fnsku: `X00${code(7, BASE36, ...key, `fnsku:${sku}`)}`,
    titles: { ...single.titles, ...titles },
    heightCm: single.heightCm * pack,
    weightKg: single.weightKg * pack,
    pack,
  };
}

function product({ seed, plan }: SeedOf, kind: Kind, colour: Colour, index: number, startAt: number): SimProduct {
  const sku = `${plan.skuPrefix}-${kind.code}-${kind.size}-${colour.code}`;
  const key = [seed, plan.sellingPartnerId];
  const [lengthCm, widthCm, heightCm] = kind.box;
  return {
    sku,
    asin: `B0${code(8, BASE36, ...key, `asin:${sku}`)}`,
    fnsku: `X00${code(7, BASE36, ...key, `fnsku:${sku}`)}`,
    parentAsin: `B0${code(8, BASE36, ...key, `asin:${kind.code}`)}`,
    titles: {
      en: `${plan.brand} ${kind.title.en}, ${colour.name.en}`,
      de: `${plan.brand} ${kind.title.de}, ${colour.name.de}`,
      fr: `${plan.brand} ${kind.title.fr}, ${colour.name.fr.toLowerCase()}`,
      ja: `${plan.brand} ${kind.title.ja} ${colour.name.ja}`,
    },
    brand: plan.brand,
    productType: kind.productType,
    imageKey: `${kind.image}-${colour.key}`,
    fulfilment:
      index % MERCHANT_SHIPPED_EVERY === MERCHANT_SHIPPED_EVERY - 1 || isTinyLast(plan, index) ? 'MFN' : 'AFN',
    condition: 'New',
    lengthCm,
    widthCm,
    heightCm,
    weightKg: kind.weightKg,
    pack: 1,
    openedAt: startAt - Math.floor(100 + 400 * draw(...key, `opened:${sku}`)) * DAY,
  };
}

/** A cast too small to reach the n-th SKU still has one that the merchant ships. */
function isTinyLast(plan: SellerPlan, index: number): boolean {
  return plan.skus < MERCHANT_SHIPPED_EVERY && index === plan.skus - 1;
}

/** The price in US cents of a product's kind; the colour moves it by at most one dollar. */
function usPrice(seed: string, item: SimProduct): number {
  const kind = [...HOME_KINDS, ...PET_KINDS].find((one) => item.imageKey.startsWith(`${one.image}-`));
  if (!kind) throw new RangeError(`no kind for ${item.imageKey}`);
  const single = kind.usd + Math.floor(draw(seed, `colour:${item.sku}`) * 3 - 1) * 100;
  // Every further piece of a pack is a tenth cheaper.
  return Math.round(single * (1 + (item.pack - 1) * 0.9));
}

/** A price as shops write it: 19.99, or 1,980 yen. Whole minor units in and out. */
export function charmPrice(minor: number, currency: string): number {
  if (currency === 'JPY') return Math.max(1, Math.round(minor / 100)) * 100 - 20;
  return Math.max(1, Math.round(minor / 100)) * 100 - 1;
}

/** The seller's offers in one marketplace, with demand shares that add up to the plan's orders a day. */
export function lanes(
  { seed, plan }: SeedOf,
  country: CountryPlan,
  market: SimMarketplace,
  items: SimProduct[],
  startAt: number,
): Lane[] {
  const list: Lane[] = [];
  let sum = 0;
  for (const [position, item] of items.entries()) {
    const key = `${market.countryCode}:${item.sku}`;
    const dice = new Dice(seed, plan.sellingPartnerId, `lane:${key}`);
    const offered = dice.next() < country.offered || position === 0;
    const weight = Math.exp(0.8 * normal(dice.next(), dice.next()));
    if (!offered) continue;
    sum += weight;
    const lane = laneOf(seed, market, item, key, dice, startAt);
    lane.index = list.length;
    lane.base = weight;
    list.push(lane);
  }
  for (const lane of list) {
    lane.base = (lane.base / sum) * country.ordersPerDay;
    stockUp(lane, startAt);
  }
  return list;
}

function laneOf(
  seed: string,
  market: SimMarketplace,
  item: SimProduct,
  key: string,
  dice: Dice,
  startAt: number,
): Lane {
  const level = PRICE_LEVEL[market.currency];
  if (level === undefined) throw new RangeError(`no price level for ${market.currency}`);
  const suppressedFrom = startAt + dice.int(60, 105) * DAY;
  return {
    index: 0,
    product: item,
    key,
    listingId: code(11, BASE36, seed, `listing:${key}:${item.asin}`),
    refPrice: charmPrice(usPrice(seed, item) * level, market.currency),
    pricePhase: dice.int(0, 27),
    base: 0,
    elasticity: -dice.between(1.2, 2.5),
    trend: dice.between(-0.2, 0.4),
    seasonSwing: dice.between(-0.2, 0.2),
    refundRate: dice.between(0.03, 0.09),
    suppressed: dice.chance(0.04) ? { from: suppressedFrom, to: suppressedFrom + dice.int(8, 20) * DAY } : undefined,
    fulfillable: 0,
    moving: 0,
    unsellable: 0,
    nextArrivalDay: dice.int(12, 25),
    deliveries: 0,
    unitDays: 0,
    ledger: [],
    offers: [],
    plans: [],
    announced: [],
    measured: [],
  };
}

/** Opening stock: until the first delivery and two weeks more, a little more or less. */
function stockUp(lane: Lane, startAt: number): void {
  const dice = new Dice(lane.listingId, 'opening');
  const quantity = Math.ceil(lane.base * 1.3 * (lane.nextArrivalDay + 14) * dice.between(0.85, 1.3)) + 2;
  lane.fulfillable = quantity;
  lane.ledger.push({ at: startAt, kind: 'opening', quantity });
}
