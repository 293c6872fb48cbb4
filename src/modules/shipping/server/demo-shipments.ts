import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { type AccountRef, accountOf } from '#modules/marketplace/server/index.ts';
import { ShipInput } from '../contract/order.ts';
import { check, file, pay } from './claim/act.ts';
import { demoGoods, demoSend } from './demo.ts';
import { act, step } from './order/act.ts';
import { loaded, locked, type ShipOrder } from './order/load.ts';
import { putReceived } from './order/receive.ts';
import { saveOrder } from './order/save.ts';
import { landShipments } from './shipment/land.ts';
import type { ShipmentFact } from './shipment/read.ts';

/** The shipment that comes short. */
const SHORT = 'FBA18XH2L5B9';
const MISSING = 3;

/** Centres of the country that goods go to. */
const CENTERS: Readonly<Record<string, readonly [string, string]>> = { JP: ['NRT5', 'KIX3'], US: ['ONT8', 'ABE8'] };
const centersOf = (marketplaceId: string) => CENTERS[marketplaceOf(marketplaceId)?.country ?? ''] ?? ['FBA1', 'FBA2'];

/** An order as Amazon tells of its shipment: all that left, and what `received` says of each line. */
const factOf = (
  order: ShipOrder,
  status: string,
  received = order.lines.map((line) => line.received),
): ShipmentFact => ({
  shipmentNo: order.shipmentNo,
  name: `FBA STA ${order.number}`,
  center: centersOf(order.marketplaceId)[0],
  status,
  items: order.lines.map(({ msku, fnsku, shipped }, n) => ({ msku, fnsku, shipped, received: received[n] ?? 0 })),
});

/** What Amazon tells of the orders that are on their way. */
async function onTheWay(ctx: Ctx, account: AccountRef, marketplaceId: string): Promise<void> {
  const rows = await ctx.db
    .selectFrom('shipping.ship_order')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account.id)
    .where('marketplace_id', '=', marketplaceId)
    .where('state', 'in', ['shipped', 'receiving'])
    .where('shipment_no', '<>', '')
    .execute();
  const facts: ShipmentFact[] = [];
  for (const { id } of rows) {
    const order = await loaded(ctx, id);
    facts.push(factOf(order, order.state === 'receiving' ? 'RECEIVING' : 'IN_TRANSIT'));
  }
  await landShipments(ctx, account, marketplaceId, facts);
}

/** Shipments that somebody made in Seller Central: no order of ours has their pieces. */
async function strangers(
  ctx: Ctx,
  account: AccountRef,
  marketplaceId: string,
  mskus: readonly string[],
): Promise<void> {
  const fact = (shipmentNo: string, name: string, center: string, status: string, from: number): ShipmentFact => ({
    shipmentNo,
    name,
    center,
    status,
    items: mskus.slice(from, from + 2).map((msku, n) => ({ msku, fnsku: null, shipped: 24 + n * 12, received: 0 })),
  });
  const [near, far] = centersOf(marketplaceId);
  await landShipments(ctx, account, marketplaceId, [
    fact('FBA18XL6R1D3', '运营手工建货件 A', near, 'WORKING', 0),
    fact('FBA18XL6R1F8', '运营手工建货件 B', far, 'SHIPPED', 1),
  ]);
}

/** What became of each discrepancy: one was paid in part, one is claimed, the others wait for somebody to look. */
async function claims(ctx: Ctx, order: ShipOrder): Promise<void> {
  const { rows } = await sql<{ id: string; qty: number }>`
    SELECT id, qty FROM shipping.discrepancy WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} ORDER BY id`.execute(
    ctx.db,
  );
  for (const [n, { id }] of rows.slice(0, 2).entries()) {
    await check(ctx, { id, cause: 'AMAZON', remark: '发货称重与箱数无误，货代签收单已上传' });
    await file(ctx, { id, caseNo: `1847${205_631 + n}`, filedOn: ctx.clock.today() });
  }
  const [paid] = rows;
  const currency = marketplaceOf(order.marketplaceId)?.currency;
  if (!paid || !currency) return;
  // Yen have no hundredths.
  const amount = currency === 'JPY' ? '1860' : '12.40';
  await pay(ctx, { id: paid.id, reimbursementId: '9018273645', qty: 1, amount, currency, paidOn: null });
}

/** An order that Amazon closed with pieces of each SKU missing. */
async function short(ctx: Ctx, account: AccountRef, input: z.input<typeof ShipInput>): Promise<void> {
  const { id } = await saveOrder(ctx, ShipInput.parse(input));
  for (const one of ['submit', 'approve', 'picked'] as const) await act(ctx, one, { id });
  await demoSend(ctx, id, SHORT, 'YH2026118410');
  const sent = await loaded(ctx, id);
  const received = sent.lines.map((line) => line.shipped - MISSING);
  for (const status of ['RECEIVING', 'CLOSED']) {
    await landShipments(ctx, account, sent.marketplaceId, [factOf(sent, status, received)]);
  }
  await putReceived(ctx, {
    id,
    lines: sent.lines.map((line, n) => ({ lineId: line.id, total: received[n] ?? 0 })),
  });
  await step(ctx, await locked(ctx, id), 'shut');
  await claims(ctx, sent);
}

/**
 * What Amazon tells of the demo's shipments, as its answers are landed: those on their way, two that nobody ordered, and one
 * that came short and is claimed.
 */
export async function demoShipments(ctx: Ctx): Promise<void> {
  const place = await demoGoods(ctx);
  if (!place) return;
  const { warehouseId, goods } = place;
  const [{ account: authid, marketplaceId }] = goods;
  const account = await accountOf(ctx.db, ctx.companyId, authid);
  if (!account) return;
  await onTheWay(ctx, account, marketplaceId);
  await strangers(
    ctx,
    account,
    marketplaceId,
    goods.map(({ msku }) => msku),
  );
  const lines = goods.slice(-3).map(({ msku }, n) => ({ msku, qty: 10 + n * 2, boxQty: null }));
  await short(ctx, account, {
    authid,
    marketplaceId,
    warehouseId,
    transport: 'SEA',
    plannedOn: ctx.clock.today(),
    lines,
  });
}
