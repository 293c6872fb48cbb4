import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { BoxMark } from '../../contract/receipt/receipt.ts';
import type { ShipOrder } from '../order/load.ts';
import { type ShipmentOfOrder, shipmentsOf } from '../shipment/of-order.ts';
import type { Counted, SentBox } from './share.ts';

/** Orders in these states have left. */
export const LEFT: readonly string[] = ['shipped', 'receiving', 'done'];

/** A box as it left, with what people know of it. */
export interface KnownBox extends SentBox {
  shipmentNo: string;
  amazonBoxId: string | null;
  /** Its own number, else that of the freight bill of its shipment, else that of the order. */
  trackingNo: string;
  /** cm; empty where nobody measured it. */
  size: string;
  /** kg. */
  weight: string | null;
  lines: { lineId: string; msku: string; qty: number }[];
  mark: BoxMark;
  deliveredOn: string | null;
  remark: string;
  version: number;
  updatedByName: string;
}

/** Boxes that went together, with what Amazon received of them. */
export interface Sent {
  shipmentNo: string;
  counted: Counted;
  boxes: KnownBox[];
}

interface Row {
  no: number;
  shipmentNo: string | null;
  amazonBoxId: string | null;
  trackingNo: string;
  size: string | null;
  weight: string | null;
  lines: { lineId: string; msku: string; qty: number; came: number | null }[];
  state: Exclude<BoxMark, 'AUTO'> | null;
  deliveredOn: string | null;
  remark: string | null;
  version: number | null;
  updatedByName: string | null;
}

async function rowsOf(ctx: Ctx, order: ShipOrder): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT b.box_no AS no, p.shipment_no AS "shipmentNo", b.amazon_box_id AS "amazonBoxId",
           coalesce(nullif(b.tracking_no, ''), nullif(p.freight_bill, ''), ${order.trackingNo}) AS "trackingNo",
           concat_ws(' × ', trim_scale(b.length), trim_scale(b.width), trim_scale(b.height)) AS size, b.weight::text,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('lineId', i.line_id, 'msku', l.msku, 'qty', i.qty, 'came', c.qty)
                                      ORDER BY l.line_no), '[]')
              FROM shipping.box_item AS i
              JOIN shipping.ship_order_line AS l ON l.company_id = i.company_id AND l.id = i.line_id
              LEFT JOIN shipping.box_receipt_item AS c ON c.company_id = i.company_id AND c.order_id = i.order_id
                AND c.box_no = i.box_no AND c.line_id = i.line_id
             WHERE i.company_id = b.company_id AND i.order_id = b.order_id AND i.box_no = b.box_no) AS lines,
           r.state, r.delivered_on AS "deliveredOn", r.remark, r.version, r.updated_by_name AS "updatedByName"
      FROM shipping.box AS b
      LEFT JOIN shipping.inbound_shipment AS p ON p.company_id = b.company_id AND p.order_id = b.order_id
        AND p.shipment_id = b.shipment_id
      LEFT JOIN shipping.box_receipt AS r ON r.company_id = b.company_id AND r.order_id = b.order_id AND r.box_no = b.box_no
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${order.id} ORDER BY b.box_no`.execute(ctx.db);
  return rows;
}

function marked({ state, lines }: Row): SentBox['marked'] {
  if (state === null) return null;
  if (state === 'MISSING') return new Map();
  return new Map(lines.map(({ msku, qty, came }) => [msku, state === 'RECEIVED' ? qty : (came ?? 0)]));
}

const boxOf = (row: Row, shipmentNo: string): KnownBox => ({
  no: row.no,
  shipmentNo,
  amazonBoxId: row.amazonBoxId,
  trackingNo: row.trackingNo,
  size: row.size ?? '',
  weight: row.weight === null ? null : plainDecimal(row.weight),
  items: new Map(row.lines.map(({ msku, qty }) => [msku, qty])),
  lines: row.lines.map(({ lineId, msku, qty }) => ({ lineId, msku, qty })),
  delivered: row.deliveredOn !== null,
  marked: marked(row),
  mark: row.state ?? 'AUTO',
  deliveredOn: row.deliveredOn,
  remark: row.remark ?? '',
  version: row.version ?? 0,
  updatedByName: row.updatedByName ?? '',
});

/** What Amazon says of a shipment. */
function countedOf({ status, items }: ShipmentOfOrder): Counted {
  const received = new Map(items.map((item) => [item.msku, item.received]));
  const begun = status === 'RECEIVING' || items.some((item) => item.received > 0);
  return { received, stage: status === 'CLOSED' ? 'closed' : begun ? 'counting' : 'away' };
}

/** What people wrote down of an order whose shipments Amazon has not told of. */
const writtenOf = ({ lines, state }: ShipOrder): Counted => ({
  received: new Map(lines.map((line) => [line.msku, line.received])),
  stage: state === 'done' ? 'closed' : lines.some((line) => line.received > 0) ? 'counting' : 'away',
});

const NOTHING: Counted = { received: new Map(), stage: 'away' };

/**
 * The boxes of an order by shipment, with what Amazon received of each. Boxes of which nobody said where they go are in the
 * shipment that was written down, else in the only one there is.
 */
export async function sentBoxes(ctx: Ctx, order: ShipOrder): Promise<Sent[]> {
  const told = await shipmentsOf(ctx, order);
  const [only] = told;
  const home = order.shipmentNo || (told.length === 1 ? (only?.shipmentNo ?? '') : '');
  const boxes = (await rowsOf(ctx, order)).map((row) => boxOf(row, row.shipmentNo ?? home));
  if (told.length === 0) return [{ shipmentNo: home, counted: writtenOf(order), boxes }];
  const facts = new Map(told.map((one) => [one.shipmentNo, countedOf(one)]));
  const numbers = [...new Set([...boxes.map(({ shipmentNo }) => shipmentNo), ...facts.keys()])];
  return numbers.map((shipmentNo) => ({
    shipmentNo,
    counted: facts.get(shipmentNo) ?? NOTHING,
    boxes: boxes.filter((box) => box.shipmentNo === shipmentNo),
  }));
}
