import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, OptionalText, Product, Quantity, States, Store, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';
import type { FormModel } from './form.ts';

export const EDIT = 'amz:listing:edit';
export const SUBMIT = 'amz:listing:submit';

export const DraftState = States(
  {
    draft: { title: '草稿', tone: 'off' },
    valid: { title: '预校验通过', tone: 'waiting' },
    invalid: { title: '预校验未通过', tone: 'trouble' },
    queued: { title: '提交中', tone: 'running' },
    processing: { title: '亚马逊处理中', tone: 'running' },
    live: { title: '已生效', tone: 'done' },
    troubled: { title: '已生效有问题', tone: 'trouble' },
    unconfirmed: { title: '未确认', tone: 'trouble' },
    rejected: { title: '被拒绝', tone: 'trouble' },
    cancelled: { title: '已取消', tone: 'off' },
  },
  '刊登状态',
);
export type DraftState = z.infer<typeof DraftState>;

/** States in which a draft can still be changed. */
export const OPEN_STATES: readonly DraftState[] = ['draft', 'valid', 'invalid', 'rejected', 'unconfirmed'];

export const DraftOrigin = Choice(
  { listing: '编辑商品', new: '新建', asin: '从ASIN跟卖', restore: '还原版本', copy: '复制站点' },
  '来源',
);
export type DraftOrigin = z.infer<typeof DraftOrigin>;

export const Requirements = z.enum(['LISTING', 'LISTING_OFFER_ONLY']);

/** Something wrong with an attribute: of our own check of the schema, or of the marketplace's. */
export const DraftIssue = z.object({
  /** Name of the attribute; empty where it is about the whole. */
  attribute: z.string().meta({ title: '属性代码', hidden: true }),
  label: z.string().meta({ title: '属性', width: 160 }),
  message: z.string().meta({ title: '问题', width: 420 }),
  severity: z.enum(['ERROR', 'WARNING', 'INFO']).meta({ title: '级别', width: 80 }),
});
export type DraftIssue = z.infer<typeof DraftIssue>;

/** One attribute before and after, in words; null where there is nothing. */
export const AttributeChange = z.object({
  attribute: z.string().meta({ title: '属性代码', hidden: true }),
  label: z.string().meta({ title: '属性', width: 160 }),
  before: z.string().nullable().meta({ title: '修改前', width: 300 }),
  after: z.string().nullable().meta({ title: '修改后', width: 300 }),
});
export type AttributeChange = z.infer<typeof AttributeChange>;

/** What somebody changed at Amazon since the draft began; `mine` is null where the draft leaves the attribute alone. */
export const Clash = z.object({
  attribute: z.string(),
  label: z.string(),
  base: z.string().nullable(),
  theirs: z.string().nullable(),
  mine: z.string().nullable(),
  /** Whether the draft changes it too, so that somebody has to choose. */
  both: z.boolean(),
});
export type Clash = z.infer<typeof Clash>;

export const DraftRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 300, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  state: DraftState.meta({ width: 120 }),
  origin: DraftOrigin.meta({ width: 110 }),
  productType: z.string().meta({ title: '商品类型', width: 150 }),
  changes: Quantity.meta({ title: '修改属性', width: 90 }),
  problem: z.string().nullable().meta({ title: '原因', width: 280 }),
  createdBy: z.string().meta({ title: '创建人', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  /** When it is handed in by itself; null where nobody said so. */
  submitAt: Instant.nullable().meta({ title: '定时提交', width: 130 }),
  submittedAt: Instant.nullable().meta({ title: '提交时间', width: 130 }),
  liveAt: Instant.nullable().meta({ title: '生效时间', width: 130 }),
  version: z.int().meta({ title: '版本', hidden: true }),
});
export type DraftRow = z.infer<typeof DraftRow>;

export const DraftFilter = z.object({
  state: z.array(DraftState).max(10).meta({ title: '刊登状态' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  keyword: OptionalText(100, '标题/SKU/ASIN'),
  origin: DraftOrigin,
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '创建日期', kind: 'date' }),
});
const AnyDraft = DraftFilter.partial();
export type DraftFilter = z.infer<typeof AnyDraft>;

export const DraftVersion = z.object({
  number: z.int().meta({ title: '版本', width: 80 }),
  source: Choice({ found: '提交前的内容', live: '提交后生效' }, '来源').meta({ width: 130 }),
  by: z.string().meta({ title: '操作人', width: 120 }),
  at: Instant.meta({ title: '时间', width: 150 }),
});
export type DraftVersion = z.infer<typeof DraftVersion>;

const AttributeMap = z
  .record(
    z.string().regex(/^[a-z0-9_]{1,100}$/, '属性代码不正确'),
    z.array(z.record(z.string(), z.unknown())).max(200, '一个属性最多 200 个值'),
  )
  .refine((map) => Object.keys(map).length <= 1000, '最多 1,000 个属性');

/** What a check of attributes against the schema finds. */
export const DraftCheck = z.object({
  issues: z.array(DraftIssue),
  /** Attributes that may not be missing as things are, and those that must. */
  required: z.array(z.string()),
  excluded: z.array(z.string()),
});
export type DraftCheck = z.infer<typeof DraftCheck>;

export const DraftDetail = DraftRow.extend({
  sellerSku: z.string(),
  isNew: z.boolean(),
  /** See FormModel; a schema of its own would only repeat it. */
  form: z.unknown().transform((form) => form as FormModel),
  attributes: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  base: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  issues: z.array(DraftIssue),
  check: DraftCheck,
  diff: z.array(AttributeChange),
  versions: z.array(DraftVersion),
  may: z.object({ edit: z.boolean(), submit: z.boolean(), cancel: z.boolean(), restore: z.boolean() }),
});
export type DraftDetail = z.infer<typeof DraftDetail>;

export const base = '/amazon/api/v1/product/listing/draft';
export const Named = z.object({ id: Id, version: z.int().meta({ title: '版本' }) });
export const Saved = z.object({ id: Id, version: z.int() });

export const listDrafts = endpoint({
  title: '商品刊登列表',
  method: 'POST',
  path: `${base}/page`,
  permission: EDIT,
  access: 'read',
  body: PageQuery(DraftFilter),
  sortable: ['createdAt', 'submittedAt', 'liveAt', 'state'],
  reply: Page(DraftRow),
});

export const countDrafts = endpoint({
  title: '商品刊登数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: EDIT,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyDraft.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const draftDetail = endpoint({
  title: '商品刊登详情',
  method: 'GET',
  path: `${base}/:id`,
  permission: EDIT,
  params: z.object({ id: Id }),
  reply: DraftDetail,
});

/** Begins a draft on what a listing is at Amazon now; one that is open already is taken up. */
export const editListing = endpoint({
  title: '编辑商品',
  method: 'POST',
  path: `${base}/edit`,
  permission: EDIT,
  body: z.object({ listingId: Id }),
  reply: Saved,
});

export const newDraft = endpoint({
  title: '新建商品刊登',
  method: 'POST',
  path: `${base}/create`,
  permission: EDIT,
  body: z.object({
    site: Site.meta({ title: '店铺/站点' }),
    sellerSku: Text(40, '平台SKU'),
    productType: z
      .string()
      .regex(/^[A-Z0-9_]{1,100}$/, '请选择商品类型')
      .meta({ title: '商品类型' }),
    /** Of a product that is in the catalogue: only the offer is listed. */
    asin: z
      .string()
      .regex(/^[A-Z0-9]{10}$/, 'ASIN 为 10 位大写字母或数字')
      .optional()
      .meta({ title: 'ASIN' }),
  }),
  reply: Saved,
});

export const saveDraft = endpoint({
  title: '保存商品刊登草稿',
  method: 'POST',
  path: `${base}/save`,
  permission: EDIT,
  body: Named.extend({ attributes: AttributeMap.meta({ title: '属性' }) }),
  reply: Saved,
});

/** Checks attributes by the schema alone, while somebody types. */
export const checkDraft = endpoint({
  title: '检查商品刊登',
  method: 'POST',
  path: `${base}/check`,
  permission: EDIT,
  access: 'read',
  body: z.object({ id: Id, attributes: AttributeMap.meta({ title: '属性' }) }),
  reply: DraftCheck,
});

/** Has Amazon judge the draft; nothing changes there. */
export const validateDraft = endpoint({
  title: '预校验商品刊登',
  method: 'POST',
  path: `${base}/validate`,
  permission: EDIT,
  body: Named,
  reply: Saved.extend({ state: DraftState, errors: z.int().meta({ title: '错误数' }) }),
});

/** @throws 409 with `clashes` where somebody changed the listing at Amazon since the draft began */
export const submitDraft = endpoint({
  title: '提交商品刊登',
  method: 'POST',
  path: `${base}/submit`,
  permission: SUBMIT,
  body: Named,
  reply: Saved,
});

/** Puts the draft on what the listing is at Amazon now; of attributes that both changed somebody chose one side. */
export const rebaseDraft = endpoint({
  title: '合并商品刊登',
  method: 'POST',
  path: `${base}/rebase`,
  permission: EDIT,
  body: Named.extend({
    take: z.record(z.string().max(100), z.enum(['theirs', 'mine'])).meta({ title: '选择' }),
  }),
  reply: Saved,
});

export const cancelDraft = endpoint({
  title: '取消商品刊登',
  method: 'POST',
  path: `${base}/cancel`,
  permission: EDIT,
  body: Named,
  reply: Saved,
});

/** Drafts for other sites of the same seller account: the same SKU, with what their product type knows of it. */
export const copyDraft = endpoint({
  title: '复制商品刊登到其他站点',
  method: 'POST',
  path: `${base}/copy`,
  permission: EDIT,
  body: z.object({
    id: Id,
    sites: z.array(Site).min(1, '请选择站点').max(20, '一次最多复制到 20 个站点').meta({ title: '站点' }),
  }),
  reply: z.object({
    made: z.array(Saved),
    /** Sites for which none was made, and why. */
    failed: z.array(z.object({ site: z.string(), reason: z.string() })),
  }),
});

/** A new draft that makes the listing what it was in a version. */
export const restoreVersion = endpoint({
  title: '还原商品版本',
  method: 'POST',
  path: `${base}/restore`,
  permission: EDIT,
  body: z.object({ id: Id, number: z.int().min(1).meta({ title: '版本' }) }),
  reply: Saved,
});
