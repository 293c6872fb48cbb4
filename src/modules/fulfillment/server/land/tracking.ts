import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { ApiRefused, type SpApi } from '#modules/marketplace/server/index.ts';
import { type ReadTracking, readTracking } from '../amazon/tracking.ts';

/** A package that has left and is not known to be there. */
export interface OpenPackage {
  mcf_id: string;
  package_number: number;
}

/** Carriers are asked of parcels of the last weeks; later nobody tells anything new. */
const ASKED_DAYS = 45;

/** Packages under way, those of one order or those of an account that were asked for longest ago. */
export async function openPackages(
  ctx: Ctx,
  of: { accountId: string; mcfId?: string },
  limit: number,
): Promise<OpenPackage[]> {
  const { rows } = await sql<OpenPackage>`
    SELECT p.mcf_id, p.package_number
      FROM fulfillment.mcf_package AS p
      JOIN fulfillment.mcf_order AS o ON o.company_id = p.company_id AND o.id = p.mcf_id
     WHERE p.company_id = ${ctx.companyId} AND p.delivered_at IS NULL AND o.account_id = ${of.accountId}
       AND (${of.mcfId ?? null}::uuid IS NULL OR p.mcf_id = ${of.mcfId ?? null}::uuid)
       AND (p.tracked_at IS NULL OR o.read_at > kit.now() - make_interval(days => ${ASKED_DAYS}::int))
     ORDER BY p.tracked_at NULLS FIRST, p.package_number LIMIT ${limit}`.execute(ctx.db);
  return rows.map((row) => ({ ...row, package_number: Number(row.package_number) }));
}

/** What carriers tell of packages; one that Amazon does not know yet is left out. */
export async function askPackages(
  api: SpApi,
  packages: readonly OpenPackage[],
): Promise<{ at: OpenPackage; read: ReadTracking }[]> {
  const told: { at: OpenPackage; read: ReadTracking }[] = [];
  for (const at of packages) {
    try {
      told.push({ at, read: await readTracking(api, at.package_number) });
    } catch (error) {
      if (!(error instanceof ApiRefused)) throw error;
    }
  }
  return told;
}

/** Takes over what carriers told; an order is delivered with the last of its packages. Repeatable. */
export async function landTracking(ctx: Ctx, told: readonly { at: OpenPackage; read: ReadTracking }[]): Promise<void> {
  for (const { at, read } of told) {
    await sql`
      UPDATE fulfillment.mcf_package
         SET status = ${read.status}, events = ${JSON.stringify(read.events)}::jsonb,
             delivered_at = ${read.deliveredAt}::timestamptz, tracked_at = kit.now()
       WHERE company_id = ${ctx.companyId} AND mcf_id = ${at.mcf_id} AND package_number = ${at.package_number}`.execute(
      ctx.db,
    );
  }
  const ids = [...new Set(told.map(({ at }) => at.mcf_id))];
  if (ids.length === 0) return;
  await sql`
    UPDATE fulfillment.mcf_order AS o
       SET delivered_at = CASE WHEN p.open = 0 THEN p.last END
      FROM (SELECT mcf_id, count(*) FILTER (WHERE delivered_at IS NULL) AS open, max(delivered_at) AS last
              FROM fulfillment.mcf_package WHERE company_id = ${ctx.companyId} AND mcf_id = ANY (${ids}::uuid[])
             GROUP BY mcf_id) AS p
     WHERE o.company_id = ${ctx.companyId} AND o.id = p.mcf_id`.execute(ctx.db);
}
