/** What the warehouses can do about an order: whether it gets there, how many pieces are there, what it costs. */
import type { SimAccount } from '../../business/types.ts';
import type { Call } from '../operation.ts';
import { type ItemInput, wrong } from './bodies.ts';
import type { Destination, OutboundItem, Policy, Speed } from './types.ts';

const POSTAL: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  DE: /^\d{5}$/,
  FR: /^\d{5}$/,
  JP: /^\d{3}-?\d{4}$/,
};

/** The marketplace an order is placed against, the seller's first where none is named. Throws 400. */
export function siteOf({ account }: Call, named: string | undefined): string {
  const [first = ''] = account.marketplaceIds;
  const site = named ?? first;
  if (!account.marketplaceIds.includes(site)) throw wrong('marketplaceId', 'the seller does not sell there');
  return site;
}

/** Refuses an address that lacks what its country needs. Throws 400. */
export function checkAddress(field: string, { city, countryCode }: Destination): void {
  if (countryCode !== 'JP' && !city) throw wrong(`${field}.city`, 'it is required outside Japan');
}

/** Why nothing can be sent to an address from a marketplace, in the codes of previews; undefined where it can. */
export function whyNotThere({ world }: Call, site: string, to: Destination): string | undefined {
  const { countryCode, region } = world.marketplace(site);
  const isNear = to.countryCode === countryCode || (region === 'eu' && ['DE', 'FR'].includes(to.countryCode));
  if (!isNear) return 'DeliverySLAUnavailable';
  return POSTAL[to.countryCode]?.test(to.postalCode) ? undefined : 'InvalidDestinationAddress';
}

const knows = ({ world, now }: Call, account: SimAccount, site: string, sku: string): boolean =>
  world.business.stock(account, site, now).some(({ product }) => product.sku === sku && product.fulfilment === 'AFN');

/** Lines with how many pieces can be set aside for each; several of one SKU share what there is of it. */
export function filledLines(call: Call, site: string, items: readonly ItemInput[]): OutboundItem[] {
  const left = new Map<string, number>();
  return items.map(({ sellerSku: sku, sellerFulfillmentOrderItemId: itemId, quantity, displayableComment }) => {
    const free = left.get(sku) ?? call.world.business.freeForOutbound(call.account, site, sku, call.now);
    const filled = Math.min(free, quantity);
    left.set(sku, free - filled);
    return { itemId, sku, quantity, filled, ...(displayableComment === undefined ? {} : { displayableComment }) };
  });
}

/** Whether an order can be carried out: what its policy makes of missing pieces, by the words of the model. */
export function verdictOf(
  call: Call,
  order: { site: string; to: Destination; policy: Policy; items: readonly OutboundItem[] },
): 'GOOD' | 'INVALID' | 'UNFULFILLABLE' {
  const { site, to, policy, items } = order;
  if (whyNotThere(call, site, to)) return 'INVALID';
  if (items.some(({ sku }) => !knows(call, call.account, site, sku))) return 'INVALID';
  const found = items.reduce((sum, { filled }) => sum + filled, 0);
  if (found === 0) return policy === 'FillOrKill' ? 'INVALID' : 'UNFULFILLABLE';
  const isWhole = items.every(({ quantity, filled }) => filled === quantity);
  return isWhole || policy !== 'FillOrKill' ? 'GOOD' : 'INVALID';
}

/** Why a line cannot be sent as a whole, in the codes of previews; undefined where it can. */
export function whyNotLine(call: Call, site: string, { sku, quantity, filled }: OutboundItem): string | undefined {
  if (!knows(call, call.account, site, sku)) return 'InvalidSKU';
  return filled < quantity ? 'InsufficientInventory' : undefined;
}

/** Hundredths of the fee of an order of Amazon's own; further pieces of an order cost six tenths. */
const LEVEL: Readonly<Record<Speed, number>> = { Standard: 160, Expedited: 235, Priority: 320 };

/** What sending lines costs at a speed, minor units of the marketplace's currency. */
export function feeOf(call: Call, site: string, items: readonly OutboundItem[], speed: Speed): number {
  const pieces = items
    .flatMap(({ sku, filled }) =>
      Array.from({ length: filled }, () => call.world.business.fulfilmentFee(call.account, site, sku, call.now)),
    )
    .sort((a, b) => b - a);
  const whole = pieces.reduce((sum, fee, index) => sum + fee * (index === 0 ? 10 : 6), 0);
  return Math.round((whole * LEVEL[speed]) / 1000);
}
