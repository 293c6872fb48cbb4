import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Decimal, Id, Instant, Text } from '#kit/contract/field.ts';
import { base, EDIT, Model } from './fields.ts';

export const OverrideMode = Choice({ ABS: '每天销量', PCT: '按比例', MONTH: '区间总量' }, '方式');
export type OverrideMode = z.infer<typeof OverrideMode>;

export const OverrideRow = z.object({
  id: Id,
  from: Day.meta({ title: '开始', width: 110 }),
  to: Day.meta({ title: '结束', width: 110 }),
  mode: OverrideMode.meta({ width: 90 }),
  value: Decimal.meta({ title: '数值', width: 90, tip: '按比例：1.2 为模型的 120%' }),
  reason: z.string().meta({ title: '原因', width: 200 }),
  createdBy: z.string().meta({ title: '操作人', width: 90 }),
  createdAt: Instant.meta({ title: '时间', width: 130 }),
  clearedBy: z.string().nullable().meta({ title: '撤销人', width: 90 }),
});
export type OverrideRow = z.infer<typeof OverrideRow>;

const Ids = z.array(Id).min(1, '请选择商品').max(500, '一次最多 500 个商品').meta({ title: '商品' });

/** What is changed: units of each day, a share of the model (1.2 is 120 %), or units of all the days together. 0 sells none. */
export const OverrideForm = z
  .object({
    mode: OverrideMode,
    value: z
      .string()
      .trim()
      .regex(/^\d{1,7}(\.\d{1,4})?$/, '请输入不小于 0 的数字，最多四位小数')
      .meta({ title: '数值', kind: 'rate' }),
    from: Day.meta({ title: '开始' }),
    to: Day.meta({ title: '结束' }),
    reason: Text(200, '原因'),
  })
  .refine(({ from, to }) => from <= to, { message: '结束日期不能早于开始日期', path: ['to'] })
  .refine(({ mode, value }) => mode !== 'PCT' || Number(value) <= 20, {
    message: '比例不能超过 20（2000%）',
    path: ['value'],
  });

/** Changes the forecast of items, and publishes them at once. */
export const saveOverride = endpoint({
  title: '人工干预预测',
  method: 'POST',
  path: `${base}/override`,
  permission: EDIT,
  body: z.object({ ids: Ids, override: OverrideForm }),
  reply: z.object({ changed: z.int() }),
});

/** Takes changes back: the named ones, or all that stand of the items. */
export const clearOverrides = endpoint({
  title: '清空干预',
  method: 'POST',
  path: `${base}/clearOverride`,
  permission: EDIT,
  body: z
    .object({ ids: Ids.optional(), overrideIds: z.array(Id).max(500).optional().meta({ title: '干预' }) })
    .refine(({ ids, overrideIds }) => (ids ?? overrideIds ?? []).length > 0, '请选择商品或干预'),
  reply: z.object({ cleared: z.int() }),
});

/** Which model an item keeps (null: the scores choose), and which SKUs a new one is like; from the next run on. */
export const saveCare = endpoint({
  title: '设置预测模型与参考品',
  method: 'POST',
  path: `${base}/care`,
  permission: EDIT,
  body: z.object({
    ids: Ids,
    lockedModel: Model.nullable().optional(),
    referenceSkus: z
      .array(z.string().trim().min(1).max(60))
      .max(5, '最多 5 个参考品')
      .optional()
      .meta({ title: '参考品' }),
  }),
  reply: z.object({ changed: z.int() }),
});

const Problem = z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() });

/**
 * Takes changes from a sheet, a row each: a store, a site, a SKU, the days or a month, and what is expected of them. Without
 * `write` rows are only checked; one bad row is enough that nothing is written. What stands already is not put beside itself.
 */
export const importOverrides = endpoint({
  title: '导入预测干预',
  method: 'POST',
  path: `${base}/import`,
  permission: EDIT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    /** Rows that say something new. */
    fresh: z.int(),
    written: z.boolean(),
    problems: z.array(Problem),
  }),
});

export const overrideTemplate = endpoint({
  title: '预测干预导入模板',
  method: 'GET',
  path: `${base}/template`,
  permission: EDIT,
  file: true,
  reply: z.unknown(),
});
