import { sql } from 'kysely';
import type { z } from 'zod';
import type { Box } from '#kit/contract/box.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import type { PackInput } from '../../../contract/documents/overseas.ts';
import { touch } from '../core/act.ts';
import { sumBy } from '../core/lines.ts';
import { loaded, locked, type StockDocument, type StockKind } from '../core/load.ts';
import { requireMove } from '../core/places.ts';

/** The boxes of a document in the order of their numbers. */
export async function boxesOf(ctx: Ctx, id: string): Promise<Box[]> {
  const { rows } = await sql<Box>`
    SELECT b.length::text, b.width::text, b.height::text, b.weight::text,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('lineId', i.line_id, 'qty', i.qty) ORDER BY l.line_no), '[]')
              FROM warehouse.document_box_item AS i
              JOIN warehouse.document_line AS l ON l.company_id = i.company_id AND l.id = i.line_id
             WHERE i.company_id = b.company_id AND i.document_id = b.document_id AND i.box_no = b.box_no) AS items
      FROM warehouse.document_box AS b
     WHERE b.company_id = ${ctx.companyId} AND b.document_id = ${id} ORDER BY b.box_no`.execute(ctx.db);
  return rows;
}

/** The boxes of a document of a kind. @throws notFound */
export async function readBoxes(ctx: Ctx, kind: StockKind, id: string): Promise<Box[]> {
  await loaded(ctx, kind, id);
  return boxesOf(ctx, id);
}

const packedByLine = (boxes: readonly Box[]) =>
  sumBy(
    boxes.flatMap((box) => box.items),
    (item) => item.lineId,
    (item) => item.qty,
  );

async function skuOf(ctx: Ctx, product: string): Promise<string> {
  return (await localProducts(ctx, [product])).get(product)?.sku ?? '';
}

/** @throws refused B0827 where the boxes do not hold exactly what leaves */
export async function requirePacked(ctx: Ctx, doc: StockDocument): Promise<void> {
  const packed = packedByLine(await boxesOf(ctx, doc.id));
  for (const line of doc.lines) {
    const count = packed.get(line.id) ?? 0;
    if (count !== line.qty) {
      const sku = await skuOf(ctx, line.product);
      throw refused(`SKU【${sku}】装箱数 ${count} 与备货数 ${line.qty} 不一致`, 'B0827');
    }
  }
}

/** @throws refused B0827 for pieces of another document, a line twice in a box, or more than the document has */
async function requireFitting(ctx: Ctx, doc: StockDocument, boxes: readonly Box[]): Promise<void> {
  for (const [index, { items }] of boxes.entries()) {
    if (new Set(items.map((item) => item.lineId)).size < items.length) {
      throw refused(`第 ${index + 1} 箱重复填写了同一个SKU`, 'B0827');
    }
  }
  for (const [lineId, count] of packedByLine(boxes)) {
    const line = doc.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B0827');
    if (count > line.qty) {
      const sku = await skuOf(ctx, line.product);
      throw refused(`SKU【${sku}】装箱数 ${count} 超过备货数 ${line.qty}`, 'B0827');
    }
  }
}

async function write(ctx: Ctx, id: string, boxes: readonly Box[]): Promise<void> {
  await ctx.db
    .deleteFrom('warehouse.document_box')
    .where('company_id', '=', ctx.companyId)
    .where('document_id', '=', id)
    .execute();
  const rows = boxes.map((box, index) => ({ n: index + 1, ...box }));
  await sql`
    INSERT INTO warehouse.document_box (company_id, document_id, box_no, length, width, height, weight)
    SELECT ${ctx.companyId}, ${id}, r.n, r.length, r.width, r.height, r.weight
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r(n int, length numeric, width numeric, height numeric, weight numeric)`.execute(ctx.db);
  const items = rows.flatMap(({ n, items: inside }) => inside.map((item) => ({ n, ...item })));
  await sql`
    INSERT INTO warehouse.document_box_item (company_id, document_id, box_no, line_id, qty)
    SELECT ${ctx.companyId}, ${id}, r.n, r."lineId", r.qty
      FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS r(n int, "lineId" uuid, qty int)`.execute(ctx.db);
}

/**
 * Writes all boxes of a document that is being packed; what was written before is replaced. Fewer pieces than leave may
 * be packed for the moment. @throws conflict in another state, refused B0827
 */
export async function putBoxes(ctx: Ctx, kind: StockKind, input: z.output<typeof PackInput>): Promise<Outcome> {
  const doc = await locked(ctx, kind, input.id);
  requireFresh(doc, input.version);
  if (doc.state !== 'packing') {
    throw conflict(`单据状态为【${kind.def.states[doc.state]?.title ?? doc.state}】，不能执行【装箱】`);
  }
  requireMove(ctx, doc.warehouse);
  await requireFitting(ctx, doc, input.boxes);
  const before = (await boxesOf(ctx, doc.id)).length;
  await write(ctx, doc.id, input.boxes);
  await note(ctx, kind.def.name, doc.id, { kind: 'note', title: `装箱：${input.boxes.length} 箱` });
  await audit(ctx, {
    action: `${kind.def.title}·装箱`,
    resource: kind.def.name,
    resourceId: doc.id,
    before: { boxes: before },
    after: { number: doc.number, boxes: input.boxes.length },
  });
  return outcome({ ...doc, version: await touch(ctx, doc.id) }, `已保存 ${input.boxes.length} 箱`);
}
