import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type DocumentKind, note, transition } from '#kit/server/document.ts';
import { AppError, notFound, refused } from '#kit/server/errors.ts';
import { recordFile, type StoredBytes } from '#kit/server/files.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { FileRefused, readTable } from '#modules/marketplace/server/index.ts';
import { type Correction, costImport, type ImportCheck } from '../contract.ts';
import { type CostLine, type RowsRead, readRows } from './import-rows.ts';
import { learnProducts } from './products.ts';
import { touchCosts } from './touched.ts';

const PREVIEW = 20;

interface ImportDoc {
  id: string;
  state: string;
  version: number;
  number: string;
  row_count: number;
}

async function loadDoc(ctx: Ctx, id: string): Promise<ImportDoc | undefined> {
  return ctx.db
    .selectFrom('product.cost_import')
    .select(['id', 'state', 'version', 'number', 'row_count'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Writes the costs of a draft; what stood there before is kept in its lines, so that it can be put back. */
async function post(ctx: Ctx, doc: ImportDoc): Promise<void> {
  const lines = await ctx.db
    .selectFrom('product.cost_import_line')
    .select(['sku', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('import_id', '=', doc.id)
    .execute();
  await learnProducts(ctx, lines);
  await sql`
    UPDATE product.cost_import_line AS l
       SET previous_cost = c.unit_cost
      FROM product.sku_cost AS c
     WHERE l.company_id = ${ctx.companyId} AND l.import_id = ${doc.id} AND c.company_id = l.company_id
       AND c.sku = l.sku AND c.valid_from = l.valid_from`.execute(ctx.db);
  const { rows } = await sql<{ sku: string; validFrom: string }>`
    INSERT INTO product.sku_cost AS c (company_id, sku, valid_from, unit_cost, import_id, updated_by_name)
    SELECT company_id, sku, valid_from, unit_cost, import_id, ${ctx.userName}
      FROM product.cost_import_line WHERE company_id = ${ctx.companyId} AND import_id = ${doc.id}
     ORDER BY sku, valid_from
    ON CONFLICT (company_id, sku, valid_from) DO UPDATE
       SET unit_cost = excluded.unit_cost, import_id = excluded.import_id,
           updated_by_name = excluded.updated_by_name, updated_at = kit.now()
     WHERE c.unit_cost <> excluded.unit_cost
    RETURNING sku, valid_from AS "validFrom"`.execute(ctx.db);
  await touchCosts(ctx, rows);
}

/** SKUs whose cost was changed again after the import: putting the old one back would undo somebody else's work. */
async function changedSince(ctx: Ctx, doc: ImportDoc): Promise<string | undefined> {
  const { rows } = await sql<{ sku: string }>`
    SELECT l.sku FROM product.cost_import_line AS l
      LEFT JOIN product.sku_cost AS c USING (company_id, sku, valid_from)
     WHERE l.company_id = ${ctx.companyId} AND l.import_id = ${doc.id}
       AND l.unit_cost IS DISTINCT FROM l.previous_cost
       AND c.import_id IS DISTINCT FROM l.import_id
     ORDER BY l.sku LIMIT 6`.execute(ctx.db);
  if (rows.length === 0) return undefined;
  const names = rows.slice(0, 5).map((row) => row.sku);
  return `以下 SKU 的成本在导入后又被修改，不能撤销：${names.join('、')}${rows.length > 5 ? ' 等' : ''}`;
}

async function reverse(ctx: Ctx, doc: ImportDoc): Promise<void> {
  const gone = await sql<{ sku: string; validFrom: string }>`
    DELETE FROM product.sku_cost AS c USING product.cost_import_line AS l
     WHERE l.company_id = ${ctx.companyId} AND l.import_id = ${doc.id} AND l.previous_cost IS NULL
       AND c.company_id = l.company_id AND c.sku = l.sku AND c.valid_from = l.valid_from AND c.import_id = l.import_id
    RETURNING c.sku, c.valid_from AS "validFrom"`.execute(ctx.db);
  const back = await sql<{ sku: string; validFrom: string }>`
    UPDATE product.sku_cost AS c
       SET unit_cost = l.previous_cost, import_id = NULL, updated_by_name = ${ctx.userName}, updated_at = kit.now()
      FROM product.cost_import_line AS l
     WHERE l.company_id = ${ctx.companyId} AND l.import_id = ${doc.id} AND l.previous_cost IS NOT NULL
       AND c.company_id = l.company_id AND c.sku = l.sku AND c.valid_from = l.valid_from AND c.import_id = l.import_id
    RETURNING c.sku, c.valid_from AS "validFrom"`.execute(ctx.db);
  await touchCosts(ctx, [...gone.rows, ...back.rows]);
}

const kind: DocumentKind<ImportDoc> = {
  def: costImport,
  table: 'product.cost_import',
  load: loadDoc,
  rules: { post: { run: post }, reverse: { guard: changedSince, run: reverse } },
};

async function knownSkus(ctx: Ctx): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('product.local_product')
    .select('sku')
    .where('company_id', '=', ctx.companyId)
    .execute();
  return new Set(rows.map((row) => row.sku));
}

async function warningsOf(ctx: Ctx, sha256: string, lines: readonly CostLine[], known: ReadonlySet<string>) {
  const same = await ctx.db
    .selectFrom('product.cost_import')
    .select('number')
    .where('company_id', '=', ctx.companyId)
    .where('sha256', '=', sha256)
    .where('state', '=', 'posted')
    .executeTakeFirst();
  const fresh = new Set(lines.filter((line) => !known.has(line.sku)).map((line) => line.sku));
  return [
    ...(same ? [`相同内容的文件已导入（${same.number}），再次写入不会改变成本`] : []),
    ...(fresh.size > 0 ? [`${fresh.size} 个 SKU 尚未出现过，将新建商品：${[...fresh].slice(0, 5).join('、')}`] : []),
  ];
}

async function previewOf(ctx: Ctx, lines: readonly CostLine[]): Promise<ImportCheck['preview']> {
  const shown = lines.slice(0, PREVIEW);
  const { rows } = await sql<{ sku: string; valid_from: string; unit_cost: string }>`
    SELECT sku, valid_from, unit_cost FROM product.sku_cost
     WHERE company_id = ${ctx.companyId} AND sku = ANY(${shown.map((line) => line.sku)}::text[])`.execute(ctx.db);
  const previous = new Map(rows.map((row) => [`${row.sku}\t${row.valid_from}`, row.unit_cost]));
  return shown.map((line) => ({ ...line, previous: previous.get(`${line.sku}\t${line.validFrom}`) ?? null }));
}

async function insertDraft(
  ctx: Ctx,
  file: { name: string; mediaType: string; stored: StoredBytes },
  { lines, corrected }: Pick<RowsRead, 'lines' | 'corrected'>,
): Promise<{ id: string; number: string }> {
  const fileId = await recordFile(ctx, file.stored, { name: file.name, mediaType: file.mediaType, purpose: 'upload' });
  const number = await nextNumber(ctx, costImport.number, ctx.clock.today());
  const row = await ctx.db
    .insertInto('product.cost_import')
    .values({
      company_id: ctx.companyId,
      number,
      file_name: file.name.slice(0, 200),
      file_id: fileId,
      sha256: file.stored.sha256,
      row_count: lines.length,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    INSERT INTO product.cost_import_line (company_id, import_id, line_no, sku, name, unit_cost, valid_from)
    SELECT ${ctx.companyId}, ${row.id}::uuid, r.line, r.sku, r.name, r."unitCost"::numeric, r."validFrom"::date
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        AS r(line int, sku text, name text, "unitCost" text, "validFrom" text)`.execute(ctx.db);
  await note(ctx, costImport.name, row.id, { kind: 'note', title: '检查通过', body: `${lines.length} 行` });
  if (corrected.length > 0) {
    // The kept file is as it was uploaded; what was written instead must be found somewhere.
    await note(ctx, costImport.name, row.id, { kind: 'note', title: '就地修改', body: corrected.join('；') });
  }
  await audit(ctx, { action: '采购成本导入检查', resource: costImport.name, resourceId: row.id, after: { number } });
  return { id: row.id, number };
}

/**
 * Reads an uploaded table whole, with what the user put right in it. Without a single bad row it becomes a draft that
 * can be written, and the timeline says what was put right; else nothing stays.
 */
export async function check(open: OpenCtx, corrections: readonly Correction[] = []): Promise<ImportCheck> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  const { files } = open.runtime;
  const { companyId } = open.principal;
  const stored = await files.put(companyId, upload.stream);
  const options = { requestId: open.requestId, ip: open.ip };
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const known = await knownSkus(ctx);
      const read = await rowsOf(() => files.open(companyId, stored.sha256), known, corrections);
      const base = {
        rows: read.rows,
        good: read.lines.length,
        bad: read.rows - read.lines.length,
        dropped: read.dropped,
        problems: read.problems,
      };
      if (read.problems.length > 0) {
        const warnings = read.more > 0 ? [`还有 ${read.more} 处问题未列出`] : [];
        return { ...base, id: null, number: null, warnings, preview: await previewOf(ctx, read.lines) };
      }
      const file = { name: upload.fileName, mediaType: upload.mediaType, stored };
      const warnings = await warningsOf(ctx, stored.sha256, read.lines, known);
      const preview = await previewOf(ctx, read.lines);
      return { ...base, ...(await insertDraft(ctx, file, read)), warnings, preview };
    },
    options,
  );
}

async function rowsOf(
  bytes: () => AsyncIterable<Uint8Array>,
  known: ReadonlySet<string>,
  corrections: readonly Correction[],
): Promise<RowsRead> {
  try {
    return await readRows(await readTable(bytes), known, corrections);
  } catch (error) {
    if (error instanceof FileRefused) throw refused(error.message, 'B0602');
    throw error;
  }
}

/** Writes a checked import, all of it or nothing. */
export async function commit(ctx: Ctx, id: string): Promise<{ number: string; rows: number; changed: number }> {
  await transition(ctx, kind, id, 'post');
  const doc = await loadDoc(ctx, id);
  if (!doc) throw notFound();
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM product.sku_cost WHERE company_id = ${ctx.companyId} AND import_id = ${id}`.execute(
    ctx.db,
  );
  return { number: doc.number, rows: doc.row_count, changed: rows[0]?.n ?? 0 };
}

/** Takes a written import back. @throws AppError B0012 when a cost was changed since */
export async function undo(ctx: Ctx, id: string, reason: string): Promise<{ number: string }> {
  await transition(ctx, kind, id, 'reverse', { reason });
  const doc = await loadDoc(ctx, id);
  if (!doc) throw new AppError(404, 404, '数据不存在或已删除');
  return { number: doc.number };
}

/** The last imports, newest first. */
export async function batches(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('product.cost_import')
    .select(['id', 'number', 'state', 'file_name', 'row_count', 'created_by_name', 'created_at'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    state: row.state as 'draft' | 'posted' | 'reversed',
    fileName: row.file_name,
    rows: row.row_count,
    by: row.created_by_name,
    at: row.created_at,
  }));
}
