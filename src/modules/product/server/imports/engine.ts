import { sql } from 'kysely';
import type { PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { copyText } from '#kit/server/db/copy.ts';
import { type DocumentKind, type DocumentRow, transition } from '#kit/server/document.ts';
import { forbidden, notFound, refused } from '#kit/server/errors.ts';
import { recordFile, type StoredBytes } from '#kit/server/files.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { type ListDef, page } from '#kit/server/list/page.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { FileRefused, type GenericTable, readTable } from '#modules/marketplace/server/index.ts';
import {
  type ImportFilter,
  type ImportKind,
  ImportRow,
  type TableCheck,
  type TableCorrection,
  tableImport,
} from '../../contract/imports.ts';
import type { ImportDef, Refused } from './kind.ts';
import { importKinds } from './kinds.ts';
import { copyLines, newState, type ReadState, report, wholeFile } from './read.ts';

/** Half a million cells are checked and written in seconds; a machine under load may need longer. */
const TIMEOUT_MS = 5 * 60_000;
const TEMP = sql`pg_temp.import_row`;

async function openStaging(ctx: Ctx, def: ImportDef): Promise<void> {
  await sql`DROP TABLE IF EXISTS ${TEMP}`.execute(ctx.db);
  const columns = sql.join(def.columns.map((column) => sql`${sql.ref(column.key)} text`));
  await sql`CREATE TEMP TABLE import_row (line_no int NOT NULL, ${columns}) ON COMMIT DROP`.execute(ctx.db);
}

/** Rows whose cells read well and that the tables refuse all the same. */
async function refusedRows(ctx: Ctx, def: ImportDef, state: ReadState): Promise<void> {
  const first = def.columns[0]?.key ?? 'sku';
  const { rows } = await sql<Refused & { key: string | null; cells: Record<string, string | null> }>`
    SELECT p.*, r.${sql.ref(first)} AS key, to_jsonb(r) AS cells
      FROM (${def.problems(ctx)}) AS p JOIN ${TEMP} AS r ON r.line_no = p.line
     ORDER BY p.line LIMIT 5000`.execute(ctx.db);
  state.bad += new Set(rows.map((row) => row.line)).size;
  for (const { line, field, reason, suggestion, key, cells } of rows) {
    const column = def.columns.find((one) => one.key === field)?.title ?? '';
    report(state, { line, key: key ?? '', field, column, value: cells[field] ?? '', reason, suggestion });
  }
}

async function readInto(
  ctx: Ctx,
  def: ImportDef,
  table: GenericTable,
  corrections: readonly TableCorrection[],
): Promise<ReadState> {
  const state = newState();
  await openStaging(ctx, def);
  await copyText(ctx, 'pg_temp.import_row', copyLines(table, def.columns, corrections, state));
  await sql`ANALYZE pg_temp.import_row`.execute(ctx.db);
  await refusedRows(ctx, def, state);
  if (state.rows === 0 && state.problems.length === 0) {
    report(state, wholeFile(state.dropped > 0 ? '所有行都已设为不导入' : '文件没有数据行', '请在表头下填写数据'));
  }
  return state;
}

/** The bytes of a stored workbook; undefined for a text file, which carries nothing but its cells. */
async function workbookOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) {
    chunks.push(chunk);
    if (chunks.length === 1 && !(chunk[0] === 0x50 && chunk[1] === 0x4b)) return undefined;
  }
  return Buffer.concat(chunks);
}

/** Checks what the file carries beside its cells; answers what writing it will do. */
async function readAttachments(ctx: Ctx, def: ImportDef, sha256: string, state: ReadState): Promise<string> {
  const file = def.attachments && (await workbookOf(ctx.runtime.files.open(ctx.companyId, sha256)));
  if (!def.attachments || !file) return '';
  const { problems, summary } = await def.attachments.check(ctx, file);
  for (const problem of problems) report(state, problem);
  return summary;
}

interface Sent {
  name: string;
  mediaType: string;
  stored: StoredBytes;
}

/** Seals the cells of a column that nobody may read while the rows wait to be written. */
async function seal(ctx: Ctx, column: string): Promise<void> {
  const cell = sql.ref(column);
  const { rows } = await sql<{ line: number; value: string }>`
    SELECT line_no AS line, ${cell} AS value FROM ${TEMP} WHERE ${cell} IS NOT NULL`.execute(ctx.db);
  const sealed = rows.map(({ line, value }) => ({ line, value: ctx.runtime.secrets.encrypt(value) }));
  await sql`
    UPDATE ${TEMP} AS r SET ${cell} = s.value
      FROM jsonb_to_recordset(${JSON.stringify(sealed)}::jsonb) AS s(line int, value text)
     WHERE r.line_no = s.line`.execute(ctx.db);
}

/** Keeps the checked rows, so that writing needs neither the file nor another check of its cells. */
async function keep(ctx: Ctx, kind: ImportKind, def: ImportDef, file: Sent, rows: number) {
  if (def.secret) await seal(ctx, def.secret);
  const info = { name: file.name, mediaType: file.mediaType, purpose: 'upload' };
  const fileId = def.secret ? null : await recordFile(ctx, file.stored, info);
  const number = await nextNumber(ctx, tableImport.number, ctx.clock.today());
  const doc = await ctx.db
    .insertInto('product.table_import')
    .values({
      company_id: ctx.companyId,
      number,
      kind,
      file_name: file.name.slice(0, 200),
      file_id: fileId,
      sha256: file.stored.sha256,
      row_count: rows,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const cells = sql.join(def.columns.map((column) => sql.ref(column.key)));
  await sql`
    INSERT INTO product.table_import_line (company_id, import_id, line_no, cells)
    SELECT ${ctx.companyId}, ${doc.id}, line_no, ARRAY[${cells}] FROM ${TEMP}`.execute(ctx.db);
  await audit(ctx, {
    action: '资料导入检查',
    resource: 'product.import',
    resourceId: doc.id,
    after: { number, kind, rows },
  });
  return { id: doc.id, number };
}

async function opened(bytes: () => AsyncIterable<Uint8Array>): Promise<GenericTable> {
  try {
    return await readTable(bytes);
  } catch (error) {
    if (error instanceof FileRefused) throw refused(error.message, 'B0602');
    throw error;
  }
}

/** Reads an uploaded table whole. Without a bad row it becomes a draft that can be written; else nothing stays. */
export async function checkFile(
  open: OpenCtx,
  kind: ImportKind,
  corrections: readonly TableCorrection[] = [],
): Promise<TableCheck> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const def = importKinds[kind];
  const may = open.principal.permissions;
  if (def.permission && may && !may.has(def.permission)) throw forbidden(def.permission);
  const upload = await open.upload();
  const { files } = open.runtime;
  const stored = await files.put(open.principal.companyId, upload.stream);
  const table = await opened(() => files.open(open.principal.companyId, stored.sha256));
  const file = { name: upload.fileName, mediaType: upload.mediaType, stored };
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const state = await readInto(ctx, def, table, corrections);
      const carried = await readAttachments(ctx, def, stored.sha256, state);
      const titles = ['行号', ...def.columns.map((column) => column.title)];
      state.problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
      const { rows, bad, dropped, problems, more, preview } = state;
      const base = { rows, bad, good: rows - bad, dropped, problems, more, titles, preview };
      if (problems.length > 0) return { ...base, id: null, number: null, summary: null };
      const kept = await keep(ctx, kind, def, file, rows);
      return { ...base, ...kept, summary: `将写入 ${rows} 行${def.title}${carried}` };
    },
    { requestId: open.requestId, ip: open.ip, timeoutMs: TIMEOUT_MS },
  );
}

type Draft = DocumentRow & {
  kind: ImportKind;
  number: string;
  row_count: number;
  changed: number | null;
  sha256: string;
};

async function load(
  ctx: Ctx,
  id: string,
): Promise<(Draft & { created_by_name: string; created_at: string }) | undefined> {
  const row = await ctx.db
    .selectFrom('product.table_import')
    .select([
      'id',
      'state',
      'version',
      'kind',
      'number',
      'row_count',
      'changed',
      'sha256',
      'created_by_name',
      'created_at',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...row, kind: row.kind as ImportKind };
}

/** Writes the kept rows, checked once more against what the tables hold by now. @throws AppError B0770 a bad row */
async function post(ctx: Ctx, draft: Draft): Promise<void> {
  const def = importKinds[draft.kind];
  if (def.permission && !can(ctx, def.permission)) throw forbidden(def.permission);
  await sql`SET LOCAL statement_timeout = ${sql.raw(String(TIMEOUT_MS))}`.execute(ctx.db);
  await openStaging(ctx, def);
  const cells = sql.join(def.columns.map((_, index) => sql`cells[${sql.raw(String(index + 1))}]`));
  await sql`
    INSERT INTO ${TEMP} SELECT line_no, ${cells} FROM product.table_import_line
     WHERE company_id = ${ctx.companyId} AND import_id = ${draft.id}`.execute(ctx.db);
  await sql`ANALYZE pg_temp.import_row`.execute(ctx.db);
  const state = newState();
  await refusedRows(ctx, def, state);
  const [first] = state.problems;
  if (first) {
    const { bad } = state;
    const good = draft.row_count - bad;
    throw refused(`第${first.line}行：${first.reason}（成功${good}，失败${bad}，未写入）`, 'B0770', {
      problems: state.problems,
    });
  }
  let changed = await def.write(ctx);
  const file = def.attachments && (await workbookOf(ctx.runtime.files.open(ctx.companyId, draft.sha256)));
  if (def.attachments && file) changed += await def.attachments.write(ctx, file);
  await sql`
    UPDATE product.table_import SET changed = ${changed} WHERE company_id = ${ctx.companyId} AND id = ${draft.id}`.execute(
    ctx.db,
  );
  // The file itself stays; its rows are where they belong now.
  await sql`
    DELETE FROM product.table_import_line WHERE company_id = ${ctx.companyId} AND import_id = ${draft.id}`.execute(
    ctx.db,
  );
}

const document: DocumentKind<Draft> = {
  def: tableImport,
  table: 'product.table_import',
  load,
  rules: { post: { run: post } },
};

/** Writes a checked import, all of it or nothing. */
export async function commitFile(ctx: Ctx, id: string): Promise<{ number: string; rows: number; changed: number }> {
  await transition(ctx, document, id, 'post');
  const doc = await load(ctx, id);
  if (!doc) throw notFound();
  return { number: doc.number, rows: doc.row_count, changed: doc.changed ?? 0 };
}

/** One page of imports, the newest first. */
export function importPage(ctx: Ctx, request: PageRequest<ImportFilter>) {
  let query = ctx.db
    .selectFrom('product.table_import as i')
    .select(['i.id', 'i.number', 'i.kind', 'i.state', 'i.file_name as fileName', 'i.row_count as rows', 'i.changed'])
    .select(['i.created_by_name as by', 'i.created_at as at'])
    .where('i.company_id', '=', ctx.companyId);
  const { kind, state } = request.filter;
  if (kind) query = query.where('i.kind', '=', kind);
  if (state) query = query.where('i.state', '=', state);
  return page<ImportRow, ImportRow>(ctx, request, {
    row: ImportRow,
    query: query as unknown as ListDef<ImportRow, ImportRow>['query'],
    sort: { at: 'i.created_at', number: 'i.number' },
    order: [['i.id', 'desc']],
    key: 'i.id',
  });
}

/** How an import stands. */
export async function resultOf(ctx: Ctx, id: string) {
  const doc = await load(ctx, id);
  if (!doc) throw notFound();
  return {
    number: doc.number,
    kind: doc.kind,
    state: doc.state as 'draft' | 'posted',
    rows: doc.row_count,
    changed: doc.changed,
    by: doc.created_by_name,
    at: doc.created_at,
  };
}
