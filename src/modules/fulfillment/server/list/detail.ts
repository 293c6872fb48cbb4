import { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { productInfo, productKey } from '#modules/listing/server/index.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { McfDetail, McfPackage } from '../../contract/orders.ts';
import { EVENT_WORDS, PackageState, type Policy } from '../../contract/states.ts';
import { type McfCells, mcfCells, rowOf } from './rows.ts';

async function linesOf(ctx: Ctx, order: McfCells): Promise<McfDetail['lines']> {
  const rows = await ctx.db
    .selectFrom('fulfillment.mcf_line')
    .select(['line_no', 'seller_sku', 'quantity', 'cancelled', 'unfulfillable'])
    .where('company_id', '=', ctx.companyId)
    .where('mcf_id', '=', order.id)
    .orderBy('line_no')
    .execute();
  const keyOf = (sellerSku: string) => ({
    accountId: order.account_id,
    marketplaceId: order.marketplace_id,
    sellerSku,
  });
  const products = await productInfo(
    ctx,
    rows.map((row) => keyOf(row.seller_sku)),
  );
  return rows.map((row) => ({
    id: String(row.line_no),
    product: products.get(productKey(keyOf(row.seller_sku))) ?? { name: '', code: row.seller_sku, image: null },
    quantity: row.quantity,
    cancelled: row.cancelled,
    unfulfillable: row.unfulfillable,
  }));
}

/** As packages keep what carriers told. */
const StoredEvents = z.array(z.object({ at: z.string(), code: z.string(), words: z.string() }));

function statusOf(status: string | null): PackageState {
  if (status === null) return 'NONE';
  return PackageState.options.find((known) => known === status) ?? 'OTHER';
}

async function packagesOf(ctx: Ctx, id: string): Promise<McfPackage[]> {
  const rows = await ctx.db
    .selectFrom('fulfillment.mcf_package')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('mcf_id', '=', id)
    .orderBy('package_number')
    .execute();
  return rows.map((row) => ({
    id: String(row.package_number),
    carrier: row.carrier,
    tracking: row.tracking_number,
    status: statusOf(row.status),
    units: row.units,
    shippedAt: row.shipped_at,
    arrivalAt: row.estimated_arrival_at,
    deliveredAt: row.delivered_at,
    events: StoredEvents.parse(row.events).map(({ at, code, words }, index) => ({
      id: String(index),
      at,
      words: EVENT_WORDS[code] ?? words,
    })),
  }));
}

/** One order with its lines, packages and what carriers tell; nothing here says who gets it. @throws 404 */
export async function mcfDetailOf(ctx: Ctx, id: string): Promise<McfDetail> {
  const cells = await mcfCells(ctx, id);
  if (!cells) throw notFound('多渠道订单不存在');
  return {
    ...rowOf(cells, await storeNames(ctx)),
    policy: cells.policy as Policy,
    hold: cells.hold,
    blankBox: cells.blank_box,
    comment: cells.comment,
    fromErp: cells.origin === 'ERP',
    readAt: cells.read_at,
    lines: await linesOf(ctx, cells),
    parcels: await packagesOf(ctx, id),
  };
}
