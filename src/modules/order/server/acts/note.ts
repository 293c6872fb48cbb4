import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import { nowThere } from '../freshness.ts';
import type { ActOrder } from './orders.ts';
import { packagesMoved } from './packages.ts';
import { readBackLater } from './read-back.ts';

/** A package that the marketplace knows of already, as a label was bought from it. */
export interface KnownPackage {
  order: ActOrder;
  carrier: string;
  service: string;
  trackingNumber: string;
  items: readonly { orderItemId: string; quantity: number }[];
  /** The write by which it became known. */
  write: string;
}

/**
 * Notes a package that nobody has to report any more: what it holds counts as sent, and its order is read until it shows it.
 * The order is locked by the caller.
 */
export async function notePackage(ctx: Ctx, { order, write, ...said }: KnownPackage): Promise<void> {
  await ctx.db
    .insertInto('order.shipment')
    .values({
      company_id: ctx.companyId,
      selling_partner_id: order.selling_partner_id,
      amazon_order_id: order.amazon_order_id,
      account_id: order.account_id,
      marketplace_id: order.marketplace_id,
      reference: null,
      carrier_code: said.carrier,
      shipping_method: said.service || null,
      tracking_number: said.trackingNumber,
      shipped_at: (await nowThere(ctx.runtime)).toISOString(),
      items: JSON.stringify(said.items),
      state: 'accepted',
      accepted_at: sql<string>`kit.now()`,
      write_id: write,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .execute();
  await readBackLater(ctx, order.account_id);
  await emit(ctx, packagesMoved, { accountId: order.account_id });
}

/** A package whose label was called back: what it holds is to be sent again, unless the marketplace shows it as sent. */
export async function dropPackage(ctx: Ctx, write: string): Promise<void> {
  const { rows } = await sql<{ account: string }>`
    UPDATE "order".shipment SET state = 'cancelled', problem = '面单已作废'
     WHERE company_id = ${ctx.companyId} AND write_id = ${write} RETURNING account_id AS account`.execute(ctx.db);
  for (const { account } of rows) await emit(ctx, packagesMoved, { accountId: account });
}
