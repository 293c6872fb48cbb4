import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, OptionalText, Quantity, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, EDIT, Success, Version, VIEW } from './fields.ts';

const Changed = {
  updatedBy: z.string().meta({ title: '修改人', kind: 'person', width: 110 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  version: z.int(),
};
const Saving = { id: Id.optional(), version: Version.optional() };

export const BrandRow = z.object({
  id: Id,
  name: z.string().meta({ title: '品牌名称', width: 220, pinned: 'left' }),
  trademarkNo: z.string().nullable().meta({ title: '商标号', kind: 'code', width: 150 }),
  validUntil: Day.nullable().meta({ title: '有效期', width: 130 }),
  products: Quantity.meta({ title: '产品数', width: 90 }),
  remark: z.string().nullable().meta({ title: '备注', width: 240 }),
  ...Changed,
});
export type BrandRow = z.infer<typeof BrandRow>;

export const BrandFilter = z.object({ name: z.string().trim().max(100).meta({ title: '品牌名称' }) });

export const BrandForm = z.object({
  name: Text(100, '品牌名称'),
  trademarkNo: OptionalText(50, '商标号'),
  validUntil: Day.nullable().optional().meta({ title: '有效期' }),
  remark: OptionalText(500, '备注'),
});

export const listBrands = endpoint({
  title: '品牌列表',
  method: 'POST',
  path: `${base}/brand/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(BrandFilter),
  sortable: ['name', 'validUntil', 'updatedAt'],
  reply: Page(BrandRow),
});

export const saveBrand = endpoint({
  title: '保存品牌',
  method: 'POST',
  path: `${base}/brand/save`,
  permission: EDIT,
  body: BrandForm.extend(Saving),
  reply: Id,
});

export const deleteBrand = endpoint({
  title: '删除品牌',
  method: 'POST',
  path: `${base}/brand/delete`,
  permission: EDIT,
  body: ById,
  reply: Success,
});

const Merge = z.object({
  from: Id.meta({ title: '被合并', hidden: true }),
  to: Id.meta({ title: '合并到', hidden: true }),
});

/** Products of `from` belong to `to` afterwards, and `from` is gone. */
export const mergeBrands = endpoint({
  title: '合并品牌',
  method: 'POST',
  path: `${base}/brand/merge`,
  permission: EDIT,
  body: Merge,
  reply: z.object({ moved: z.int() }),
});

export const CategoryColor = Choice({ info: '灰', blue: '蓝', success: '绿', warning: '黄', danger: '红' }, '颜色');

export const CategoryRow = z.object({
  id: Id,
  parentId: Id.nullable(),
  level: z.int(),
  name: z.string().meta({ title: '名称', width: 240 }),
  code: z.string().nullable().meta({ title: '编码', kind: 'code', width: 120 }),
  color: CategoryColor.meta({ width: 70 }),
  safetyDays: z.int().nullable().meta({ title: '默认安全天数', kind: 'integer', width: 110 }),
  hsCode: z.string().nullable().meta({ title: '默认海关编码', kind: 'code', width: 130 }),
  products: Quantity.meta({ title: '产品数', width: 90 }),
  sort: z.int(),
  ...Changed,
});
export type CategoryRow = z.infer<typeof CategoryRow>;

export const CategoryForm = z.object({
  name: Text(100, '名称'),
  parentId: Id.nullable().optional().meta({ title: '上级品类', hidden: false, kind: 'text' }),
  code: OptionalText(30, '编码'),
  color: CategoryColor.default('info'),
  safetyDays: z.int().min(0).max(365).nullable().optional().meta({ title: '默认安全天数', kind: 'integer' }),
  hsCode: z
    .string()
    .trim()
    .regex(/^(\d{10})?$/, '海关编码为10位数字')
    .optional()
    .meta({ title: '默认海关编码', kind: 'code' }),
  sort: z.int().min(0).max(9999).default(0).meta({ title: '排序', kind: 'integer' }),
});

/** The whole tree, first levels before their children. */
export const listCategories = endpoint({
  title: '品类列表',
  method: 'POST',
  path: `${base}/category/list`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    name: z.string().trim().max(100).optional().meta({ title: '名称' }),
    level: z.int().min(1).max(2).optional().meta({ title: '级别' }),
  }),
  reply: z.array(CategoryRow),
});

export const saveCategory = endpoint({
  title: '保存品类',
  method: 'POST',
  path: `${base}/category/save`,
  permission: EDIT,
  body: CategoryForm.extend(Saving),
  reply: Id,
});

export const deleteCategory = endpoint({
  title: '删除品类',
  method: 'POST',
  path: `${base}/category/delete`,
  permission: EDIT,
  body: ById,
  reply: Success,
});

export const mergeCategories = endpoint({
  title: '合并品类',
  method: 'POST',
  path: `${base}/category/merge`,
  permission: EDIT,
  body: Merge,
  reply: z.object({ moved: z.int() }),
});

/** Puts a category under another parent (null: to the first level) and the children of that parent into this order. */
export const moveCategory = endpoint({
  title: '移动品类',
  method: 'POST',
  path: `${base}/category/move`,
  permission: EDIT,
  body: ById.extend({
    parentId: Id.nullable().meta({ title: '上级品类', hidden: true }),
    order: z.array(Id).max(1000).meta({ title: '顺序' }),
  }),
  reply: Success,
});

export const Attribute = z.object({
  name: Text(20, '属性名'),
  values: z.array(Text(30, '属性值')).min(1, '请填写属性值').max(50),
});
export type Attribute = z.infer<typeof Attribute>;

export const ModelRow = z.object({
  id: Id,
  spu: z.string().meta({ title: '型号(SPU)', kind: 'code', width: 150, pinned: 'left' }),
  name: z.string().meta({ title: '名称', width: 220 }),
  attributeText: z.string().meta({ title: '变体属性', width: 280 }),
  attributes: z.array(Attribute),
  products: Quantity.meta({ title: 'SKU数', width: 80 }),
  brandId: Id.nullable(),
  brand: z.string().nullable().meta({ title: '品牌', width: 120 }),
  categoryId: Id.nullable(),
  category: z.string().nullable().meta({ title: '品类', width: 160 }),
  ...Changed,
});
export type ModelRow = z.infer<typeof ModelRow>;

export const ModelFilter = z.object({ spu: z.string().trim().max(50).meta({ title: '型号(SPU)' }) });

export const ModelForm = z.object({
  spu: Text(50, '型号(SPU)'),
  name: OptionalText(150, '名称'),
  brandId: Id.nullable().optional().meta({ title: '品牌', hidden: false, kind: 'text' }),
  categoryId: Id.nullable().optional().meta({ title: '品类', hidden: false, kind: 'text' }),
  attributes: z.array(Attribute).max(4, '最多4个变体属性').default([]).meta({ title: '变体属性' }),
});

export const listModels = endpoint({
  title: '型号列表',
  method: 'POST',
  path: `${base}/model/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ModelFilter),
  sortable: ['spu', 'name', 'updatedAt'],
  reply: Page(ModelRow),
});

export const saveModel = endpoint({
  title: '保存型号',
  method: 'POST',
  path: `${base}/model/save`,
  permission: EDIT,
  body: ModelForm.extend(Saving),
  reply: Id,
});

export const deleteModel = endpoint({
  title: '删除型号',
  method: 'POST',
  path: `${base}/model/delete`,
  permission: EDIT,
  body: ById,
  reply: Success,
});

/** One product for every combination of the model's attributes that has none yet; at most 200 at once. */
export const buildModel = endpoint({
  title: '生成型号SKU',
  method: 'POST',
  path: `${base}/model/build`,
  permission: EDIT,
  body: ById,
  reply: z.object({ created: z.array(z.string()) }),
});

const Option = z.object({ id: Id, name: z.string() });

/** What the filters and forms of products offer. */
export const productOptions = endpoint({
  title: '产品选项',
  method: 'GET',
  path: `${base}/material/options`,
  permission: 'login',
  reply: z.object({
    brands: z.array(Option),
    categories: z.array(Option),
    models: z.array(Option),
    people: z.array(Option),
    suppliers: z.array(Option),
    tags: z.array(Option),
  }),
});
