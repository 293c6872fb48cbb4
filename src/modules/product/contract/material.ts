import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Money, OptionalText, Product, Quantity, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import {
  ARCHIVE,
  ById,
  base,
  COST,
  EDIT,
  EXPORT,
  Hazard,
  Kind,
  Lifecycle,
  QcLevel,
  Share,
  Sku,
  Structure,
  Success,
  Version,
  VIEW,
} from './fields.ts';
import { Bom, Box, ConsumableUse, Customs, Dimension, Media, Supply, SupplyShown } from './parts.ts';

export const ProductRow = z.object({
  id: Id,
  product: Product.meta({ title: '名称/SKU', kind: 'product', width: 280, pinned: 'left' }),
  sku: z.string().meta({ title: 'SKU', kind: 'code', width: 150, optional: true }),
  name: z.string().meta({ title: '名称', width: 220, optional: true }),
  lifecycle: Lifecycle.meta({ width: 90 }),
  structure: Structure.meta({ title: '结构', width: 70 }),
  category: z.string().nullable().meta({ title: '品类', width: 150 }),
  brand: z.string().nullable().meta({ title: '品牌', width: 110 }),
  specification: z.string().nullable().meta({ title: '规格', width: 130 }),
  weight: z.string().nullable().meta({ title: '重量(kg)', kind: 'rate', width: 90 }),
  size: z.string().nullable().meta({ title: '长×宽×高(cm)', width: 140 }),
  unitCost: Money.nullable().meta({ title: '采购成本', currency: 'CNY', width: 100, permission: COST }),
  supplier: z.string().nullable().meta({ title: '默认供应商', width: 130 }),
  leadDays: z.int().nullable().meta({ title: '供货周期(天)', kind: 'integer', width: 100 }),
  tags: z.string().meta({ title: '标签', width: 140 }),
  owner: z.string().nullable().meta({ title: '负责人', kind: 'person', width: 110 }),
  purchaser: z.string().nullable().meta({ title: '采购员', kind: 'person', width: 110, optional: true }),
  effectiveDate: Day.nullable().meta({ title: '生效日期', width: 110 }),
  barcode: z.string().nullable().meta({ title: '条码', kind: 'code', width: 130, optional: true }),
  kind: Kind.meta({ width: 80, optional: true }),
  model: z.string().nullable().meta({ title: '型号', kind: 'code', width: 120, optional: true }),
  unit: z.string().meta({ title: '单位', width: 60, optional: true }),
  qcLevel: QcLevel.meta({ width: 70, optional: true }),
  hsCode: z.string().nullable().meta({ title: '海关编码', kind: 'code', width: 120, optional: true }),
  updatedBy: z.string().meta({ title: '修改人', kind: 'person', width: 110, optional: true }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  version: z.int(),
});
export type ProductRow = z.infer<typeof ProductRow>;

export const ProductFilter = z.object({
  lifecycle: Lifecycle,
  skus: z.array(z.string().trim().max(100)).max(500).meta({ title: 'SKU', kind: 'code' }),
  name: z.string().trim().max(100).meta({ title: '名称' }),
  supplierId: z.array(Id).max(50).meta({ title: '供应商', kind: 'choice', hidden: false }),
  categoryId: z.array(Id).max(200).meta({ title: '品类', kind: 'choice', hidden: false }),
  ownerId: z.array(Id).max(50).meta({ title: '负责人', kind: 'choice', hidden: false }),
  structure: Structure.meta({ title: '结构', optional: true }),
  brandId: z.array(Id).max(50).meta({ title: '品牌', kind: 'choice', hidden: false, optional: true }),
  tagId: z.array(Id).max(50).meta({ title: '标签', kind: 'choice', hidden: false, optional: true }),
  missing: Choice({ cost: '缺成本', weight: '缺重量', hs: '缺海关编码', image: '缺图片' }, '资料缺失').meta({
    optional: true,
  }),
  kind: z.array(Kind).max(4).meta({ title: '类型', optional: true }),
});
const AnyFilter = ProductFilter.partial();
export type ProductFilter = z.infer<typeof AnyFilter>;

export const listProducts = endpoint({
  title: '本地产品列表',
  method: 'POST',
  path: `${base}/material/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ProductFilter),
  sortable: ['product', 'sku', 'effectiveDate', 'updatedAt'],
  reply: Page(ProductRow),
});

export const countProducts = endpoint({
  title: '本地产品数量',
  method: 'POST',
  path: `${base}/material/statusCounts`,
  permission: VIEW,
  access: 'read',
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportProducts = endpoint({
  title: '导出本地产品',
  method: 'POST',
  path: `${base}/material/export`,
  permission: EXPORT,
  access: 'read',
  body: ExportQuery(ProductFilter),
  file: true,
  reply: z.unknown(),
});

const Nullable = (max: number, title: string) => OptionalText(max, title).nullable();
const Ref = (title: string) => Id.nullable().optional().meta({ title, hidden: false, kind: 'text' });

/** The facts of a product that are its own; references by id. No defaults here: what a save leaves out stays. */
export const ProductFacts = z.object({
  sku: Sku,
  name: Text(500, '名称'),
  kind: Kind,
  lifecycle: Lifecycle,
  brandId: Ref('品牌'),
  categoryId: Ref('品类'),
  modelId: Ref('型号'),
  barcode: Nullable(50, '条码'),
  specification: Nullable(200, '规格').meta({ title: '规格' }),
  unit: Text(10, '单位').meta({ title: '单位' }),
  ownerId: Ref('负责人'),
  purchaserId: Ref('采购员'),
  effectiveDate: Day.nullable().optional().meta({ title: '生效日期' }),
  hazards: z.array(Hazard).max(4).meta({ title: '敏感货' }),
  qcLevel: QcLevel,
  safetyShare: Share('安全库存%', 10).nullable().optional(),
  tagIds: z.array(Id).max(30).meta({ title: '标签', hidden: false }),
  remark: Nullable(1000, '备注'),
});
export type ProductFacts = z.infer<typeof ProductFacts>;

const Cost = z
  .string()
  .trim()
  .regex(/^\d{1,12}(\.\d{1,4})?$/, '请输入正确的金额')
  .refine((value) => Number(value) > 0, '采购成本必须大于0')
  .meta({ title: '采购成本', kind: 'money', currency: 'CNY', permission: COST });

/** Left out parts stay as they are. */
const Parts = {
  dimensions: z.array(Dimension).max(3).optional().meta({ title: '尺寸重量' }),
  customs: z.array(Customs).max(60).optional().meta({ title: '报关' }),
  consumables: z.array(ConsumableUse).max(50).optional().meta({ title: '辅料' }),
  supplies: z.array(Supply).max(30).optional().meta({ title: '供应商' }),
  box: Box.nullable().optional(),
  unitCost: Cost.optional(),
};

export const saveProduct = endpoint({
  title: '保存产品',
  method: 'POST',
  path: `${base}/material/save`,
  permission: EDIT,
  body: ProductFacts.partial().extend({
    sku: Sku,
    name: Text(500, '名称'),
    id: Id.optional(),
    version: Version.optional(),
    ...Parts,
  }),
  reply: z.object({ id: Id, version: z.int() }),
});
export type ProductInput = z.infer<typeof saveProduct.body>;

export const ProductDetail = ProductFacts.extend({
  id: Id,
  version: z.int(),
  structure: Structure,
  image: z.string().nullable(),
  brand: z.string().nullable(),
  category: z.string().nullable(),
  model: z.string().nullable(),
  owner: z.string().nullable(),
  purchaser: z.string().nullable(),
  tags: z.array(z.object({ id: Id, name: z.string(), color: z.string() })),
  dimensions: z.array(Dimension),
  customs: z.array(Customs),
  consumables: z.array(ConsumableUse.extend({ sku: z.string(), name: z.string() })),
  supplies: z.array(SupplyShown),
  box: Box.nullable(),
  media: z.array(Media),
  bom: Bom.nullable(),
  bomVersions: z.array(
    z.object({ versionNo: z.int(), effectiveFrom: Day, by: z.string(), at: Instant, lines: z.int() }),
  ),
  unitCost: Money.nullable().meta({ permission: COST }),
  costs: z.array(z.object({ day: Day, unitCost: Money })).meta({ permission: COST }),
  listings: z.array(
    z.object({
      accountId: Id,
      store: z.string(),
      country: z.string(),
      msku: z.string(),
      asin: z.string().nullable(),
      name: z.string(),
      qty: z.int(),
    }),
  ),
  updatedBy: z.string(),
  updatedAt: Instant,
});
export type ProductDetail = z.infer<typeof ProductDetail>;

export const productDetail = endpoint({
  title: '产品详情',
  method: 'GET',
  path: `${base}/material/detail/:id`,
  permission: VIEW,
  params: ById,
  reply: ProductDetail,
});

export const productHistory = endpoint({
  title: '产品变更历史',
  method: 'GET',
  path: `${base}/material/history/:id`,
  permission: VIEW,
  params: ById,
  reply: z.array(
    z.object({
      at: Instant,
      by: z.string(),
      action: z.string(),
      changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
    }),
  ),
});

/** Stock of a product by place; empty until a module that keeps stock answers. */
export const productStock = endpoint({
  title: '产品库存',
  method: 'GET',
  path: `${base}/material/stock/:id`,
  permission: VIEW,
  params: ById,
  reply: z.array(z.object({ place: z.string(), kind: z.string(), available: Quantity, total: Quantity })),
});

/** A table about the product that another module fills. */
export const ProductTabData = z.object({
  key: z.string(),
  title: z.string(),
  /** As columns of a list: `kind` says how a value is shown. */
  columns: z.array(z.looseObject({ key: z.string(), title: z.string(), kind: z.string() })),
  rows: z.array(z.record(z.string(), z.unknown())),
});
export type ProductTabData = z.infer<typeof ProductTabData>;

/** Cost layers, purchases, inspections: what the modules above know of it and the caller may see. */
export const productTabs = endpoint({
  title: '产品关联记录',
  method: 'GET',
  path: `${base}/material/related/:id`,
  permission: VIEW,
  params: ById,
  reply: z.array(ProductTabData),
});

/** The same change to many products; a field that is left out stays. Answers per product. */
export const batchUpdate = endpoint({
  title: '批量修改产品',
  method: 'POST',
  path: `${base}/material/batchUpdate`,
  permission: EDIT,
  body: z.object({
    ids: z.array(Id).min(1, '请选择产品').max(1000, '一次最多1000个产品').meta({ title: '产品' }),
    set: z.object({
      ownerId: Ref('负责人'),
      purchaserId: Ref('采购员'),
      brandId: Ref('品牌'),
      categoryId: Ref('品类'),
      qcLevel: QcLevel.optional(),
      lifecycle: z.enum(['developing', 'active', 'clearance']).optional().meta({ title: '状态' }),
      leadDays: z.int().min(0).max(730).optional().meta({ title: '供货周期(天)', kind: 'integer' }),
      unitCost: Cost.optional(),
      addTagIds: z.array(Id).max(30).optional().meta({ title: '添加标签', hidden: false }),
      removeTagIds: z.array(Id).max(30).optional().meta({ title: '移除标签', hidden: false }),
      dimension: Dimension.optional(),
      consumables: z.array(ConsumableUse).max(50).optional().meta({ title: '辅料' }),
    }),
  }),
  reply: z.object({ changed: z.int(), problems: z.array(z.object({ sku: z.string(), reason: z.string() })) }),
});

const Many = z.object({ ids: z.array(Id).min(1, '请选择产品').max(1000).meta({ title: '产品' }) });

export const offlineProducts = endpoint({
  title: '停用产品',
  method: 'POST',
  path: `${base}/material/offline`,
  permission: ARCHIVE,
  body: Many,
  reply: z.object({ changed: z.int(), problems: z.array(z.object({ sku: z.string(), reason: z.string() })) }),
});

export const restoreProducts = endpoint({
  title: '恢复产品',
  method: 'POST',
  path: `${base}/material/restore`,
  permission: ARCHIVE,
  body: Many,
  reply: z.object({ changed: z.int() }),
});

/** Products by the beginning of SKU or barcode, or by words of the name: for pickers. */
export const findProducts = endpoint({
  title: '查找产品',
  method: 'POST',
  path: `${base}/material/find`,
  permission: 'login',
  access: 'read',
  body: z.object({
    text: z.string().trim().max(100).default('').meta({ title: '搜索内容' }),
    kinds: z.array(Kind).max(4).optional().meta({ title: '类型' }),
    limit: z.int().min(1).max(50).default(20).meta({ title: '条数' }),
  }),
  reply: z.array(
    z.object({ id: Id, sku: z.string(), name: z.string(), image: z.string().nullable(), structure: Structure }),
  ),
});

export const ConsumableRow = ProductRow.pick({
  id: true,
  product: true,
  sku: true,
  lifecycle: true,
  unit: true,
  unitCost: true,
  supplier: true,
  leadDays: true,
  version: true,
}).extend({
  safetyShare: z.string().nullable().meta({ title: '安全库存%', kind: 'percent', width: 100 }),
  usedBy: Quantity.meta({ title: '主SKU数', width: 90 }),
});
export type ConsumableRow = z.infer<typeof ConsumableRow>;

export const PackageRow = ProductRow.pick({
  id: true,
  product: true,
  sku: true,
  lifecycle: true,
  unitCost: true,
  supplier: true,
  version: true,
}).extend({
  inner: z.string().nullable().meta({ title: '内径(cm)', width: 140 }),
  outer: z.string().nullable().meta({ title: '外径(cm)', width: 140 }),
  loadWeight: z.string().nullable().meta({ title: '承重(kg)', kind: 'rate', width: 90 }),
  ownWeight: z.string().nullable().meta({ title: '自重(kg)', kind: 'rate', width: 90 }),
});
export type PackageRow = z.infer<typeof PackageRow>;

export const SimpleFilter = z.object({
  lifecycle: Lifecycle,
  skus: z.array(z.string().trim().max(100)).max(500).meta({ title: 'SKU', kind: 'code' }),
  name: z.string().trim().max(100).meta({ title: '名称' }),
});

export const listConsumables = endpoint({
  title: '辅料列表',
  method: 'POST',
  path: `${base}/consumable/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(SimpleFilter),
  sortable: ['product', 'sku'],
  reply: Page(ConsumableRow),
});

export const listPackages = endpoint({
  title: '箱子列表',
  method: 'POST',
  path: `${base}/package/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(SimpleFilter),
  sortable: ['product', 'sku'],
  reply: Page(PackageRow),
});

/** Codes of consumables and boxes are printed on small labels: letters, digits and Chinese, `.`, `-` and `_`. */
const shortSku = (pattern: RegExp) => ({
  sku: z.string().trim().regex(pattern, 'SKU只能用文字、数字和 . - _').meta({ title: 'SKU', kind: 'code' }),
});
export const saveConsumable = endpoint({
  ...saveProduct,
  title: '保存辅料',
  path: `${base}/consumable/save`,
  body: saveProduct.body.extend(shortSku(/^[A-Za-z0-9\u4e00-\u9fff][\w\u4e00-\u9fff.-]{0,39}$/)),
});
export const savePackage = endpoint({
  ...saveProduct,
  title: '保存箱子',
  path: `${base}/package/save`,
  body: saveProduct.body.extend(shortSku(/^[A-Za-z0-9\u4e00-\u9fff][\w\u4e00-\u9fff.-]{1,29}$/)),
});

/** Only what nothing refers to can be deleted; anything else is taken out of use. */
export const deleteConsumable = endpoint({
  title: '删除辅料',
  method: 'POST',
  path: `${base}/consumable/delete`,
  permission: ARCHIVE,
  body: ById,
  reply: Success,
});
export const deletePackage = endpoint({ ...deleteConsumable, title: '删除箱子', path: `${base}/package/delete` });
