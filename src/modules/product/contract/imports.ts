import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, Quantity, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { base, EXPORT, IMPORT } from './fields.ts';

/** Tables that can be imported, by the last part of their address. */
export const ImportKind = Choice(
  {
    product: '产品基础',
    price: '供应商档价',
    bom: '组装关系',
    consumable: '辅料关系',
    customs: '报关',
    skuMatch: 'SKU配对',
    supplier: '供应商',
  },
  '导入类型',
);
export type ImportKind = z.infer<typeof ImportKind>;

const STATES = { draft: { title: '待写入', tone: 'waiting' }, posted: { title: '已写入', tone: 'done' } } as const;

export const tableImport = documentType({
  name: 'productImport',
  title: '资料导入',
  number: 'PI{yyMMdd}{seq:4}',
  detail: '/erp/baseinfo/import',
  states: STATES,
  initial: 'draft',
  transitions: { post: { title: '写入', from: ['draft'], to: 'posted', permission: IMPORT, primary: true } },
});

const Problem = z.object({
  line: z.int().nullable(),
  /** What tells the row from others: its SKU. */
  key: z.string(),
  field: z.string().nullable(),
  column: z.string(),
  value: z.string(),
  reason: z.string(),
  suggestion: z.string(),
});
export type TableProblem = z.infer<typeof Problem>;

const Correction = z.object({
  line: z.int().min(1),
  values: z.record(z.string().max(40), z.string().max(1000)).default({}),
  drop: z.boolean().default(false),
});
export type TableCorrection = z.infer<typeof Correction>;

/** Corrections travel beside the file, so in a form field as JSON text. */
const Corrections = z
  .string()
  .default('[]')
  .transform((text, ctx) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue({ code: 'custom', message: '修改内容格式有误' });
      return z.NEVER;
    }
  })
  .pipe(z.array(Correction).max(1000))
  .meta({ title: '就地修改' });

export const TableCheck = z.object({
  id: Id.nullable(),
  number: z.string().nullable(),
  rows: z.int(),
  good: z.int(),
  bad: z.int(),
  dropped: z.int(),
  problems: z.array(Problem),
  /** Problems beyond those listed. */
  more: z.int(),
  titles: z.array(z.string()),
  preview: z.array(z.array(z.string())),
  /** What writing will do. */
  summary: z.string().nullable(),
});
export type TableCheck = z.infer<typeof TableCheck>;

const ByKind = z.object({ kind: ImportKind });
const ById = z.object({ id: Id });

/** Checks every row of a file and keeps it for writing; nothing is written yet. */
export const checkTable = endpoint({
  title: '资料导入检查',
  method: 'POST',
  path: `${base}/material/import/:kind`,
  permission: IMPORT,
  upload: true,
  params: ByKind,
  body: z.object({ corrections: Corrections.optional() }),
  reply: TableCheck,
});

/** Writes a checked file, all of it or nothing. */
export const commitTable = endpoint({
  title: '资料导入写入',
  method: 'POST',
  path: `${base}/material/importCommit/:id`,
  permission: IMPORT,
  params: ById,
  reply: z.object({ number: z.string(), rows: z.int(), changed: z.int() }),
});

export const importResult = endpoint({
  title: '资料导入结果',
  method: 'GET',
  path: `${base}/material/importResult/:id`,
  permission: IMPORT,
  params: ById,
  reply: z.object({
    number: z.string(),
    kind: ImportKind,
    state: z.enum(['draft', 'posted']),
    rows: z.int(),
    changed: z.int().nullable(),
    by: z.string(),
    at: Instant,
  }),
});

export const tableTemplate = endpoint({
  title: '资料导入模板',
  method: 'GET',
  path: `${base}/material/importTemplate/:kind`,
  permission: IMPORT,
  params: ByKind,
  file: true,
  reply: z.unknown(),
});

/** What stands in the tables now, in the columns of the import: change it and send it back. */
export const exportTable = endpoint({
  title: '导出资料表',
  method: 'GET',
  path: `${base}/material/importExport/:kind`,
  permission: IMPORT,
  params: ByKind,
  file: true,
  reply: z.unknown(),
});

/** Most products of a sheet with pictures. */
export const PICTURED = 500;

/** Products with their pictures in the sheet, in the columns of the import. */
export const exportPictures = endpoint({
  title: '导出产品（含图片）',
  method: 'POST',
  path: `${base}/material/exportPictures`,
  permission: EXPORT,
  body: z.object({
    ids: z
      .array(Id)
      .min(1, '请先选择产品')
      .max(PICTURED, `含图片一次最多导出 ${PICTURED} 个产品`)
      .meta({ title: '产品' }),
  }),
  file: true,
  reply: z.unknown(),
});

export const ImportRow = z.object({
  id: Id,
  number: z.string().meta({ title: '导入单号', kind: 'code', width: 150, pinned: 'left' }),
  kind: ImportKind.meta({ width: 120 }),
  state: States(STATES).meta({ width: 90 }),
  fileName: z.string().meta({ title: '文件', width: 260 }),
  rows: Quantity.meta({ title: '行数', width: 90 }),
  changed: Quantity.nullable().meta({ title: '变更', width: 90 }),
  by: z.string().meta({ title: '操作人', kind: 'person', width: 110 }),
  at: Instant.meta({ title: '时间', width: 130 }),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportFilter = z.object({ kind: ImportKind, state: States(STATES) });
const AnyFilter = ImportFilter.partial();
export type ImportFilter = z.infer<typeof AnyFilter>;

export const listTableImports = endpoint({
  title: '资料导入记录',
  method: 'POST',
  path: `${base}/material/imports`,
  permission: IMPORT,
  access: 'read',
  body: PageQuery(ImportFilter),
  sortable: ['number', 'at'],
  reply: Page(ImportRow),
});
