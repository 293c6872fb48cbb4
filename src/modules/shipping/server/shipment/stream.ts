import { sql } from 'kysely';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { Fetched, StreamDef, StreamRun } from '#modules/marketplace/server/index.ts';
import { landShipments } from './land.ts';
import { readChanged, readNamed } from './read.ts';

/** More numbers than that are looked at in the next run. */
const MOST = 200;

/**
 * Shipments that are due for another look though nothing says that they changed: Amazon counts pieces in without touching
 * the shipment. Those on their way hourly, closed ones daily for 30 days, the ones that waited longest first.
 */
async function due({ runtime, account }: StreamRun, marketplaceId: string): Promise<string[]> {
  return inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    const { rows } = await sql<{ no: string }>`
      SELECT shipment_no AS no FROM shipping.fba_shipment
       WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} AND marketplace_id = ${marketplaceId}
         AND (status IN ('WORKING', 'READY_TO_SHIP', 'SHIPPED', 'IN_TRANSIT', 'DELIVERED', 'CHECKED_IN', 'RECEIVING')
              AND read_at < kit.now() - interval '1 hour'
              OR status = 'CLOSED' AND changed_at > kit.now() - interval '30 days'
              AND read_at < kit.now() - interval '1 day')
       ORDER BY read_at LIMIT ${MOST}`.execute(ctx.db);
    return rows.map(({ no }) => no);
  });
}

async function fetchShipments(run: StreamRun): Promise<Fetched> {
  const { account, marketplaceId, window, api } = run;
  if (marketplaceId === undefined) throw new Error('shipments are read per marketplace');
  const changed = await readChanged(api, marketplaceId, window.from, window.to);
  const seen = new Set(changed.map(({ shipmentNo }) => shipmentNo));
  const open = (await due(run, marketplaceId)).filter((no) => !seen.has(no));
  const facts = [...changed, ...(await readNamed(api, marketplaceId, open))];
  return { land: (ctx) => landShipments(ctx, account, marketplaceId, facts) };
}

/** Shipments to Amazon with what was received of them, whoever made them. */
export const fbaShipments: StreamDef = {
  code: 'shipping.shipments',
  title: 'FBA货件',
  scope: 'marketplace',
  cadenceSec: 1800,
  overlapSec: 900,
  safetyLagSec: 0,
  maxWindowSec: 30 * 86_400,
  historySec: 180 * 86_400,
  priority: 35,
  sloMin: 90,
  fetch: fetchShipments,
};
