import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, OptionalText, Product, Quantity, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { MOST_LABELS, UnitLayout } from '#kit/contract/unit-layout.ts';
import { CONDITIONS, Site } from '../contract.ts';

export const LABEL_PRINT = 'amz:label:print';
export const LABEL_REPRINT = 'amz:label:reprint';

const base = '/amazon/api/v1/product/label';
/** Listings that one print is of. */
export const MOST_LISTINGS = 500;
/** The refusal that asks whether pieces with a maker's barcode are meant. */
export const MAKERS_CODE = 'B0796';

const Condition = z.string().nullable().meta({ title: '商品状况', kind: 'choice', states: CONDITIONS, width: 90 });

/** A listing that labels may be printed for. Amazon tells those by the maker's barcode that have their ASIN for FNSKU. */
export const LabelGood = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  fnsku: z.string().nullable().meta({ title: 'FNSKU', kind: 'code', width: 110 }),
  condition: Condition,
  makersCode: z.boolean().meta({ title: '制造商条码', kind: 'boolean', width: 90 }),
});
export type LabelGood = z.infer<typeof LabelGood>;

/** Listings by id or by exact SKU; SKUs that no store has are absent. */
export const labelGoods = endpoint({
  title: '标签可选商品',
  method: 'POST',
  path: `${base}/goods`,
  permission: LABEL_PRINT,
  access: 'read',
  body: z.object({
    ids: z.array(Id).max(MOST_LISTINGS, `一次最多 ${MOST_LISTINGS} 个商品`).default([]).meta({ title: '商品' }),
    skus: z
      .array(z.string().trim().min(1).max(60))
      .max(MOST_LISTINGS, `一次最多 ${MOST_LISTINGS} 个商品`)
      .default([])
      .meta({ title: 'MSKU' }),
  }),
  reply: z.array(LabelGood),
});

const Layout = UnitLayout.default('GRID_24');
const Used = z.int().min(0).max(43).default(0).meta({ title: '首页已用张数' });

/** FNSKU labels as a PDF; what was printed is written down. */
export const printLabels = endpoint({
  title: '打印FNSKU标签',
  method: 'POST',
  path: `${base}/print`,
  permission: LABEL_PRINT,
  file: true,
  body: z.object({
    items: z
      .array(
        z.object({
          id: Id.meta({ title: '商品' }),
          copies: z
            .int('打印数量需为 1–10000 的整数')
            .min(1, '打印数量需为 1–10000 的整数')
            .max(MOST_LABELS, '打印数量需为 1–10000 的整数')
            .meta({ title: '打印数量' }),
        }),
      )
      .min(1, '请选择商品')
      .max(MOST_LISTINGS, `一次最多 ${MOST_LISTINGS} 个商品`)
      .meta({ title: '明细' }),
    layout: Layout,
    used: Used,
    /** Listings with the maker's barcode are meant. */
    confirmed: z.boolean().default(false).meta({ title: '确认打印制造商条码商品' }),
  }),
  reply: z.unknown(),
});

/** Prints again what stood on the labels then, whatever the listings say now. */
export const reprintLabels = endpoint({
  title: '重打FNSKU标签',
  method: 'POST',
  path: `${base}/reprint`,
  permission: LABEL_REPRINT,
  file: true,
  body: z.object({
    ids: z.array(Id).min(1, '请选择打印记录').max(MOST_LISTINGS).meta({ title: '打印记录' }),
    reason: z.string().trim().min(1, '请填写重打原因').max(200).meta({ title: '重打原因' }),
    layout: Layout,
    used: Used,
  }),
  reply: z.unknown(),
});

/** Labels of one listing that were printed at once. */
export const LabelPrint = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 280, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  fnsku: z.string().meta({ title: 'FNSKU', kind: 'code', width: 120 }),
  condition: Condition,
  copies: Quantity.meta({ title: '打印数量', width: 90 }),
  layout: UnitLayout.meta({ width: 200 }),
  reprint: z.boolean().meta({ title: '重打', kind: 'boolean', width: 70 }),
  reason: z.string().meta({ title: '重打原因', width: 180 }),
  createdBy: z.string().meta({ title: '打印人', width: 100 }),
  createdAt: Instant.meta({ title: '打印时间', width: 130 }),
});
export type LabelPrint = z.infer<typeof LabelPrint>;

export const LabelFilter = z.object({
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  reprint: z.boolean().meta({ title: '重打' }),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '打印日期', kind: 'date' }),
  keyword: OptionalText(100, '标题/SKU/FNSKU/ASIN'),
});
const AnyFilter = LabelFilter.partial();
export type LabelFilter = z.infer<typeof AnyFilter>;

export const listLabelPrints = endpoint({
  title: '标签打印记录',
  method: 'POST',
  path: `${base}/jobs`,
  permission: LABEL_PRINT,
  access: 'read',
  body: PageQuery(LabelFilter),
  sortable: ['createdAt', 'copies'],
  reply: Page(LabelPrint),
});

export const exportLabelPrints = endpoint({
  title: '导出标签打印记录',
  method: 'POST',
  path: `${base}/export`,
  permission: 'amz:listing:export',
  file: true,
  body: ExportQuery(LabelFilter),
  reply: z.unknown(),
});
