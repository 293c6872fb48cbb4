import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import type { ShipBox } from '../../contract/box/box.ts';
import type { Changed, scanIntoBox } from '../../contract/box/calls.ts';
import { meantLine } from '../../contract/box/codes.ts';

import { loaded } from '../order/load.ts';
import { boxOf, changed, noteScan, type PackedOrder, packing, scanBefore, unchanged } from './hold.ts';
import { packLines } from './task.ts';

interface Line {
  id: string;
  msku: string;
  picked: number;
  boxed: number;
}

/** A line with what of it lies in boxes; undefined for none of this order. */
async function lineOf(ctx: Ctx, orderId: string, id: string): Promise<Line | undefined> {
  const { rows } = await sql<Line>`
    SELECT l.id, l.msku, l.picked_qty AS picked, coalesce((
             SELECT sum(i.qty) FROM shipping.box_item AS i
              WHERE i.company_id = l.company_id AND i.order_id = l.order_id AND i.line_id = l.id), 0)::int AS boxed
      FROM shipping.ship_order_line AS l
     WHERE l.company_id = ${ctx.companyId} AND l.order_id = ${orderId} AND l.id = ${id}`.execute(ctx.db);
  return rows[0];
}

/** @throws refused B1351 for a code of no line */
async function lineOfCode(ctx: Ctx, order: PackedOrder, box: ShipBox, code: string): Promise<string> {
  const lines = await packLines(ctx, await loaded(ctx, order.id));
  const found = meantLine(lines, code);
  if (found) return found.lineId;
  const [inside] = box.items;
  const wanted = order.packType === 'CASE' && inside ? lines.find((line) => line.lineId === inside.lineId) : undefined;
  throw refused(wanted ? `商品不匹配：应为 ${wanted.msku}` : `商品不匹配：【${code}】不在本单中`, 'B1351');
}

/** @throws refused B1351 more than was picked or than lies in the box, or another SKU in a case */
async function requireRoom(ctx: Ctx, order: PackedOrder, box: ShipBox, line: Line, qty: number): Promise<void> {
  const inBox = box.items.find((item) => item.lineId === line.id)?.qty ?? 0;
  if (inBox + qty < 0) throw refused(`第 ${box.no} 箱只有 ${inBox} 件【${line.msku}】`, 'B1351');
  if (line.boxed + qty > line.picked) {
    const left = line.picked - line.boxed;
    throw refused(
      left === 0 ? `SKU【${line.msku}】已全部装箱，共 ${line.picked} 件` : `SKU【${line.msku}】还可装 ${left} 件`,
      'B1351',
      { line: line.id, most: left },
    );
  }
  const other = box.items.find((item) => item.lineId !== line.id);
  if (qty > 0 && order.packType === 'CASE' && other) {
    const wanted = await lineOf(ctx, order.id, other.lineId);
    throw refused(`商品不匹配：应为 ${wanted?.msku ?? ''}`, 'B1351');
  }
}

async function put(ctx: Ctx, order: PackedOrder, no: number, lineId: string, qty: number): Promise<void> {
  await sql`
    MERGE INTO shipping.box_item AS i
    USING (VALUES (${ctx.companyId}::uuid, ${order.id}::uuid, ${no}::int, ${lineId}::uuid, ${qty}::int))
          AS v(company_id, order_id, box_no, line_id, qty)
       ON i.company_id = v.company_id AND i.order_id = v.order_id AND i.box_no = v.box_no AND i.line_id = v.line_id
     WHEN MATCHED AND i.qty + v.qty = 0 THEN DELETE
     WHEN MATCHED THEN UPDATE SET qty = i.qty + v.qty
     WHEN NOT MATCHED THEN INSERT (company_id, order_id, box_no, line_id, qty)
          VALUES (v.company_id, v.order_id, v.box_no, v.line_id, v.qty)`.execute(ctx.db);
  await sql`
    UPDATE shipping.box SET label_printed_at = NULL
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND box_no = ${no} AND label_printed_at IS NOT NULL`.execute(
    ctx.db,
  );
}

/**
 * Puts pieces into one box, below 0 takes them out. However many packers scan at once, never more of a line lies in boxes
 * than was picked: they take turns at the order's row. A scan that came before by its `clientId` changes nothing.
 * @throws refused B1351, notFound for a box or line that is not there, conflict for a shut box or another state
 */
export async function scanBox(ctx: Ctx, input: z.output<typeof scanIntoBox.body>): Promise<Changed> {
  const order = await packing(ctx, input.id);
  if ((await scanBefore(ctx, order, input.clientId)) !== undefined) {
    return unchanged(ctx, order, input.boxNo, DONE_BEFORE);
  }
  const box = await boxOf(ctx, order, input.boxNo, true);
  const id = input.lineId ?? (await lineOfCode(ctx, order, box, input.code ?? ''));
  const line = await lineOf(ctx, order.id, id);
  if (!line) throw refused('明细行不存在，请刷新后重试', 'B1351');
  await requireRoom(ctx, order, box, line, input.qty);
  await put(ctx, order, box.no, line.id, input.qty);
  await noteScan(ctx, order, { clientId: input.clientId, boxNo: box.no, lineId: line.id, qty: input.qty });
  const words = input.qty > 0 ? `装入第 ${box.no} 箱` : `从第 ${box.no} 箱取出`;
  return changed(ctx, order, box.no, `【${line.msku}】${words} ${Math.abs(input.qty)} 件`);
}
