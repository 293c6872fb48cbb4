import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { moveSupplier, saveSupplier } from '#modules/supplier/server/index.ts';
import { FreightBillInput } from '../contract/freight/bill.ts';
import { saveCarrier } from '../contract/transport/calls.ts';
import { actBill } from './freight/bill/act.ts';
import { saveBill } from './freight/bill/save.ts';
import { putWay } from './order/way.ts';
import { detailOf } from './transport/carrier/detail.ts';
import { saveCarrierOf } from './transport/carrier/save.ts';

const CARRIER = '深圳远航货运代理';
const CHANNELS: Readonly<Record<string, string>> = { SEA: '美森正班海派', AIR: '美国空派' };

interface Sent {
  id: string;
  number: string;
  shipmentNo: string;
  trackingNo: string;
  transport: string;
}

/** Whom the carrier is paid by: a supplier of the same name. */
async function payee(ctx: Ctx, carrier: string): Promise<void> {
  const { row, form } = await detailOf(ctx, carrier);
  const { id } = await saveSupplier(ctx, {
    shortName: CARRIER,
    currency: 'CNY',
    invoiceType: 'normal',
    invoiceRate: '0.06',
  });
  await moveSupplier(ctx, { id, action: 'activate' });
  await saveCarrierOf(ctx, saveCarrier.body.parse({ ...form, id: row.id, version: row.version, supplierId: id }));
}

async function estimated(ctx: Ctx, order: string): Promise<string> {
  const { rows } = await sql<{ total: string }>`
    SELECT coalesce(sum(amount), 0)::text AS total FROM shipping.freight_charge
     WHERE company_id = ${ctx.companyId} AND order_id = ${order} AND bill_id IS NULL`.execute(ctx.db);
  return rows[0]?.total ?? '0';
}

/**
 * What the demo company's forwarder asks for what it sent: a bill that is booked, and one with a surcharge that nobody expected,
 * which waits for somebody to agree.
 */
export async function demoFreight(ctx: Ctx): Promise<void> {
  const carrier = await ctx.db
    .selectFrom('shipping.carrier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', CARRIER)
    .executeTakeFirst();
  if (!carrier) return;
  await payee(ctx, carrier.id);
  const { channels } = await detailOf(ctx, carrier.id);
  const { rows: orders } = await sql<Sent>`
    SELECT id, number, shipment_no AS "shipmentNo", tracking_no AS "trackingNo", transport FROM shipping.ship_order
     WHERE company_id = ${ctx.companyId} AND state IN ('shipped', 'receiving') AND carrier = ${CARRIER}
     ORDER BY id`.execute(ctx.db);
  for (const [n, { id, number, transport, shipmentNo, trackingNo }] of orders.entries()) {
    const channelId = channels.find((one) => one.name === CHANNELS[transport])?.id ?? null;
    await putWay(ctx, { id, carrier: CARRIER, shipmentNo, trackingNo, channelId });
    const expected = await estimated(ctx, id);
    if (new Decimal(expected).isZero()) continue;
    const lines = [
      { reference: shipmentNo || number, amount: new Decimal(expected).plus('0.01').toFixed(2) },
      ...(n === 0 ? [] : [{ reference: number, kind: 'SURCHARGE' as const, amount: '138.60', remark: '旺季附加费' }]),
    ];
    const input = { carrierId: carrier.id, billNo: `YH-${1107 + n}`, day: ctx.clock.today(), lines };
    const { id: bill } = await saveBill(ctx, FreightBillInput.parse(input));
    await actBill(ctx, 'submit', { id: bill });
    if (n === 0) await actBill(ctx, 'confirm', { id: bill });
  }
}
