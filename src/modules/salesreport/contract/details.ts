import { z } from 'zod';
import { Comparison } from '#kit/contract/compare.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Money, Product, Quantity, Rate, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { DIMENSIONS, type Dimension, EXPORT, GOODS, Measure, SalesFilter, VIEW } from './fields.ts';

const base = '/amazon/api/v1/sales';

export const DetailFilter = z.object({
  by: Choice(DIMENSIONS, '维度'),
  measure: Measure,
  ...SalesFilter.shape,
  compare: Comparison,
  ...GOODS,
  sequence: Choice({ newest: '最新在前', oldest: '最早在前' }, '列顺序').meta({ optional: true }),
});
const AnyDetailFilter = DetailFilter.partial();
export type DetailFilter = z.infer<typeof AnyDetailFilter>;

/** A whole number, or an amount as decimal text: which of them the measure says. Null: not known. */
const Figure = z.union([z.string(), z.number()]).nullable();

const CHANGE = '（本期 − 对比期）÷ 对比期；未结束的日子两边都不计';

/** Beside these a row has a figure for each period, under the key that `detailFields` names. */
export const DetailRow = z
  .object({
    /** What the row stands for; '' is what has none. */
    id: z.string().meta({ title: '编号', hidden: true }),
    product: Product.meta({ title: '名称', kind: 'product', width: 250, pinned: 'left' }),
    store: Store.nullable().meta({ title: '店铺', kind: 'store', width: 120 }),
    total: Figure.meta({ title: '合计', kind: 'integer', width: 96 }),
    share: Rate.nullable().meta({ title: '贡献', width: 80, tip: '占筛选结果合计的比例' }),
    totalBefore: Figure.meta({ title: '对比期', kind: 'integer', width: 96 }),
    totalChange: Rate.nullable().meta({ title: '变化', width: 88, tip: CHANGE }),
    currency: z.string().nullable().meta({ title: '币种', hidden: true }),
  })
  .catchall(z.unknown());
export type DetailRow = z.infer<typeof DetailRow>;

export const Column = z.object({
  key: z.string(),
  title: z.string(),
  from: Day,
  to: Day,
  /** The days asked for do not fill it, or it is not over: 未满. */
  partial: z.boolean(),
});
export type Column = z.infer<typeof Column>;

const Span = z.object({ from: Day, to: Day });
const filtered = z.object({ filter: DetailFilter.partial().prefault({}) });

/** How a filter is answered: its periods, what the figures are, and what they lack. */
export const detailFields = endpoint({
  title: '销量详情列',
  method: 'POST',
  path: `${base}/detailFields`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: filtered,
  reply: z.object({
    period: Span,
    /** What the period is held against; null where no day of it is over, or where sales are not known so far back. */
    before: Span.nullable(),
    /** The first day of which sales are known; null before the first order. */
    since: Day.nullable(),
    /** In the order asked for. */
    columns: z.array(Column),
    by: Choice(DIMENSIONS, '维度'),
    measure: z.string(),
    /** Which way is good, for the colour of changes; neither where it is left out. */
    good: z.enum(['up', 'down']).optional(),
    kind: z.enum(['integer', 'money']),
    currency: z.string().nullable(),
    converted: z.boolean(),
    /** 「JPY 2026-07-15」: amounts that no rate converts; they are in no figure. */
    missingRates: z.array(z.string()),
  }),
});

export const listDetails = endpoint({
  title: '销量详情',
  method: 'POST',
  path: `${base}/details`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(DetailFilter),
  sortable: ['total', 'share', 'totalBefore', 'totalChange'],
  reply: Page(DetailRow),
});

export const exportDetails = endpoint({
  title: '导出销量详情',
  method: 'POST',
  path: `${base}/details/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(DetailFilter).extend({ columns: z.array(z.string().max(60)).max(400).optional() }),
  reply: z.unknown(),
});

/** A row by period, beside what it is held against; `out` marks periods with a day without stock to sell. */
export const detailSeries = endpoint({
  title: '销量详情走势',
  method: 'POST',
  path: `${base}/details/series`,
  permission: VIEW,
  access: 'read',
  body: filtered.extend({ key: z.string().max(200).meta({ title: '行' }) }),
  reply: z.object({
    points: z.array(
      Column.extend({
        /** From the oldest on, as decimal text or whole number. */
        now: z.union([z.string(), z.number()]),
        before: z.union([z.string(), z.number()]).nullable(),
        out: z.boolean(),
      }),
    ),
    kind: z.enum(['integer', 'money']),
    currency: z.string().nullable(),
  }),
});

const Named = z.array(z.object({ id: z.string(), name: z.string() }));

/** Choices of the filters that only the server knows. */
export const salesOptions = endpoint({
  title: '销售统计筛选项',
  method: 'GET',
  path: `${base}/options`,
  permission: VIEW,
  concurrent: true,
  reply: z.object({ owners: Named, brands: Named, categories: Named }),
});

/** The row of a filter's answer as grids and files show it: each period a column of the measure. */
export function pivotRow(fields: {
  columns: readonly Column[];
  by: Dimension;
  kind: 'integer' | 'money';
  measure: string;
}): typeof DetailRow {
  const isMoney = fields.kind === 'money';
  const meta = { kind: fields.kind, currency: 'currency', ...(isMoney ? { width: 116 } : {}) };
  const periods = fields.columns.map(({ key, title, from, to, partial }) => [
    key,
    (isMoney ? Money : Quantity).nullable().meta({
      ...meta,
      title: partial ? `${title} 未满` : title,
      width: Math.max(isMoney ? 112 : 72, title.length * 8 + (partial ? 60 : 20)),
      tip: from === to ? from : `${from} 至 ${to}${partial ? '，未满' : ''}`,
    }),
  ]);
  const { product, store, total, totalBefore } = DetailRow.shape;
  const wide: z.ZodObject = DetailRow.extend({
    product: product.meta({ title: DIMENSIONS[fields.by] }),
    // Of all others a row is of several stores, or says it already.
    store: store.meta({ hidden: fields.by !== 'msku' }),
    total: total.meta({ ...meta, title: fields.measure, tip: '筛选日期内合计' }),
    totalBefore: totalBefore.meta(meta),
    ...Object.fromEntries(periods),
  });
  return wide as typeof DetailRow;
}
