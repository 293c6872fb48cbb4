import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Decimal, OptionalText, Product, Quantity } from '#kit/contract/field.ts';
import { Site } from '#modules/listing/contract.ts';

export const CATALOG_VIEW = 'amz:catalog:view';
export const CATALOG_EXPORT = 'amz:catalog:export';

export const IdType = z.enum(['ASIN', 'EAN', 'UPC', 'GTIN', 'JAN', 'ISBN', 'SKU']);
export type IdType = z.infer<typeof IdType>;

/** One product of Amazon's catalogue. Lengths in cm and weight in kg of the package. */
export const CatalogItem = z.object({
  asin: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'ASIN 为 10 位大写字母或数字')
    .meta({ title: 'ASIN', kind: 'code', width: 130, hidden: true }),
  product: Product.meta({ title: '商品', kind: 'product', width: 360, pinned: 'left' }),
  brand: z.string().nullable().meta({ title: '品牌', width: 120 }),
  category: z.string().nullable().meta({ title: '分类', width: 140 }),
  productType: z.string().nullable().meta({ title: '商品类型', width: 150 }),
  rank: Quantity.nullable().meta({ title: '大类排名', width: 100 }),
  rankTitle: z.string().nullable().meta({ title: '大类', width: 120 }),
  classRank: Quantity.nullable().meta({ title: '小类排名', width: 100 }),
  size: z.string().nullable().meta({ title: '包裹尺寸(cm)', width: 150 }),
  weight: Decimal.nullable().meta({ title: '包裹重量(kg)', width: 110 }),
  codes: z.string().nullable().meta({ title: '编码', kind: 'code', width: 150 }),
});
export type CatalogItem = z.infer<typeof CatalogItem>;

const Refinement = z.object({ value: z.string(), label: z.string(), count: z.int() });

export const searchCatalog = endpoint({
  title: '商品搜索',
  method: 'POST',
  path: '/amazon/api/v1/product/catalog/search',
  permission: CATALOG_VIEW,
  access: 'read',
  body: z.object({
    site: Site.meta({ title: '店铺/站点' }),
    /** Parted by semicolons, at most 20. */
    keywords: OptionalText(500, '搜索关键词'),
    ids: z.array(z.string().trim().min(1).max(40)).max(20, '一次最多查询 20 个编码').optional().meta({ title: '编码' }),
    idType: IdType.default('ASIN').meta({ title: '编码类型' }),
    brand: OptionalText(200, '品牌'),
    classificationId: z
      .string()
      .regex(/^\d{1,20}$/, '分类不正确')
      .optional()
      .meta({ title: '分类' }),
    pageToken: z.string().max(4000).optional().meta({ title: '页码' }),
  }),
  reply: z.object({
    total: z.int(),
    items: z.array(CatalogItem),
    brands: z.array(Refinement),
    classes: z.array(Refinement),
    next: z.string().nullable(),
    previous: z.string().nullable(),
  }),
});

/** What somebody has fetched, as a file: asking Amazon for it once more would cost calls and might find something else. */
export const exportCatalog = endpoint({
  title: '导出商品搜索',
  method: 'POST',
  path: '/amazon/api/v1/product/catalog/export',
  permission: CATALOG_EXPORT,
  file: true,
  body: z.object({
    site: Site.meta({ title: '店铺/站点' }),
    items: z
      .array(CatalogItem)
      .min(1, '没有可导出的数据')
      .max(2000, '一次最多导出 2,000 个商品')
      .meta({ title: '商品' }),
    format: z.enum(['xlsx', 'csv']).default('xlsx'),
  }),
  reply: z.unknown(),
});

/** Whether the store may sell a product: nothing in the way, something to apply for, or not at all. */
export const checkRestrictions = endpoint({
  title: '跟卖资格检查',
  method: 'POST',
  path: '/amazon/api/v1/product/catalog/restrictions',
  permission: CATALOG_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    site: Site.meta({ title: '店铺/站点' }),
    asin: z
      .string()
      .regex(/^[A-Z0-9]{10}$/, 'ASIN 为 10 位大写字母或数字')
      .meta({ title: 'ASIN' }),
  }),
  reply: z.object({
    allowed: z.boolean(),
    reasons: z.array(
      z.object({
        kind: z.enum(['APPROVAL_REQUIRED', 'ASIN_NOT_FOUND', 'NOT_ELIGIBLE']),
        message: z.string(),
        /** Where approval is asked for. */
        link: z.string().nullable(),
      }),
    ),
  }),
});

/** Product types by a word of theirs or by the title of the product. */
export const searchTypes = endpoint({
  title: '商品类型搜索',
  method: 'POST',
  path: '/amazon/api/v1/product/type/search',
  permission: 'amz:listing:edit',
  access: 'read',
  concurrent: true,
  body: z.object({ site: Site.meta({ title: '店铺/站点' }), keyword: OptionalText(200, '商品类型') }),
  reply: z.array(z.object({ value: z.string(), label: z.string() })),
});
