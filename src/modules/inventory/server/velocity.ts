import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';

/** Units sold of one SKU in a marketplace in its last 30 days. */
export interface Units30 {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  units30: number;
}

/** Who knows what was sold; a module above that keeps sales figures registers itself. */
export interface SalesVelocity {
  /**
   * A SELECT over the caller's company of (account_id uuid, marketplace_id text, seller_sku text, units30 int): at most
   * one row per SKU; none, or 0, for one that did not sell. `skus` is a SELECT of the SKUs that are asked for, where not all are.
   */
  units30: (ctx: Ctx, skus?: RawBuilder<unknown>) => RawBuilder<Units30>;
}

export const salesVelocity = extensionPoint<SalesVelocity>('inventory.salesVelocity');

const NOBODY = sql<Units30>`
  SELECT NULL::uuid AS account_id, NULL::text AS marketplace_id, NULL::text AS seller_sku, NULL::int AS units30
   WHERE false`;

/** The figures of whoever registered, or no rows. `known` is false where nobody did: cover then cannot be told. */
export function velocityOf(ctx: Ctx, skus?: RawBuilder<unknown>): { known: boolean; select: RawBuilder<Units30> } {
  const [provider] = extensionsOf(ctx.runtime.modules, salesVelocity);
  return provider ? { known: true, select: provider.units30(ctx, skus) } : { known: false, select: NOBODY };
}
