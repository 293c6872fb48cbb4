import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { DONE_BEFORE } from '#kit/server/document-outcome.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { ShipBox } from '../../contract/box/box.ts';
import { type addBox, type Changed, type closeBox, MOST_BOXES, type measureBox } from '../../contract/box/calls.ts';
import { shipOrder } from '../../contract/order.ts';

import { checkedBoxes } from '../order/boxes.ts';
import { boxOf, changed, noteScan, type PackedOrder, packing, scanBefore, unchanged } from './hold.ts';
import { boxRulesOf, templatesOf } from './templates.ts';

interface One {
  id: string;
  boxNo: number;
}

/** Writes what became of a box to the order's timeline and to the log. */
export async function noteBox(ctx: Ctx, order: PackedOrder, title: string, box: ShipBox): Promise<void> {
  const pieces = box.items.reduce((sum, item) => sum + item.qty, 0);
  const { no, length, width, height, weight } = box;
  await note(ctx, shipOrder.name, order.id, { kind: 'note', title: `${title}第 ${no} 箱`, body: `共 ${pieces} 件` });
  await audit(ctx, {
    action: `发货单·${title}`,
    resource: shipOrder.name,
    resourceId: order.id,
    after: { number: order.number, box: no, pieces, length, width, height, weight, items: box.items },
  });
}

async function templateOf(ctx: Ctx, id: string | null) {
  if (id === null) return undefined;
  const found = (await templatesOf(ctx)).find((one) => one.id === id);
  if (!found) throw notFound('箱型不存在或已删除');
  return found;
}

/** Adds an empty box with the lowest number that is free. @throws refused B1353 beyond what the marketplace takes */
export async function newBox(ctx: Ctx, input: z.output<typeof addBox.body>): Promise<Changed> {
  const order = await packing(ctx, input.id);
  const before = await scanBefore(ctx, order, input.clientId);
  if (before !== undefined) return unchanged(ctx, order, before, DONE_BEFORE);
  const template = await templateOf(ctx, input.templateId);
  const { rows } = await sql<{ no: number }>`
    SELECT g.no FROM generate_series(1, ${MOST_BOXES}::int) AS g(no)
     WHERE NOT EXISTS (SELECT FROM shipping.box AS b
                        WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${order.id} AND b.box_no = g.no)
     ORDER BY g.no LIMIT 1`.execute(ctx.db);
  const no = rows[0]?.no;
  if (no === undefined) throw refused(`一张发货单最多 ${MOST_BOXES} 箱`, 'B1353');
  await ctx.db
    .insertInto('shipping.box')
    .values({
      company_id: ctx.companyId,
      order_id: order.id,
      box_no: no,
      template_id: template?.id ?? null,
      length: template?.length ?? null,
      width: template?.width ?? null,
      height: template?.height ?? null,
    })
    .execute();
  await noteScan(ctx, order, { clientId: input.clientId, boxNo: no, lineId: null, qty: 0 });
  return changed(ctx, order, no, `已新增第 ${no} 箱`);
}

type Measures = NonNullable<z.output<typeof closeBox.body>['measures']>;

/** Writes sizes, weight and carton of a box; with others its label no longer holds. */
export async function putMeasures(ctx: Ctx, order: PackedOrder, no: number, measures: Measures): Promise<void> {
  await templateOf(ctx, measures.templateId);
  const { length, width, height, weight, templateId } = measures;
  await sql`
    UPDATE shipping.box AS b
       SET length = v.length, width = v.width, height = v.height, weight = v.weight, template_id = ${templateId}::uuid,
           label_printed_at = CASE WHEN (b.length, b.width, b.height, b.weight) IS DISTINCT FROM (v.length, v.width, v.height, v.weight)
                                   THEN NULL ELSE b.label_printed_at END
      FROM (VALUES (${length}::numeric, ${width}::numeric, ${height}::numeric, ${weight}::numeric))
           AS v(length, width, height, weight)
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${order.id} AND b.box_no = ${no}`.execute(ctx.db);
}

/** Writes sizes and weight of one box, shut or not. @throws notFound, conflict in another state */
export async function measure(ctx: Ctx, input: z.output<typeof measureBox.body>): Promise<Changed> {
  const order = await packing(ctx, input.id);
  const box = await boxOf(ctx, order, input.boxNo, false);
  await putMeasures(ctx, order, box.no, input);
  const { length, width, height, weight } = input;
  await audit(ctx, {
    action: '发货单·箱子尺寸重量',
    resource: shipOrder.name,
    resourceId: order.id,
    before: { box: box.no, length: box.length, width: box.width, height: box.height, weight: box.weight },
    after: { box: box.no, length, width, height, weight },
  });
  return changed(ctx, order, box.no, `第 ${box.no} 箱尺寸重量已保存`);
}

async function putClosed(ctx: Ctx, order: PackedOrder, no: number, closed: boolean): Promise<void> {
  await sql`
    UPDATE shipping.box SET closed_at = CASE WHEN ${closed}::boolean THEN kit.now() END
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND box_no = ${no}`.execute(ctx.db);
}

/** @throws refused B1354 for a box that its site does not take, where the company keeps its rules strictly */
async function requireSound(ctx: Ctx, order: PackedOrder, box: ShipBox): Promise<string> {
  const [checked] = await checkedBoxes(ctx, order, [box]);
  const limit = checked?.warnings.find((one) => one.level === 'LIMIT');
  if (limit && (await boxRulesOf(ctx)) === 'BLOCK') throw refused(`第 ${box.no} 箱${limit.text}`, 'B1354');
  return checked?.warnings.map((one) => `；${one.text}`).join('') ?? '';
}

/** Shuts a box, and says what its site has against it. @throws refused B1354, B1355 for an empty box */
export async function close(ctx: Ctx, input: z.output<typeof closeBox.body>): Promise<Changed> {
  const order = await packing(ctx, input.id);
  const before = await boxOf(ctx, order, input.boxNo, false);
  if (before.closed) return unchanged(ctx, order, before.no, DONE_BEFORE);
  if (before.items.length === 0) throw refused(`第 ${before.no} 箱还是空的`, 'B1355');
  if (input.measures) await putMeasures(ctx, order, before.no, input.measures);
  await putClosed(ctx, order, before.no, true);
  const box = await boxOf(ctx, order, before.no, false);
  const words = await requireSound(ctx, order, box);
  await noteBox(ctx, order, '封箱', box);
  return changed(ctx, order, box.no, `第 ${box.no} 箱已封箱${words}`);
}

/** Opens a box that was shut. */
export async function reopen(ctx: Ctx, { id, boxNo }: One): Promise<Changed> {
  const order = await packing(ctx, id);
  const box = await boxOf(ctx, order, boxNo, false);
  if (!box.closed) return unchanged(ctx, order, box.no, DONE_BEFORE);
  await putClosed(ctx, order, box.no, false);
  await noteBox(ctx, order, '开箱', box);
  return changed(ctx, order, box.no, `第 ${box.no} 箱已开箱`);
}

/** Takes a box away; the numbers of the others stay until packing is over: they stand on cartons. */
export async function remove(ctx: Ctx, { id, boxNo }: One): Promise<Changed> {
  const order = await packing(ctx, id);
  const box = await boxOf(ctx, order, boxNo, false);
  await sql`
    DELETE FROM shipping.box WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND box_no = ${box.no}`.execute(
    ctx.db,
  );
  await noteBox(ctx, order, '删除', box);
  return changed(ctx, order, box.no, `已删除第 ${box.no} 箱`);
}
