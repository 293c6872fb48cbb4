import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { Changed, putBox } from '../../contract/box/calls.ts';
import { noteBox, putMeasures } from './change.ts';
import { boxOf, changed, type PackedOrder, packing } from './hold.ts';

type Item = z.output<typeof putBox.body>['items'][number];

/** Lines of an order with what of them lies in other boxes than this one. */
async function roomBeside(ctx: Ctx, order: PackedOrder, no: number) {
  const { rows } = await sql<{ id: string; msku: string; room: number }>`
    SELECT l.id, l.msku, l.picked_qty - coalesce(sum(i.qty) FILTER (WHERE i.box_no <> ${no}), 0)::int AS room
      FROM shipping.ship_order_line AS l
      LEFT JOIN shipping.box_item AS i ON i.company_id = l.company_id AND i.order_id = l.order_id AND i.line_id = l.id
     WHERE l.company_id = ${ctx.companyId} AND l.order_id = ${order.id}
     GROUP BY l.company_id, l.id, l.msku, l.picked_qty`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws refused B1351 for lines of another order, a line twice, another SKU in a case, or more than was picked */
async function requireFitting(ctx: Ctx, order: PackedOrder, no: number, items: readonly Item[]): Promise<void> {
  if (new Set(items.map((item) => item.lineId)).size < items.length) {
    throw refused(`第 ${no} 箱重复填写了同一个SKU`, 'B1351');
  }
  if (order.packType === 'CASE' && items.length > 1) {
    throw refused(`第 ${no} 箱：原箱发货每箱只装一个SKU`, 'B1351');
  }
  const lines = await roomBeside(ctx, order, no);
  for (const { lineId, qty } of items) {
    const line = lines.get(lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1351');
    if (qty > line.room) throw refused(`SKU【${line.msku}】还可装 ${line.room} 件`, 'B1351', { line: lineId });
  }
}

/** Writes one box whole; the others stay as they are. @throws refused B1351, notFound, conflict for a shut box or another state */
export async function replaceBox(ctx: Ctx, input: z.output<typeof putBox.body>): Promise<Changed> {
  const order = await packing(ctx, input.id);
  const { no } = await boxOf(ctx, order, input.boxNo, true);
  await requireFitting(ctx, order, no, input.items);
  await sql`
    DELETE FROM shipping.box_item
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND box_no = ${no}`.execute(ctx.db);
  await sql`
    INSERT INTO shipping.box_item (company_id, order_id, box_no, line_id, qty)
    SELECT ${ctx.companyId}, ${order.id}, ${no}, r."lineId", r.qty
      FROM jsonb_to_recordset(${JSON.stringify(input.items)}::jsonb) AS r("lineId" uuid, qty int)`.execute(ctx.db);
  await sql`
    UPDATE shipping.box SET label_printed_at = NULL
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND box_no = ${no}`.execute(ctx.db);
  await putMeasures(ctx, order, no, input);
  await noteBox(ctx, order, '修改', await boxOf(ctx, order, no, false));
  return changed(ctx, order, no, `第 ${no} 箱已保存`);
}
