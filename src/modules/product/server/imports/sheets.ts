import { forbidden } from '#kit/server/errors.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import type { ImportKind } from '../../contract/imports.ts';
import { sheetColumns } from './kind.ts';
import { importKinds } from './kinds.ts';

/** A sheet with the headings of an import and one row that shows how it is filled in. */
export function templateFile(kind: ImportKind): FileReply {
  const { title, columns } = importKinds[kind];
  const sample = Object.fromEntries(columns.map(({ key, sample: cell }) => [key, cell ?? null]));
  const rows = (async function* () {
    yield sample;
  })();
  const stream = exportStream(rows, { format: 'xlsx', sheet: title, columns: sheetColumns(columns) });
  return new FileReply(`${title}导入模板.xlsx`, MEDIA_TYPES.xlsx, stream);
}

/** What stands in the tables now, to be changed and sent back. */
export function currentFile(open: OpenCtx, kind: ImportKind): Promise<FileReply> {
  const def = importKinds[kind];
  const may = open.principal.permissions;
  if (def.viewPermission && may && !may.has(def.viewPermission)) throw forbidden(def.viewPermission);
  return download(open, async (ctx) => ({
    name: def.title,
    sheet: def.title,
    format: 'xlsx',
    columns: sheetColumns(def.columns),
    rows: def.current(ctx),
    audit: { action: `导出${def.title}`, resource: 'product.import', filter: { kind } },
  }));
}
