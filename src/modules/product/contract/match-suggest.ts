import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Product, States, Store } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { base, EDIT, VIEW } from './fields.ts';
import { Listing, Part, Parts, Site } from './match.ts';

export const SuggestState = States(
  {
    open: { title: '待处理', tone: 'waiting' },
    accepted: { title: '已采纳', tone: 'done' },
    rejected: { title: '已拒绝', tone: 'off' },
  },
  '状态',
);
export type SuggestState = z.infer<typeof SuggestState>;

/** What a suggestion rests on first of all. */
export const SuggestKind = Choice(
  {
    sites: '同店其他站点',
    fnsku: '同FNSKU',
    asin: '同ASIN',
    code: '编码规整后相同',
    shops: '其他店铺同名',
    family: '同父体规律',
    similar: '编码相近',
    title: '标题相近',
  },
  '依据',
);
export type SuggestKind = z.infer<typeof SuggestKind>;

/** From this score on suggestions are ticked beforehand. */
export const SURE = 85;

export const SuggestRow = z.object({
  id: Id,
  accountId: Id,
  marketplaceId: z.string(),
  product: Product.meta({ title: 'MSKU', kind: 'product', width: 280, pinned: 'left' }),
  store: Store.meta({ title: '店铺-站点', kind: 'store', width: 140 }),
  msku: z.string().meta({ title: 'MSKU', kind: 'code', width: 160, optional: true }),
  asin: z.string().nullable().meta({ title: 'ASIN', kind: 'code', width: 110, optional: true }),
  partsText: z.string().meta({ title: '建议本地SKU×数量', width: 240 }),
  score: z.int().meta({ title: '匹配度', kind: 'integer', width: 80, tip: '0–100；85 及以上默认勾选' }),
  kind: SuggestKind.meta({ width: 120 }),
  reasonText: z.string().meta({ title: '理由', width: 320 }),
  state: SuggestState.meta({ width: 90 }),
  madeAt: Instant.meta({ title: '提出时间', width: 130, optional: true }),
  decidedBy: z.string().nullable().meta({ title: '处理人', kind: 'person', width: 110 }),
  decidedAt: Instant.nullable().meta({ title: '处理时间', width: 130, optional: true }),
  parts: z.array(Part),
});
export type SuggestRow = z.infer<typeof SuggestRow>;

export const SuggestFilter = z.object({
  state: SuggestState,
  kind: z.array(SuggestKind).max(20).meta({ title: '依据' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  mskus: z.array(z.string().trim().max(100)).max(500).meta({ title: 'MSKU', kind: 'code' }),
  minScore: z.int().min(0).max(100).meta({ title: '最低匹配度', kind: 'integer' }),
});
const AnyFilter = SuggestFilter.partial();
export type SuggestFilter = z.infer<typeof AnyFilter>;

const call = `${base}/skuMatch/suggestion`;

export const listSuggestions = endpoint({
  title: '配对建议列表',
  method: 'POST',
  path: `${call}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(SuggestFilter),
  sortable: ['product', 'score', 'madeAt'],
  reply: Page(SuggestRow),
});

export const countSuggestions = endpoint({
  title: '配对建议数量',
  method: 'POST',
  path: `${call}/statusCounts`,
  permission: VIEW,
  access: 'read',
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** Looks for suggestions for what is not paired, and for conflicts: a task. Nothing is paired by it. */
export const findSuggestions = endpoint({
  title: '计算配对建议',
  method: 'POST',
  path: `${call}/find`,
  permission: EDIT,
  body: z.object({}).default({}),
  reply: z.object({ taskId: Id }),
});

/** Pairs by suggestions; with `parts` by what the caller made of one. What was paired meanwhile stays as it is. */
export const acceptSuggestions = endpoint({
  title: '采纳配对建议',
  method: 'POST',
  path: `${call}/accept`,
  permission: EDIT,
  body: z.object({
    items: z
      .array(z.object({ id: Id, parts: Parts.optional() }))
      .min(1, '请选择建议')
      .max(1000, '一次最多1000条建议')
      .meta({ title: '建议' }),
    validFrom: Day.optional().meta({ title: '生效日期' }),
  }),
  reply: z.object({ accepted: z.int(), skipped: z.int() }),
});

const Ids = z.object({ ids: z.array(Id).min(1, '请选择建议').max(1000, '一次最多1000条建议').meta({ title: '建议' }) });

/** What is rejected is not suggested again, other products may be. */
export const rejectSuggestions = endpoint({
  title: '拒绝配对建议',
  method: 'POST',
  path: `${call}/reject`,
  permission: EDIT,
  body: Ids,
  reply: z.object({ rejected: z.int() }),
});

/** Takes a rejection back. */
export const reopenSuggestions = endpoint({
  title: '恢复配对建议',
  method: 'POST',
  path: `${call}/reopen`,
  permission: EDIT,
  body: Ids,
  reply: z.object({ reopened: z.int() }),
});

const Inherit = z.object({
  listings: z.array(Listing).min(1, '请选择商品').max(1000, '一次最多1000个商品').meta({ title: '商品' }),
  by: z
    .array(Choice({ msku: '同一店铺授权的同一MSKU', asin: '同一ASIN' }, '范围'))
    .min(1, '请选择继承范围')
    .meta({ title: '范围' }),
  /** Also where a site is paired with something else: for the side of a conflict that is right. */
  replace: z.boolean().default(false).meta({ title: '覆盖已有配对' }),
});
export type Inherit = z.infer<typeof Inherit>;

const Inherited = z.object({
  /** Listings of other sites that are or would be paired. */
  paired: z.int(),
  /** Those that stand for something else and stay so. */
  different: z.int(),
  sample: z.array(z.object({ msku: z.string(), store: z.string(), country: z.string(), partsText: z.string() })),
});

export const previewInherit = endpoint({
  title: '继承到其他站点预览',
  method: 'POST',
  path: `${base}/skuMatch/inheritPreview`,
  permission: EDIT,
  access: 'read',
  body: Inherit,
  reply: Inherited,
});

/** Gives what listings stand for to the same MSKU or ASIN on other sites. */
export const inheritMatches = endpoint({
  title: '继承到其他站点',
  method: 'POST',
  path: `${base}/skuMatch/inherit`,
  permission: EDIT,
  body: Inherit,
  reply: Inherited,
});
