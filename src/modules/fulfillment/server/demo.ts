import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { McfWish } from '../contract/create.ts';
import { createMcf } from './write/save.ts';

const US = 'ATVPDKIKX0DER';

const BUYERS = [
  { name: 'J. Carter', line1: '500 Pine St', city: 'Seattle', region: 'WA', postalCode: '98101', country: 'US' },
  { name: 'M. Lopez', line1: '233 S Wacker Dr', city: 'Chicago', region: 'IL', postalCode: '60601', country: 'US' },
] as const;

/**
 * Two orders of the demo's own shop that Amazon sends: one on its way, whose parcel is told to the shop, and one that is held.
 * Answers false as long as nothing lies at Amazon.
 */
export async function demoMcf(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{ account_id: string; sku: string }>`
    SELECT account_id, seller_sku AS sku FROM inventory.fba_stock
     WHERE company_id = ${ctx.companyId} AND marketplace_id = ${US} ORDER BY fulfillable DESC, seller_sku LIMIT 2`.execute(
    ctx.db,
  );
  const [first, second] = rows;
  if (!first || !second) return false;
  const wish = (nth: 0 | 1, more: Pick<McfWish, 'orderNo' | 'speed' | 'hold' | 'lines'>): McfWish => ({
    site: `${US}-${first.account_id}`,
    platform: 'SHOPIFY',
    policy: 'FillOrKill',
    blankBox: nth === 0,
    ...BUYERS[nth],
    ...more,
  });
  const goes = wish(0, { orderNo: '#1003', speed: 'EXPEDITED', hold: false, lines: [{ sku: first.sku, quantity: 2 }] });
  const lines = [first, second].map(({ sku }) => ({ sku, quantity: 1 }));
  const held = wish(1, { orderNo: '#1007', speed: 'STANDARD', hold: true, lines });
  for (const one of [goes, held]) await createMcf(ctx, { ...one, draft: false });
  return true;
}
