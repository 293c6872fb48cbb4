import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { event } from '#kit/server/events.ts';
import type { ShipmentState } from '../../contract/acts.ts';

/** Packages of an account that were reported as sent stand elsewhere than before; told in the transaction that notes it. */
export const packagesMoved = event<{ accountId: string }>('order.packagesMoved');

/** Where a package stands, and why, in Chinese, where it does not go on. */
export interface PackageStand {
  state: ShipmentState;
  problem: string | null;
}

/** Where packages stand, by the write that reported each; one that is not known is absent. */
export async function packagesOf(ctx: Ctx, writes: readonly string[]): Promise<Map<string, PackageStand>> {
  if (writes.length === 0) return new Map();
  const { rows } = await sql<PackageStand & { write: string }>`
    SELECT write_id AS write, state, problem FROM "order".shipment
     WHERE company_id = ${ctx.companyId} AND write_id = ANY (${[...writes]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map(({ write, ...stand }) => [write, stand]));
}

/** Whether the package that a write (a column, or null) reported counts as sent: the marketplace has it, or may have it. */
export function packageCounts(companyId: RawBuilder<unknown>, write: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`EXISTS (SELECT FROM "order".shipment sent WHERE sent.company_id = ${companyId}
    AND sent.write_id = ${write} AND sent.state IN ('queued', 'accepted', 'unknown', 'confirmed'))`;
}

/** The state of the package that a write (a column, or null) reported, as a column; null where there is none. */
export function packageState(
  companyId: RawBuilder<unknown>,
  write: RawBuilder<unknown>,
): RawBuilder<ShipmentState | null> {
  return sql<ShipmentState | null>`(SELECT sent.state FROM "order".shipment sent
    WHERE sent.company_id = ${companyId} AND sent.write_id = ${write})`;
}
