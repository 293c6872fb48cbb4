import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Product, Quantity, States, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

/** A first cost without a date holds for everything that was ever sold. */
export const ALWAYS = '2000-01-01';

export const CostState = States(
  {
    missing: { title: '缺成本', tone: 'waiting' },
    known: { title: '已维护', tone: 'done' },
  },
  '成本状态',
);

/** A SKU with the purchase cost that holds today. */
export const CostRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 280, pinned: 'left' }),
  sku: z.string().meta({ title: 'SKU', kind: 'code', width: 160 }),
  state: CostState.meta({ width: 100 }),
  unitCost: Money.nullable().meta({ title: '采购单价', currency: 'CNY', width: 120 }),
  currency: Currency.meta({ hidden: true }),
  validFrom: Day.nullable().meta({ title: '生效日期', width: 110 }),
  changes: Quantity.meta({ title: '成本记录', width: 90 }),
  origin: z.string().nullable().meta({ title: '来源', width: 130 }),
  updatedBy: z.string().nullable().meta({ title: '修改人', kind: 'person', width: 120 }),
  updatedAt: Instant.nullable().meta({ title: '修改时间', width: 130 }),
});
export type CostRow = z.infer<typeof CostRow>;

export const CostFilter = z.object({
  state: CostState,
  skus: z.array(z.string().max(100)).max(500).meta({ title: 'SKU', kind: 'code' }),
  search: z.string().trim().max(100).meta({ title: '品名' }),
});
const AnyCostFilter = CostFilter.partial();
export type CostFilter = z.infer<typeof AnyCostFilter>;

const base = '/erp/api/v1/product/cost';

/** A purchase price: above zero, at most four decimals. */
export const UnitCost = z
  .string()
  .trim()
  .regex(/^\d{1,12}(\.\d{1,4})?$/, '请输入正确的金额')
  .refine((value) => /[1-9]/.test(value), '采购单价必须大于 0')
  .meta({ title: '采购单价', kind: 'money', currency: 'CNY' });

const Sku = Text(100, 'SKU');

export const listCosts = endpoint({
  title: '采购成本列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'fin:cost:view',
  access: 'read',
  body: PageQuery(CostFilter),
  sortable: ['sku', 'unitCost', 'validFrom', 'updatedAt'],
  reply: Page(CostRow),
});

export const countCosts = endpoint({
  title: '采购成本数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: 'fin:cost:view',
  access: 'read',
  body: z.object({ filter: AnyCostFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportCosts = endpoint({
  title: '导出采购成本',
  method: 'POST',
  path: `${base}/export`,
  permission: 'fin:cost:export',
  access: 'read',
  body: ExportQuery(CostFilter),
  file: true,
  reply: z.unknown(),
});

/** Without a date: corrects the cost that holds today, or begins with one that always held. */
export const saveCost = endpoint({
  title: '保存采购成本',
  method: 'POST',
  path: `${base}/save`,
  permission: 'fin:cost:edit',
  body: z.object({
    sku: Sku,
    unitCost: UnitCost,
    validFrom: Day.optional().meta({ title: '生效日期', kind: 'date' }),
    name: z.string().trim().max(200).optional().meta({ title: '品名' }),
  }),
  reply: CostRow,
});

const CostEntry = z.object({
  validFrom: Day.meta({ title: '生效日期' }),
  validTo: Day.nullable().meta({ title: '截止日期' }),
  unitCost: Money.meta({ title: '采购单价', currency: 'CNY' }),
  origin: z.string().meta({ title: '来源' }),
  updatedBy: z.string().meta({ title: '修改人' }),
  updatedAt: Instant.meta({ title: '修改时间' }),
});
export type CostEntry = z.infer<typeof CostEntry>;

export const costHistory = endpoint({
  title: '成本记录',
  method: 'POST',
  path: `${base}/history`,
  permission: 'fin:cost:view',
  access: 'read',
  body: z.object({ sku: Sku }),
  reply: z.array(CostEntry),
});

export const removeCost = endpoint({
  title: '删除成本记录',
  method: 'POST',
  path: `${base}/remove`,
  permission: 'fin:cost:edit',
  body: z.object({ sku: Sku, validFrom: Day.meta({ title: '生效日期' }) }),
  reply: z.literal('success'),
});

export const costImport = documentType({
  name: 'costImport',
  title: '采购成本导入',
  number: 'CI{yyMMdd}{seq:4}',
  detail: '/product/cost/import',
  states: {
    draft: { title: '待写入', tone: 'waiting' },
    posted: { title: '已写入', tone: 'done' },
    reversed: { title: '已撤销', tone: 'off' },
  },
  initial: 'draft',
  transitions: {
    post: {
      title: '写入',
      from: ['draft'],
      to: 'posted',
      permission: 'fin:cost:import',
      primary: true,
      consequence: '写入后重新计算相关 SKU 的利润',
    },
    reverse: {
      title: '撤销导入',
      from: ['posted'],
      to: 'reversed',
      permission: 'fin:cost:import',
      reason: true,
      consequence: '恢复导入前的成本',
    },
  },
});

const ImportField = z.enum(['sku', 'unitCost', 'validFrom']);

/**
 * A row of an import that cannot be taken: where, why, and what would do. `sku` tells the row from others; `field` names
 * the cell that may be corrected, null where only another file helps; `fix` is a value that would be taken as it is.
 */
export const ImportProblem = z.object({
  line: z.int().nullable(),
  sku: z.string(),
  field: ImportField.nullable(),
  column: z.string(),
  value: z.string(),
  reason: z.string(),
  suggestion: z.string(),
  fix: z.string().nullable(),
});
export type ImportProblem = z.infer<typeof ImportProblem>;

const ImportRow = z.object({
  line: z.int(),
  sku: z.string(),
  name: z.string(),
  unitCost: z.string(),
  validFrom: Day,
  previous: z.string().nullable(),
});

const Correction = z.object({
  line: z.int().min(1),
  values: z.partialRecord(ImportField, z.string().max(200)).default({}),
  drop: z.boolean().default(false),
});
/** What the user put right in one line of the file without touching the file: cells, or the whole line left out. */
export type Correction = z.infer<typeof Correction>;

const MAX_CORRECTIONS = 1000;

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
  .pipe(z.array(Correction).max(MAX_CORRECTIONS))
  .meta({ title: '就地修改' });

/** Answer of the check: either problems, or a draft that can be written. */
export const ImportCheck = z.object({
  id: Id.nullable(),
  number: z.string().nullable(),
  rows: z.int(),
  good: z.int(),
  bad: z.int(),
  /** Lines left out by a correction; `rows` does not count them. */
  dropped: z.int(),
  problems: z.array(ImportProblem),
  warnings: z.array(z.string()),
  /** First rows as they would be written. */
  preview: z.array(ImportRow),
});
export type ImportCheck = z.infer<typeof ImportCheck>;

export const checkCostImport = endpoint({
  title: '采购成本导入检查',
  method: 'POST',
  path: `${base}/import/check`,
  permission: 'fin:cost:import',
  upload: true,
  body: z.object({ corrections: Corrections.optional() }),
  reply: ImportCheck,
});

const ImportId = z.object({ id: Id });

export const commitCostImport = endpoint({
  title: '采购成本导入写入',
  method: 'POST',
  path: `${base}/import/commit/:id`,
  permission: 'fin:cost:import',
  params: ImportId,
  reply: z.object({ number: z.string(), rows: z.int(), changed: z.int() }),
});

export const reverseCostImport = endpoint({
  title: '采购成本导入撤销',
  method: 'POST',
  path: `${base}/import/reverse/:id`,
  permission: 'fin:cost:import',
  params: ImportId,
  body: z.object({ reason: Text(200, '原因') }),
  reply: z.object({ number: z.string() }),
});

export const costTemplate = endpoint({
  title: '采购成本导入模板',
  method: 'GET',
  path: `${base}/import/template`,
  permission: 'fin:cost:import',
  file: true,
  reply: z.unknown(),
});

export const ImportBatch = z.object({
  id: Id,
  number: z.string(),
  state: z.enum(['draft', 'posted', 'reversed']),
  fileName: z.string(),
  rows: z.int(),
  by: z.string(),
  at: Instant,
});

/** The last fifty imports, newest first. */
export const listCostImports = endpoint({
  title: '采购成本导入记录',
  method: 'GET',
  path: `${base}/import/list`,
  permission: 'fin:cost:import',
  reply: z.array(ImportBatch),
});
