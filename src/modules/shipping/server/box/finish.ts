import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { ShipBox } from '../../contract/box/box.ts';
import { boxesOf, checkedBoxes, packedByLine } from '../order/boxes.ts';
import type { ShipOrder } from '../order/load.ts';
import { boxRulesOf } from './templates.ts';

/**
 * Numbers the boxes from 1 without a gap: a carton label says which of how many it is. The label of a box that moves up is
 * to be printed anew.
 */
async function closeGaps(ctx: Ctx, id: string, boxes: readonly ShipBox[]): Promise<void> {
  // Upwards and one by one: the number that a box moves to is free by then.
  for (const [index, { no }] of boxes.entries()) {
    if (no === index + 1) continue;
    await sql`
      INSERT INTO shipping.box (company_id, order_id, box_no, length, width, height, weight, template_id, closed_at)
      SELECT company_id, order_id, ${index + 1}, length, width, height, weight, template_id, closed_at FROM shipping.box
       WHERE company_id = ${ctx.companyId} AND order_id = ${id} AND box_no = ${no}`.execute(ctx.db);
    await sql`
      UPDATE shipping.box_item SET box_no = ${index + 1}
       WHERE company_id = ${ctx.companyId} AND order_id = ${id} AND box_no = ${no}`.execute(ctx.db);
    await sql`
      DELETE FROM shipping.box WHERE company_id = ${ctx.companyId} AND order_id = ${id} AND box_no = ${no}`.execute(
      ctx.db,
    );
  }
}

/** @throws refused B1354 for boxes that their site does not take, where the company keeps its rules strictly */
export async function requireTaken(ctx: Ctx, order: ShipOrder, boxes: readonly ShipBox[]): Promise<void> {
  if ((await boxRulesOf(ctx)) !== 'BLOCK') return;
  for (const { no, warnings } of await checkedBoxes(ctx, order, boxes)) {
    const found = warnings.find((one) => one.level === 'LIMIT');
    if (found) throw refused(`第 ${no} 箱${found.text}`, 'B1354', { box: no });
  }
}

/**
 * Packing is over: numbers without gaps, nothing left over. @throws refused B1312 where the boxes do not hold exactly what
 * was picked or one is empty, B1354 as `requireTaken`
 */
export async function requirePacked(ctx: Ctx, order: ShipOrder): Promise<void> {
  const boxes = await boxesOf(ctx, order.id);
  const empty = boxes.find((box) => box.items.length === 0);
  if (empty) throw refused(`第 ${empty.no} 箱是空箱，请删除后再完成装箱`, 'B1312', { box: empty.no });
  const packed = packedByLine(boxes);
  for (const line of order.lines) {
    const count = packed.get(line.id) ?? 0;
    if (count !== line.picked) {
      throw refused(`SKU【${line.msku}】装箱数 ${count} 与配货数 ${line.picked} 不一致`, 'B1312', { line: line.id });
    }
  }
  await requireTaken(ctx, order, boxes);
  await closeGaps(ctx, order.id, boxes);
}
