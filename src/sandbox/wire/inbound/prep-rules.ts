/** Who has to prepare and label a product. */
import type { SimAccount, SimMarketplace } from '../../business/types.ts';
import { unitDraw } from '../random.ts';
import type { World } from '../world.ts';
import type { ItemInput } from './bodies.ts';
import type { PrepSet } from './types.ts';

/** What needs no hand on the product. */
const NOTHING = ['ITEM_NO_PREP', 'ITEM_LABELING', 'ITEM_BLANKSTK'];

/** What must be done to products of a category at least; one that is not named may be anything. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  ADULT: ['ITEM_BLACK_SHRINKWRAP'],
  BABY: ['ITEM_POLYBAGGING'],
  FRAGILE: ['ITEM_BUBBLEWRAP'],
  GRANULAR: ['ITEM_POLYBAGGING'],
  LIQUID: ['ITEM_POLYBAGGING'],
  SHARP: ['ITEM_BUBBLEWRAP'],
  SMALL: ['ITEM_POLYBAGGING'],
  TEXTILE: ['ITEM_POLYBAGGING'],
};

/**
 * How a product is to be prepared: as the seller set it, else as Amazon knows it. Amazon's own draw: one in ten is
 * classified by nobody yet, some are fragile or small, the rest need no more than a label.
 */
export function prepOf(world: World, account: SimAccount, marketplaceId: string, msku: string): PrepSet {
  const said = world.inbound.prep(account, marketplaceId, msku);
  if (said) return said;
  const draw = unitDraw('prep', world.seed, marketplaceId, msku);
  const set = (category: string, ...types: string[]): PrepSet => ({ marketplaceId, msku, category, types });
  if (draw < 0.1) return set('UNKNOWN', 'ITEM_LABELING');
  if (draw < 0.2) return set('FRAGILE', 'ITEM_LABELING', 'ITEM_BUBBLEWRAP');
  if (draw < 0.3) return set('SMALL', 'ITEM_LABELING', 'ITEM_POLYBAGGING');
  if (draw < 0.4) return set('NONE', 'ITEM_NO_PREP');
  return set('NONE', 'ITEM_LABELING', 'ITEM_NO_PREP');
}

/** Amazon neither prepares nor labels in the United States since January 2026. */
const hands = (market: SimMarketplace): string[] => (market.countryCode === 'US' ? ['SELLER'] : ['AMAZON', 'SELLER']);

/** Whether somebody has to prepare it. */
export const needsPrep = ({ types }: PrepSet): boolean => types.some((type) => !NOTHING.includes(type));
/** Whether somebody has to label it. */
export const needsLabel = ({ types }: PrepSet): boolean => types.includes('ITEM_LABELING');

/** What is wrong with the owners that an item names, in the words that callers report; nothing where nobody knows yet. */
export function ownerComplaints(
  world: World,
  account: SimAccount,
  market: SimMarketplace,
  { msku, prepOwner, labelOwner }: ItemInput,
): string[] {
  const prep = prepOf(world, account, market.marketplaceId, msku);
  if (prep.category === 'UNKNOWN') return [];
  const complaint = (name: string, given: string, isNeeded: boolean): string[] => {
    const allowed = isNeeded ? hands(market) : ['NONE'];
    if (allowed.includes(given)) return [];
    const verb = isNeeded ? 'requires' : 'does not require';
    return [`ERROR: ${msku} ${verb} ${name} but ${given} was assigned. Accepted values: [${allowed.join(', ')}]`];
  };
  return [
    ...complaint('prepOwner', prepOwner, needsPrep(prep)),
    ...complaint('labelOwner', labelOwner, needsLabel(prep)),
  ];
}

/** What is wrong with a category and what is done for it; undefined where they fit. */
export function prepComplaint(category: string, types: readonly string[]): string | undefined {
  const work = types.filter((type) => type !== 'ITEM_LABELING');
  // As callers report: nothing but "no preparation" goes with the category NONE.
  if (category === 'NONE' && work.some((type) => type !== 'ITEM_NO_PREP')) {
    return 'the prep category NONE allows no other prep type than ITEM_NO_PREP';
  }
  const missing = (WANTED[category] ?? []).find((type) => !types.includes(type));
  return missing && `the prep category ${category} requires the prep type ${missing}`;
}
