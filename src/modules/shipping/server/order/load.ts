import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { DocumentRow } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Owner, PackType, StockMode, Transport } from '../../contract/fields.ts';

export const TABLE = 'shipping.ship_order';

/** A local product in one piece of a line. */
export interface Part {
  id: string;
  line: string;
  product: string;
  qtyPer: number;
}

export interface ShipLine {
  id: string;
  lineNo: number;
  msku: string;
  fnsku: string | null;
  asin: string | null;
  title: string;
  image: string | null;
  qty: number;
  picked: number;
  shipped: number;
  received: number;
  lost: number;
  boxQty: number | null;
  labelOwner: Owner;
  prepOwner: Owner;
  expiresOn: string | null;
}

/** A ship order as its rules see it. */
export interface ShipOrder extends DocumentRow {
  number: string;
  account: string;
  marketplaceId: string;
  warehouse: string;
  /** Amazon's stock that it goes to, once it is on its way. */
  toWarehouse: string | null;
  addressId: string | null;
  packType: PackType;
  transport: Transport;
  stockMode: StockMode;
  plannedOn: string | null;
  shipmentNo: string;
  carrier: string;
  /** What it is booked with. */
  channelId: string | null;
  trackingNo: string;
  remark: string;
  createdBy: string | null;
  createdByName: string;
  updatedByName: string;
  lines: ShipLine[];
  parts: Part[];
}

async function partsOf(ctx: Ctx, id: string): Promise<Part[]> {
  const { rows } = await sql<Part>`
    SELECT p.id, p.line_id AS line, p.product_id AS product, p.qty_per AS "qtyPer"
      FROM shipping.ship_order_part AS p
      JOIN shipping.ship_order_line AS l ON l.company_id = p.company_id AND l.id = p.line_id
     WHERE p.company_id = ${ctx.companyId} AND p.order_id = ${id} ORDER BY l.line_no, p.product_id`.execute(ctx.db);
  return rows;
}

async function read(ctx: Ctx, id: string, lock: boolean): Promise<ShipOrder> {
  const { rows } = await sql<Omit<ShipOrder, 'lines' | 'parts'>>`
    SELECT id, number, state, version, account_id AS account, marketplace_id AS "marketplaceId",
           warehouse_id AS warehouse, to_warehouse_id AS "toWarehouse", address_id AS "addressId",
           pack_type AS "packType", transport, stock_mode AS "stockMode", planned_on AS "plannedOn",
           shipment_no AS "shipmentNo", carrier, channel_id AS "channelId", tracking_no AS "trackingNo", remark, created_by AS "createdBy",
           created_by_name AS "createdByName", updated_by_name AS "updatedByName"
      FROM shipping.ship_order
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  const [head] = rows;
  if (!head) throw notFound('发货单不存在或已删除');
  const lines = await sql<ShipLine>`
    SELECT id, line_no AS "lineNo", msku, fnsku, asin, title, image, qty, picked_qty AS picked, shipped_qty AS shipped,
           received_qty AS received, lost_qty AS lost, box_qty AS "boxQty", label_owner AS "labelOwner",
           prep_owner AS "prepOwner", expires_on AS "expiresOn"
      FROM shipping.ship_order_line
     WHERE company_id = ${ctx.companyId} AND order_id = ${id} ORDER BY line_no`.execute(ctx.db);
  return { ...head, lines: lines.rows, parts: await partsOf(ctx, id) };
}

/** The order with its row locked until the transaction ends. @throws notFound */
export const locked = (ctx: Ctx, id: string): Promise<ShipOrder> => read(ctx, id, true);

/** The order as it is now. @throws notFound */
export const loaded = (ctx: Ctx, id: string): Promise<ShipOrder> => read(ctx, id, false);

/** The carrier as an order keeps him: with the channel that it is booked with, if there is one. */
export const bookedName = ({ carrier, channel }: { carrier: string; channel: string }): string =>
  (channel === '' ? carrier : `${carrier} ${channel}`).slice(0, 100);
