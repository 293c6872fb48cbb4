import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Product, States, Store, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, base, EDIT, EXPORT, Success, Version, VIEW } from './fields.ts';

/** `implied`: no row of its own; the listing is called like the product. */
export const MatchState = States(
  {
    unmatched: { title: '未配对', tone: 'waiting' },
    implied: { title: '同名', tone: 'running' },
    matched: { title: '已配对', tone: 'done' },
  },
  '状态',
);
export type MatchState = z.infer<typeof MatchState>;

export const MatchWay = Choice(
  {
    manual: '手工',
    exact: '同名规则',
    affix: '前后缀规则',
    regex: '正则规则',
    import: '导入',
    rename: '改名保留',
    implied: '同名',
  },
  '方式',
);
export type MatchWay = z.infer<typeof MatchWay>;

const Part = z.object({ productId: Id, sku: z.string(), name: z.string(), qty: z.int() });
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
  partsText: z.string().meta({ title: '本地SKU×数量', width: 260 }),
  way: MatchWay.nullable().meta({ width: 100 }),
  validFrom: Day.nullable().meta({ title: '生效日期', width: 110 }),
  validTo: Day.nullable().meta({ title: '失效日期', width: 110 }),
  updatedBy: z.string().nullable().meta({ title: '修改人', kind: 'person', width: 110 }),
  updatedAt: Instant.nullable().meta({ title: '修改时间', width: 130 }),
  parts: z.array(Part),
});
export type MatchRow = z.infer<typeof MatchRow>;

const Site = z
  .string()
  .regex(/^[A-Z0-9]{1,20}-[0-9a-f-]{36}$/, '站点格式有误')
  .meta({ title: '站点' });

export const MatchFilter = z.object({
  state: MatchState,
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  mskus: z.array(z.string().trim().max(100)).max(500).meta({ title: 'MSKU', kind: 'code' }),
  sku: z.string().trim().max(50).meta({ title: '本地SKU' }),
  asin: z.string().trim().max(20).meta({ title: 'ASIN', optional: true }),
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

const Listing = z.object({
  accountId: Id.meta({ title: '店铺', hidden: true }),
  marketplaceId: Text(20, '站点'),
  msku: z.string().min(1, 'MSKU不能为空').max(100).meta({ title: 'MSKU' }),
});
export type ListingRef = z.infer<typeof Listing>;

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
    parts: z
      .array(
        z.object({
          productId: Id.meta({ title: '产品', hidden: true }),
          qty: z.int('数量必须为正整数').min(1, '数量必须为正整数').max(10_000).meta({ title: '数量' }),
        }),
      )
      .min(1, '请选择本地产品')
      .max(20, '最多20个本地产品')
      .meta({ title: '本地产品' }),
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

const Found = z.object({ msku: z.string(), store: z.string(), country: z.string(), sku: z.string(), rule: z.string() });

const AutoMatch = z.object({ sites: z.array(Site).max(200).optional().meta({ title: '店铺/站点' }) });
const AutoMatched = z.object({ matched: z.int(), sample: z.array(Found) });

/** Lets the rules, in their order, match what is not matched yet. */
export const autoMatch = endpoint({
  title: '自动配对',
  method: 'POST',
  path: `${base}/skuMatch/autoMatch`,
  permission: EDIT,
  body: AutoMatch,
  reply: AutoMatched,
});

/** What the rules would match now; nothing is written. */
export const previewMatch = endpoint({
  title: '自动配对预览',
  method: 'POST',
  path: `${base}/skuMatch/autoMatchPreview`,
  permission: EDIT,
  access: 'read',
  body: AutoMatch,
  reply: AutoMatched,
});

const RuleWay = Choice({ exact: '同名', affix: '去前后缀', regex: '正则' }, '方式');

const RuleFields = z.object({
  name: Text(50, '规则名称'),
  way: RuleWay,
  prefix: z.string().max(50).default('').meta({ title: '前缀' }),
  suffix: z.string().max(50).default('').meta({ title: '后缀' }),
  pattern: z.string().max(100, '正则不能超过100个字符').default('').meta({ title: '正则' }),
  replacement: z.string().max(100).default('').meta({ title: '替换为', tip: '$1 代表第一个括号的内容' }),
  enabled: z.boolean().default(true).meta({ title: '启用' }),
  sort: z.int().min(0).max(999).default(0).meta({ title: '顺序', kind: 'integer' }),
});
export const RuleForm = RuleFields;
export type RuleForm = z.infer<typeof RuleFields>;

export const listRules = endpoint({
  title: '配对规则列表',
  method: 'POST',
  path: `${base}/skuMatchRule/list`,
  permission: VIEW,
  access: 'read',
  body: z.object({}).default({}),
  reply: z.array(RuleFields.extend({ id: Id, version: z.int() })),
});

export const saveRule = endpoint({
  title: '保存配对规则',
  method: 'POST',
  path: `${base}/skuMatchRule/save`,
  permission: EDIT,
  body: RuleFields.extend({ id: Id.optional(), version: Version.optional() }),
  reply: Id,
});

export const deleteRule = endpoint({
  title: '删除配对规则',
  method: 'POST',
  path: `${base}/skuMatchRule/delete`,
  permission: EDIT,
  body: ById,
  reply: Success,
});
