import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Decimal, Id, Instant, Money, Product, States, Store, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, COST, EDIT, EXPORT, VIEW } from './fields.ts';

/** `implied`: no row of its own; the listing is called like the product. `conflict`: see MatchConflict. */
export const MatchState = States(
  {
    unmatched: { title: '未配对', tone: 'waiting' },
    conflict: { title: '冲突', tone: 'trouble' },
    implied: { title: '同名', tone: 'running' },
    matched: { title: '已配对', tone: 'done' },
  },
  '状态',
);
export type MatchState = z.infer<typeof MatchState>;

export const MatchWay = Choice(
  {
    manual: '手工',
    suggest: '采纳建议',
    inherit: '继承',
    exact: '同名规则',
    affix: '前后缀规则',
    wildcard: '通配符规则',
    country: '国家后缀规则',
    head: '截取规则',
    regex: '正则规则',
    import: '导入',
    rename: '改名保留',
    implied: '自动同码',
  },
  '来源',
);
export type MatchWay = z.infer<typeof MatchWay>;

/** Listings that should stand for the same and do not: one MSKU on two sites of an account, or one FNSKU. */
export const MatchConflict = Choice({ msku: '同一MSKU在各站点配对不同', fnsku: '同一FNSKU配对不同' }, '冲突原因');
export type MatchConflict = z.infer<typeof MatchConflict>;

/** `bundle`: the product is made of others. */
export const Part = z.object({
  productId: Id,
  sku: z.string(),
  name: z.string(),
  qty: z.int(),
  bundle: z.boolean().optional(),
});
export type MatchPart = z.infer<typeof Part>;

export const MatchRow = z.object({
  /** Id of the listing. */
  id: Id,
  matchId: Id.nullable(),
  accountId: Id,
  marketplaceId: z.string(),
  product: Product.meta({ title: 'MSKU', kind: 'product', width: 300, pinned: 'left' }),
  store: Store.meta({ title: '店铺-站点', kind: 'store', width: 140 }),
  msku: z.string().meta({ title: 'MSKU', kind: 'code', width: 160, optional: true }),
  asin: z.string().nullable().meta({ title: 'ASIN', kind: 'code', width: 110 }),
  fnsku: z.string().nullable().meta({ title: 'FNSKU', kind: 'code', width: 110 }),
  state: MatchState.meta({ width: 90 }),
  conflict: MatchConflict.nullable().meta({ width: 180, optional: true }),
  fba: z.int().nullable().meta({ title: 'FBA库存', kind: 'integer', width: 90, tip: '亚马逊在库件数' }),
  partsText: z.string().meta({ title: '本地SKU×数量', width: 260 }),
  units: z.int().nullable().meta({ title: '每件数量', kind: 'integer', width: 90, tip: '一件商品含多少件本地产品' }),
  local: z
    .int()
    .nullable()
    .meta({ title: '本地库存', kind: 'integer', width: 90, tip: '各仓库可用库存够配成多少件商品' }),
  unitCost: Money.nullable().meta({
    title: '采购价',
    currency: 'CNY',
    width: 110,
    permission: COST,
    tip: '一件商品所含本地产品的采购成本之和',
  }),
  weight: Decimal.nullable().meta({ title: '重量(kg)', width: 90, tip: '一件商品所含本地产品的重量之和' }),
  way: MatchWay.nullable().meta({ width: 100 }),
  validFrom: Day.nullable().meta({ title: '生效日期', width: 110 }),
  validTo: Day.nullable().meta({ title: '失效日期', width: 110 }),
  updatedBy: z.string().nullable().meta({ title: '修改人', kind: 'person', width: 110 }),
  updatedAt: Instant.nullable().meta({ title: '修改时间', width: 130 }),
  parts: z.array(Part),
});
export type MatchRow = z.infer<typeof MatchRow>;

export const Site = z
  .string()
  .regex(/^[A-Z0-9]{1,20}-[0-9a-f-]{36}$/, '站点格式有误')
  .meta({ title: '站点' });

export const MatchFilter = z.object({
  state: MatchState,
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  mskus: z.array(z.string().trim().max(100)).max(500).meta({ title: 'MSKU', kind: 'code' }),
  sku: z.string().trim().max(50).meta({ title: '本地SKU' }),
  asin: z.string().trim().max(20).meta({ title: 'ASIN', optional: true }),
  fnsku: z.string().trim().max(20).meta({ title: 'FNSKU', optional: true }),
});
const AnyFilter = MatchFilter.partial();
export type MatchFilter = z.infer<typeof AnyFilter>;

export const listMatches = endpoint({
  title: 'SKU配对列表',
  method: 'POST',
  path: `${base}/skuMatch/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(MatchFilter),
  sortable: ['product', 'msku', 'validFrom', 'updatedAt'],
  reply: Page(MatchRow),
});

export const countMatches = endpoint({
  title: 'SKU配对数量',
  method: 'POST',
  path: `${base}/skuMatch/statusCounts`,
  permission: VIEW,
  access: 'read',
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportMatches = endpoint({
  title: '导出SKU配对',
  method: 'POST',
  path: `${base}/skuMatch/export`,
  permission: EXPORT,
  access: 'read',
  body: ExportQuery(MatchFilter),
  file: true,
  reply: z.unknown(),
});

export const Listing = z.object({
  accountId: Id.meta({ title: '店铺', hidden: true }),
  marketplaceId: Text(20, '站点'),
  msku: z.string().min(1, 'MSKU不能为空').max(100).meta({ title: 'MSKU' }),
});
export type ListingRef = z.infer<typeof Listing>;

/** What one unit of a listing is made of. */
export const Parts = z
  .array(
    z.object({
      productId: Id.meta({ title: '产品', hidden: true }),
      qty: z.int('数量必须为正整数').min(1, '数量必须为正整数').max(10_000).meta({ title: '数量' }),
    }),
  )
  .min(1, '请选择一个本地SKU')
  .max(20, '最多20个本地产品')
  .meta({ title: '本地产品' });

/**
 * Says what listings stand for from a day on (always where left out). A match that is in force then ends the day before.
 */
export const saveMatches = endpoint({
  title: '保存SKU配对',
  method: 'POST',
  path: `${base}/skuMatch/save`,
  permission: EDIT,
  body: z.object({
    listings: z.array(Listing).min(1, '请选择商品').max(1000, '一次最多1000个商品').meta({ title: '商品' }),
    parts: Parts,
    validFrom: Day.optional().meta({ title: '生效日期' }),
    validTo: Day.nullable().optional().meta({ title: '失效日期' }),
  }),
  reply: z.object({ saved: z.int() }),
});

export const deleteMatches = endpoint({
  title: '解除SKU配对',
  method: 'POST',
  path: `${base}/skuMatch/delete`,
  permission: EDIT,
  body: z.object({ matchIds: z.array(Id).min(1).max(1000).meta({ title: '配对' }) }),
  reply: z.object({ removed: z.int() }),
});

export const matchHistory = endpoint({
  title: 'SKU配对记录',
  method: 'POST',
  path: `${base}/skuMatch/history`,
  permission: VIEW,
  access: 'read',
  body: Listing,
  reply: z.array(
    z.object({
      id: Id,
      validFrom: Day,
      validTo: Day.nullable(),
      way: MatchWay,
      parts: z.array(Part),
      by: z.string(),
      at: Instant,
    }),
  ),
});
