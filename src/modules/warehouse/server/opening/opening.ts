import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { FileRefused, readTable } from '#modules/marketplace/server/index.ts';
import type { OpeningCheck } from '../../contract/opening.ts';
import { post } from '../ledger/post.ts';
import type { Move } from '../ledger/types.ts';
import { COLUMNS, type Known, type OpeningRows, readRows } from './rows.ts';

const PREVIEW = 20;

/** An empty sheet with the headings. */
export function template(): FileReply {
  const columns = Object.values(COLUMNS).map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const none = (async function* (): AsyncGenerator<object> {})();
  return new FileReply(
    '期初库存导入模板.xlsx',
    MEDIA_TYPES.xlsx,
    exportStream(none, { format: 'xlsx', sheet: '期初库存', columns }),
  );
}

async function knownOf(ctx: Ctx): Promise<Known> {
  const products = await ctx.db
    .selectFrom('product.local_product')
    .select(['id', 'sku'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const warehouses = await ctx.db
    .selectFrom('warehouse.warehouse')
    .select(['id', 'name', 'code'])
    .where('company_id', '=', ctx.companyId)
    .where('kind', '<>', 'VIRTUAL')
    .where('quality', '=', 'GOOD')
    .where('disabled', '=', false)
    .execute();
  const { rows } = await sql<{ today: string }>`SELECT warehouse.today() AS today`.execute(ctx.db);
  return {
    products: new Map(products.map((row) => [row.sku.toLowerCase(), row.id])),
    warehouses: new Map(warehouses.flatMap((row) => [[row.code, row] as const, [row.name, row] as const])),
    today: rows[0]?.today ?? '',
  };
}

async function keep(ctx: Ctx, fileName: string, { lines }: OpeningRows, today: string) {
  const number = await nextNumber(ctx, 'QC{yyMMdd}{seq:4}', today);
  const { id } = await ctx.db
    .insertInto('warehouse.opening_import')
    .values({
      company_id: ctx.companyId,
      number,
      file_name: fileName.slice(0, 200),
      row_count: lines.length,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    INSERT INTO warehouse.opening_line (company_id, import_id, line_no, product_id, warehouse_id, qty, unit_cost, first_day)
    SELECT ${ctx.companyId}, ${id}::uuid, r.line, r.product, r.warehouse, r.qty, r."unitCost", r."firstDay"
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        AS r(line int, product uuid, warehouse uuid, qty int, "unitCost" numeric, "firstDay" date)`.execute(ctx.db);
  await audit(ctx, {
    action: '期初库存检查',
    resource: 'warehouse.opening',
    resourceId: id,
    after: { number, rows: lines.length },
  });
  return { id, number };
}

/** Reads an uploaded table whole. Without a bad row it becomes a draft that can be posted; else nothing stays. */
export async function check(open: OpenCtx): Promise<OpeningCheck> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  const { files } = open.runtime;
  const stored = await files.put(open.principal.companyId, upload.stream);
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const known = await knownOf(ctx);
      const read = await tableRows(() => files.open(ctx.companyId, stored.sha256), known);
      const found = {
        rows: read.rows,
        good: read.lines.length,
        problems: read.problems,
        preview: read.lines.slice(0, PREVIEW).map(({ line, sku, warehouseName, qty, unitCost, firstDay }) => ({
          line,
          sku,
          warehouse: warehouseName,
          qty,
          unitCost,
          firstDay,
        })),
      };
      if (read.problems.length > 0) return { ...found, id: null, number: null };
      return { ...found, ...(await keep(ctx, upload.fileName, read, known.today)) };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

async function tableRows(bytes: () => AsyncIterable<Uint8Array>, known: Known): Promise<OpeningRows> {
  try {
    return await readRows(await readTable(bytes), known);
  } catch (error) {
    if (error instanceof FileRefused) throw refused(error.message, 'B0850');
    throw error;
  }
}

/** Posts a checked file, all of it. A second call changes nothing. @throws 404, or what the ledger refuses */
export async function commit(ctx: Ctx, id: string): Promise<{ number: string; rows: number; pieces: number }> {
  const doc = await ctx.db
    .selectFrom('warehouse.opening_import')
    .select(['number', 'row_count', 'posted_at'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!doc) throw notFound('期初库存不存在或已删除');
  const lines = await ctx.db
    .selectFrom('warehouse.opening_line')
    .select(['product_id', 'warehouse_id', 'qty', 'unit_cost', 'first_day'])
    .where('company_id', '=', ctx.companyId)
    .where('import_id', '=', id)
    .orderBy('line_no')
    .execute();
  const moves = lines.map(
    (line): Move => ({
      product: line.product_id,
      qty: line.qty,
      from: 'OPENING',
      to: { warehouse: line.warehouse_id, status: 'AVAILABLE' },
      cost: { unit: line.unit_cost, firstDay: line.first_day },
    }),
  );
  await post(ctx, { source: { type: 'warehouse.opening', id, event: 'post', number: doc.number }, moves });
  const pieces = lines.reduce((sum, line) => sum + line.qty, 0);
  if (doc.posted_at === null) {
    await sql`UPDATE warehouse.opening_import SET posted_at = kit.now() WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
      ctx.db,
    );
    await audit(ctx, {
      action: '写入期初库存',
      resource: 'warehouse.opening',
      resourceId: id,
      after: { number: doc.number, pieces },
    });
  }
  return { number: doc.number, rows: doc.row_count, pieces };
}
