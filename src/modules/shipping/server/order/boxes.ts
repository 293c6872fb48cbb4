import { sql } from 'kysely';
import type { z } from 'zod';
import type { Box } from '#kit/contract/box.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';
import type { putShipBoxes } from '../../contract/order-calls.ts';
import { outcome, requireFresh, requireState, touch } from './act.ts';
import { locked, type ShipOrder } from './load.ts';

/** The boxes of an order in the order of their numbers. */
export async function boxesOf(ctx: Ctx, id: string): Promise<Box[]> {
  const { rows } = await sql<Box>`
    SELECT b.length::text, b.width::text, b.height::text, b.weight::text,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('lineId', i.line_id, 'qty', i.qty) ORDER BY l.line_no), '[]')
              FROM shipping.box_item AS i
              JOIN shipping.ship_order_line AS l ON l.company_id = i.company_id AND l.id = i.line_id
             WHERE i.company_id = b.company_id AND i.order_id = b.order_id AND i.box_no = b.box_no) AS items
      FROM shipping.box AS b
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${id} ORDER BY b.box_no`.execute(ctx.db);
  return rows;
}

/** Pieces of each line that lie in boxes. */
export function packedByLine(boxes: readonly Box[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { lineId, qty } of boxes.flatMap((box) => box.items)) sums.set(lineId, (sums.get(lineId) ?? 0) + qty);
  return sums;
}

/** @throws refused B1312 where the boxes do not hold exactly what was picked */
export async function requirePacked(ctx: Ctx, order: ShipOrder): Promise<void> {
  const packed = packedByLine(await boxesOf(ctx, order.id));
  for (const line of order.lines) {
    const count = packed.get(line.id) ?? 0;
    if (count !== line.picked) {
      throw refused(`SKU【${line.msku}】装箱数 ${count} 与配货数 ${line.picked} 不一致`, 'B1312', { line: line.id });
    }
  }
}

/** @throws refused B1312 for pieces of another order, a line twice in a box, more than was picked, or a case that is mixed */
function requireFitting(order: ShipOrder, boxes: readonly Box[]): void {
  const known = new Map(order.lines.map((line) => [line.id, line]));
  for (const [index, { items }] of boxes.entries()) {
    const words = `第 ${index + 1} 箱`;
    if (new Set(items.map((item) => item.lineId)).size < items.length)
      throw refused(`${words}重复填写了同一个SKU`, 'B1312');
    if (order.packType === 'CASE' && items.length > 1) throw refused(`${words}：原箱发货每箱只装一个SKU`, 'B1312');
  }
  for (const [lineId, count] of packedByLine(boxes)) {
    const line = known.get(lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1312');
    if (count > line.picked)
      throw refused(`SKU【${line.msku}】装箱数 ${count} 超过配货数 ${line.picked}`, 'B1312', { line: line.id });
  }
}

async function write(ctx: Ctx, id: string, boxes: readonly Box[]): Promise<void> {
  await sql`DELETE FROM shipping.box WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
  const rows = boxes.map(({ items: _, ...box }, index) => ({ n: index + 1, ...box }));
  await sql`
    INSERT INTO shipping.box (company_id, order_id, box_no, length, width, height, weight)
    SELECT ${ctx.companyId}, ${id}, r.n, r.length, r.width, r.height, r.weight
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(n int, length numeric, width numeric, height numeric, weight numeric)`.execute(ctx.db);
  const items = boxes.flatMap((box, index) => box.items.map((item) => ({ n: index + 1, ...item })));
  await sql`
    INSERT INTO shipping.box_item (company_id, order_id, box_no, line_id, qty)
    SELECT ${ctx.companyId}, ${id}, r.n, r."lineId", r.qty
      FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS r(n int, "lineId" uuid, qty int)`.execute(ctx.db);
}

/**
 * Writes all boxes of an order that is being packed; what was written before is replaced. Fewer pieces than were picked may
 * be packed for the moment. Two people who pack at once do not overwrite each other: the second one's version is stale.
 * @throws conflict in another state or for a stale version, refused B1312
 */
export async function putBoxes(ctx: Ctx, input: z.output<typeof putShipBoxes.body>): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  requireFresh(order, input.version);
  requireState(order, 'packed');
  requireMove(ctx, order.warehouse);
  requireFitting(order, input.boxes);
  const before = (await boxesOf(ctx, order.id)).length;
  await write(ctx, order.id, input.boxes);
  await note(ctx, shipOrder.name, order.id, { kind: 'note', title: `装箱：${input.boxes.length} 箱` });
  await audit(ctx, {
    action: '发货单·装箱',
    resource: shipOrder.name,
    resourceId: order.id,
    before: { boxes: before },
    after: { number: order.number, boxes: input.boxes.length },
  });
  return outcome({ ...order, version: await touch(ctx, order.id) }, `已保存 ${input.boxes.length} 箱`);
}
