import { sql } from 'kysely';
import type { z } from 'zod';
import type { Box } from '#kit/contract/box.ts';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { CheckedBox, ShipBox } from '../../contract/box/box.ts';
import { shipOrder } from '../../contract/order.ts';
import type { putShipBoxes } from '../../contract/order-calls.ts';
import { boxWarnings, limitsOf } from '../box/limits.ts';
import { requireState, touch } from './act.ts';
import { locked, type ShipOrder } from './load.ts';

/** The boxes of an order in the order of their numbers, or one of them. */
export async function boxesOf(ctx: Ctx, id: string, no?: number): Promise<ShipBox[]> {
  const { rows } = await sql<ShipBox>`
    SELECT b.box_no AS no, b.length::text, b.width::text, b.height::text, b.weight::text, b.template_id AS "templateId",
           b.closed_at IS NOT NULL AS closed, b.label_printed_at AS "labelPrintedAt",
           (SELECT coalesce(jsonb_agg(jsonb_build_object('lineId', i.line_id, 'qty', i.qty) ORDER BY l.line_no), '[]')
              FROM shipping.box_item AS i
              JOIN shipping.ship_order_line AS l ON l.company_id = i.company_id AND l.id = i.line_id
             WHERE i.company_id = b.company_id AND i.order_id = b.order_id AND i.box_no = b.box_no) AS items
      FROM shipping.box AS b
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${id} AND (${no ?? null}::int IS NULL OR b.box_no = ${no ?? null})
     ORDER BY b.box_no`.execute(ctx.db);
  return rows;
}

/** The same boxes with what stands against them at the site that they go to. */
export async function checkedBoxes(
  ctx: Ctx,
  order: Pick<ShipOrder, 'marketplaceId'>,
  boxes: readonly ShipBox[],
): Promise<CheckedBox[]> {
  const { rows } = await sql<{ id: string; most: string | null }>`
    SELECT id, max_weight::text AS most FROM shipping.box_template
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  const most = new Map(rows.map((row) => [row.id, row.most]));
  const limits = limitsOf(order.marketplaceId);
  return boxes.map((box) => ({ ...box, warnings: boxWarnings(limits, box, most.get(box.templateId ?? '') ?? null) }));
}

/** Pieces of each line that lie in boxes. */
export function packedByLine(boxes: readonly Pick<Box, 'items'>[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { lineId, qty } of boxes.flatMap((box) => box.items)) sums.set(lineId, (sums.get(lineId) ?? 0) + qty);
  return sums;
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

/** A box as its label tells it: what is the same in both needs no new label. */
const told = ({ length, width, height, weight, items }: Box | ShipBox): string => {
  const plain = (text: string | null) => (text === null ? null : plainDecimal(text));
  const pieces = items.map(({ lineId, qty }) => `${lineId} ${qty}`).sort();
  return JSON.stringify([plain(length), plain(width), plain(height), plain(weight), pieces]);
};

/** Replaces all boxes; one that stays as it was keeps its carton, whether it is shut, and its label. */
async function write(ctx: Ctx, id: string, before: readonly ShipBox[], boxes: readonly Box[]): Promise<void> {
  await sql`DELETE FROM shipping.box WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
  const known = new Map(before.map((box) => [box.no, box]));
  const rows = boxes.map(({ length, width, height, weight, items }, index) => {
    const old = known.get(index + 1);
    const kept = old && told(old) === told({ length, width, height, weight, items }) ? old : undefined;
    const { templateId = null, closed = false, labelPrintedAt = null } = kept ?? {};
    return { n: index + 1, length, width, height, weight, templateId, closed, labelPrintedAt };
  });
  await sql`
    INSERT INTO shipping.box (company_id, order_id, box_no, length, width, height, weight, template_id, closed_at, label_printed_at)
    SELECT ${ctx.companyId}, ${id}, r.n, r.length, r.width, r.height, r.weight, r."templateId",
           CASE WHEN r.closed THEN kit.now() END, r."labelPrintedAt"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(n int, length numeric, width numeric, height numeric, weight numeric, "templateId" uuid, closed boolean,
             "labelPrintedAt" timestamptz)`.execute(ctx.db);
  const items = boxes.flatMap((box, index) => box.items.map((item) => ({ n: index + 1, ...item })));
  await sql`
    INSERT INTO shipping.box_item (company_id, order_id, box_no, line_id, qty)
    SELECT ${ctx.companyId}, ${id}, r.n, r."lineId", r.qty
      FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS r(n int, "lineId" uuid, qty int)`.execute(ctx.db);
}

/** What the answer of a save says of boxes that a site does not take. */
export function limitWords(boxes: readonly CheckedBox[]): string {
  const over = boxes.flatMap(({ no, warnings }) => (warnings.some((one) => one.level === 'LIMIT') ? [no] : []));
  if (over.length === 0) return '';
  const shown = over.slice(0, 5).join('、');
  return `；第 ${shown}${over.length > 5 ? ' 等' : ''} 箱超出站点限制，请查看提示`;
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
  const before = await boxesOf(ctx, order.id);
  await write(ctx, order.id, before, input.boxes);
  await note(ctx, shipOrder.name, order.id, { kind: 'note', title: `装箱：${input.boxes.length} 箱` });
  await audit(ctx, {
    action: '发货单·装箱',
    resource: shipOrder.name,
    resourceId: order.id,
    before: { boxes: before.length },
    after: { number: order.number, boxes: input.boxes.length },
  });
  const words = limitWords(await checkedBoxes(ctx, order, await boxesOf(ctx, order.id)));
  const message = `已保存 ${input.boxes.length} 箱${words}`;
  return outcome({ ...order, version: await touch(ctx, order.id) }, message);
}
