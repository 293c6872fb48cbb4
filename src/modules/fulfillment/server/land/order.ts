import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { shipmentOf } from '#modules/channel/server/index.ts';
import type { McfState } from '../../contract/states.ts';
import { shownOf } from '../address.ts';
import type { ReadOrder, ReadPackage } from '../amazon/read.ts';
import { lockByNumber } from '../write/load.ts';

/** States in which an order stays, whatever was asked of it. */
const OVER: readonly McfState[] = ['COMPLETE', 'PARTIAL', 'CANCELLED', 'UNFULFILLABLE', 'INVALID'];

/** What an order is made of where Amazon knows it and nobody here wrote it: its recipient stays at Amazon. */
async function insertForeign(ctx: Ctx, accountId: string, read: ReadOrder): Promise<string> {
  const row = await ctx.db
    .insertInto('fulfillment.mcf_order')
    .values({
      company_id: ctx.companyId,
      account_id: accountId,
      marketplace_id: read.marketplaceId,
      number: read.number,
      origin: 'AMAZON',
      platform: 'OTHER',
      order_no: read.orderNo.slice(0, 40) || read.number,
      ordered_at: read.orderedAt,
      state: read.state,
      speed: read.speed,
      policy: read.policy,
      hold: read.hold,
      blank_box: read.blankBox,
      comment: read.comment,
      ...shownOf(read),
      lead_sku: read.lines[0]?.sku ?? '',
      line_count: Math.max(1, read.lines.length),
      units: read.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

async function landLines(ctx: Ctx, id: string, read: ReadOrder): Promise<void> {
  for (const [index, line] of read.lines.entries()) {
    await sql`
      INSERT INTO fulfillment.mcf_line AS l (company_id, mcf_id, line_no, item_id, seller_sku, quantity, cancelled, unfulfillable)
      VALUES (${ctx.companyId}, ${id}, ${index + 1}, ${line.itemId}, ${line.sku}, ${line.quantity}, ${line.cancelled},
              ${line.unfulfillable})
      ON CONFLICT (company_id, mcf_id, line_no) DO UPDATE
         SET item_id = excluded.item_id, seller_sku = excluded.seller_sku, quantity = excluded.quantity,
             cancelled = excluded.cancelled, unfulfillable = excluded.unfulfillable`.execute(ctx.db);
  }
}

async function landPackages(ctx: Ctx, id: string, packages: readonly ReadPackage[]): Promise<void> {
  for (const one of packages) {
    await sql`
      INSERT INTO fulfillment.mcf_package AS p
        (company_id, mcf_id, package_number, shipment_id, carrier, tracking_number, units, shipped_at, estimated_arrival_at)
      VALUES (${ctx.companyId}, ${id}, ${one.packageNumber}, ${one.shipmentId}, ${one.carrier}, ${one.trackingNumber},
              ${one.units}, ${one.shippedAt}, ${one.arrivalAt})
      ON CONFLICT (company_id, mcf_id, package_number) DO UPDATE
         SET carrier = excluded.carrier, tracking_number = excluded.tracking_number, units = excluded.units,
             shipped_at = excluded.shipped_at, estimated_arrival_at = excluded.estimated_arrival_at`.execute(ctx.db);
  }
}

const total = (read: ReadOrder, key: 'quantity' | 'cancelled' | 'unfulfillable'): number =>
  read.lines.reduce((sum, line) => sum + line[key], 0);

/**
 * Takes over how an order stands at Amazon, with its lines and packages; one that was made elsewhere begins here. Told to the
 * platform that it came from when it leaves. Returns its id and whether it is new. Repeatable.
 */
export async function landOrder(ctx: Ctx, accountId: string, read: ReadOrder): Promise<{ id: string; isNew: boolean }> {
  const known = await lockByNumber(ctx, accountId, read.number);
  const id = known?.id ?? (await insertForeign(ctx, accountId, read));
  await landLines(ctx, id, read);
  await landPackages(ctx, id, read.packages);
  const isOver = OVER.includes(read.state);
  const cancelling = known?.cancelling === true && !isOver;
  const first = read.packages.find(({ trackingNumber }) => trackingNumber !== null);
  const shipped = read.packages.flatMap(({ shippedAt }) => shippedAt ?? []).sort();
  // A refused cancellation stays to be read; any other reason is answered by what Amazon shows.
  const isAnswered = known?.state === 'REFUSED' || known?.state === 'UNKNOWN' || known?.state === 'SUBMITTING';
  await ctx.db
    .updateTable('fulfillment.mcf_order')
    .set({
      state: cancelling ? 'CANCELLING' : read.state,
      cancelling,
      amazon_status: read.status,
      amazon_status_at: read.statusAt,
      hold: read.hold,
      speed: read.speed,
      units: total(read, 'quantity'),
      cancelled_units: total(read, 'cancelled'),
      unfulfillable_units: total(read, 'unfulfillable'),
      package_count: read.packages.length,
      tracking_number: first?.trackingNumber ?? null,
      estimated_arrival_at:
        read.packages
          .flatMap(({ arrivalAt }) => arrivalAt ?? [])
          .sort()
          .at(-1) ?? read.arrivalAt,
      shipped_at: shipped[0] ?? null,
      read_at: sql<string>`kit.now()`,
      ...(isAnswered ? { problem: null } : {}),
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  if (known && first?.trackingNumber && known.tracking_number !== first.trackingNumber) {
    await shipmentOf(ctx, {
      platform: known.platform,
      orderNo: known.order_no,
      carrier: first.carrier,
      trackingNumber: first.trackingNumber,
      shippedAt: first.shippedAt,
    });
  }
  return { id, isNew: !known };
}
