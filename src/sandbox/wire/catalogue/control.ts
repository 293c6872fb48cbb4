import { randomUUID } from 'node:crypto';
import type { SimAccount } from '../../business/types.ts';
import type { World } from '../world.ts';
import { attributesOf } from './shown.ts';

type Fields = Record<string, unknown>;

/**
 * What a test does to a listing: `settings` with `delayMs: [least, most]` says how long submissions take from now on;
 * `change` with `marketplaceId`, `sku` and `attributes` (null takes one away) is what somebody does in Seller Central, which
 * holds at once.
 */
export function listingControl(world: World, account: SimAccount | undefined, fields: Fields): object {
  if (fields.action === 'settings') {
    const [low, high] = Array.isArray(fields.delayMs) ? fields.delayMs.map(Number) : [];
    if (!(Number(low) >= 0) || !(Number(high) >= Number(low))) throw new Error('delayMs: two numbers are expected.');
    world.command({ type: 'listingDelay', delayMs: [Number(low), Number(high)] });
    return { delayMs: world.edits.delayMs };
  }
  if (fields.action !== 'change' || !account) throw new Error('action: one of settings, change is expected.');
  const { sellingPartnerId, region } = account;
  const [marketplaceId, sku] = [String(fields.marketplaceId), String(fields.sku)];
  const find = () => world.listings(account, marketplaceId, world.now()).find(({ product }) => product.sku === sku);
  const listing = find();
  if (!listing) throw new Error('The seller has no such listing there.');
  const submissionId = randomUUID().replaceAll('-', '');
  const said = { productType: listing.product.productType, attributes: { ...(fields.attributes as object) } };
  const askedAt = world.throttleClock.now();
  const place = { sellingPartnerId, region, marketplaceId, sku };
  world.command({ type: 'listingSaid', submissionId, ...place, askedAt, takesMs: 0, said });
  world.command({ type: 'listingDone', submissionId, at: world.now() });
  return { attributes: attributesOf(world, find() ?? listing, world.now()) };
}
