import type { Region, SimAccount } from '../business/types.ts';
import type { World } from './world.ts';

/** Amazon measures a product of a seller's region from `at` (data time) on: too large by factors, or rightly without any. */
export interface MeasureCommand {
  type: 'measured';
  sellingPartnerId: string;
  region: Region;
  sku: string;
  at: number;
  wrong?: { sides: number; weight: number };
}

type Fields = Record<string, unknown>;

/** Factors within which a measurement may be wrong. */
const MOST = 5;

function factorOf(fields: Fields, name: string): number {
  const value = fields[name] ?? 1;
  if (typeof value !== 'number' || !(value > 0 && value <= MOST)) {
    throw new Error(`${name}: a factor above 0 and up to ${MOST} is expected.`);
  }
  return value;
}

/** Every product that Amazon measured wrongly, by marketplace, with what it is charged and what it should be. */
export function feesView(world: World, account: SimAccount): object {
  const now = world.now();
  return {
    mismeasured: account.marketplaceIds.flatMap((marketplaceId) =>
      world.business.mismeasured(account, marketplaceId, now).map((one) => ({ marketplaceId, ...one })),
    ),
  };
}

/**
 * `action: 'mismeasure'` with `sku` and the factors `sides` and `weight`: from now on Amazon takes the product for so much
 * larger, in previews of fees and in what it charges. `action: 'remeasure'`: it measures again, rightly.
 */
export function feesControl(world: World, account: SimAccount, fields: Fields): object {
  const { action, sku } = fields;
  if (action !== 'mismeasure' && action !== 'remeasure') {
    throw new Error('action: one of mismeasure, remeasure is expected.');
  }
  const { sellingPartnerId, region } = account;
  const at = world.now();
  const isKnown = account.marketplaceIds.some((id) =>
    world.listings(account, id, at).some(({ product }) => product.sku === sku && product.fulfilment === 'AFN'),
  );
  if (!isKnown) throw new Error('The seller sends no such product through Amazon there.');
  const wrong = { sides: factorOf(fields, 'sides'), weight: factorOf(fields, 'weight') };
  const base = { type: 'measured', sellingPartnerId, region, sku: String(sku), at } as const;
  world.command(action === 'mismeasure' ? { ...base, wrong } : base);
  return feesView(world, account);
}
