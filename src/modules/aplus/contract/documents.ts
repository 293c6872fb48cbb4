import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, OptionalText, Quantity, States, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';
import { Content } from './content.ts';
import { NAME_LENGTH } from './modules.ts';

export const EDIT = 'amz:aplus:edit';
export const SUBMIT = 'amz:aplus:submit';

export const AplusState = States(
  {
    LOCAL: { title: '本地草稿', tone: 'off' },
    DRAFT: { title: '亚马逊草稿', tone: 'waiting' },
    SUBMITTED: { title: '审核中', tone: 'running' },
    APPROVED: { title: '已通过待发布', tone: 'running' },
    PUBLISHED: { title: '已发布', tone: 'done' },
    SUSPENDED: { title: '已下线', tone: 'off' },
    REJECTED: { title: '被拒绝', tone: 'trouble' },
    GONE: { title: '已消失', tone: 'off' },
  },
  '状态',
);
export type AplusState = z.infer<typeof AplusState>;

export const AplusKind = Choice({ STANDARD: '标准', PREMIUM: '高级', STORY: '品牌故事' }, '类型');
export type AplusKind = z.infer<typeof AplusKind>;

/** What is on its way to Amazon. */
export const Step = Choice({ save: '保存到亚马逊', relate: '关联ASIN', submit: '提交审核', suspend: '下线' }, '进行中');
export type Step = z.infer<typeof Step>;

export const AplusRow = z.object({
  id: Id,
  name: z.string().meta({ title: '名称', width: 280, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  kind: AplusKind.meta({ width: 90 }),
  locale: z.string().meta({ title: '语言', kind: 'code', width: 80 }),
  state: AplusState.meta({ width: 120 }),
  step: Step.nullable().meta({ width: 110 }),
  asins: Quantity.meta({ title: '关联ASIN数', width: 100 }),
  badges: z.string().meta({ title: '徽章', width: 120 }),
  edited: z.boolean().meta({ title: '有未保存到亚马逊的修改', width: 110, kind: 'boolean', optional: true }),
  problem: z.string().nullable().meta({ title: '原因', width: 280 }),
  updatedAt: Instant.nullable().meta({ title: '亚马逊更新时间', width: 140 }),
  createdBy: z.string().meta({ title: '创建人', width: 100, optional: true }),
  hidden: z.boolean().meta({ title: '已隐藏', hidden: true }),
  version: z.int().meta({ title: '版本', hidden: true }),
});
export type AplusRow = z.infer<typeof AplusRow>;

export const AplusFilter = z.object({
  state: z.array(AplusState).max(10).meta({ title: '状态' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  keyword: OptionalText(100, '名称'),
  asin: OptionalText(20, 'ASIN'),
  shown: Choice({ visible: '未隐藏', hidden: '已隐藏', all: '不限' }, '显示状态').meta({ optional: true }),
});
const AnyDocument = AplusFilter.partial();
export type AplusFilter = z.infer<typeof AnyDocument>;

export const AsinBadge = States(
  {
    CONTENT_PUBLISHED: { title: '已发布', tone: 'done' },
    CONTENT_NOT_PUBLISHED: { title: '未发布', tone: 'waiting' },
    BRAND_NOT_ELIGIBLE: { title: '品牌不符', tone: 'trouble' },
    CATALOG_NOT_FOUND: { title: '目录中没有', tone: 'trouble' },
  },
  '发布状态',
);

export const AplusAsin = z.object({
  asin: z.string().meta({ title: 'ASIN', kind: 'code', width: 120 }),
  title: z.string().meta({ title: '商品', width: 260 }),
  image: z.string().nullable().meta({ title: '图片', hidden: true }),
  parent: z.string().nullable().meta({ title: '父ASIN', kind: 'code', width: 120 }),
  badge: AsinBadge.nullable().meta({ width: 110 }),
});
export type AplusAsin = z.infer<typeof AplusAsin>;

/** What Amazon, or our own check, says of a document. */
export const AplusIssue = z.object({
  module: z.int().meta({ title: '模块', hidden: true }),
  path: z.string().meta({ title: '位置代码', hidden: true }),
  label: z.string().meta({ title: '位置', width: 200 }),
  message: z.string().meta({ title: '问题', width: 420 }),
  severity: z.enum(['ERROR', 'WARNING']).meta({ title: '级别', width: 80 }),
});
export type AplusIssue = z.infer<typeof AplusIssue>;

export const AplusDetail = AplusRow.extend({
  site: z.string(),
  contentKey: z.string().nullable(),
  /** What is being written here; null where nothing differs from Amazon. */
  draft: Content.nullable(),
  /** What Amazon has; null for a document that is not there, or that its API does not write down. */
  live: Content.nullable(),
  /** Why `live` cannot be shown. */
  unreadable: z.string().nullable(),
  related: z.array(AplusAsin),
  issues: z.array(AplusIssue),
  locales: z.array(z.string()),
  /** Pictures that lie at Amazon's stand below this address. */
  mediaBase: z.string(),
  may: z.object({
    edit: z.boolean(),
    push: z.boolean(),
    relate: z.boolean(),
    submit: z.boolean(),
    suspend: z.boolean(),
  }),
});
export type AplusDetail = z.infer<typeof AplusDetail>;

const base = '/amazon/api/v1/product/aplus';
const Named = z.object({ id: Id, version: z.int().meta({ title: '版本' }) });
export const Saved = z.object({ id: Id, version: z.int() });
export type Saved = z.infer<typeof Saved>;

const Asin = z.string().regex(/^[A-Z0-9]{10}$/, 'ASIN 为 10 位大写字母或数字');
const Asins = z.array(Asin).max(500, '一次最多 500 个 ASIN').meta({ title: 'ASIN' });

export const listAplus = endpoint({
  title: 'A+内容列表',
  method: 'POST',
  path: `${base}/page`,
  permission: EDIT,
  access: 'read',
  body: PageQuery(AplusFilter),
  sortable: ['name', 'state', 'asins', 'updatedAt'],
  reply: Page(AplusRow),
});

export const countAplus = endpoint({
  title: 'A+内容数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: EDIT,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyDocument.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportAplus = endpoint({
  title: '导出A+内容',
  method: 'POST',
  path: `${base}/export`,
  permission: EDIT,
  access: 'read',
  file: true,
  body: ExportQuery(AplusFilter),
  reply: z.unknown(),
});

export const aplusDetail = endpoint({
  title: 'A+内容详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: EDIT,
  params: z.object({ id: Id }),
  reply: AplusDetail,
});

/** An empty document, here only until it is saved to Amazon. */
export const createAplus = endpoint({
  title: '新建A+内容',
  method: 'POST',
  path: `${base}/create`,
  permission: EDIT,
  body: z.object({
    site: Site.meta({ title: '店铺/站点' }),
    name: z
      .string()
      .trim()
      .min(1, '名称不能为空')
      .max(NAME_LENGTH, `名称不能超过 ${NAME_LENGTH} 个字符`)
      .meta({ title: '名称' }),
    locale: Content.shape.locale,
  }),
  reply: Saved,
});

/** Keeps what was written, right or wrong; nothing goes to Amazon. */
export const saveAplus = endpoint({
  title: '保存A+草稿',
  method: 'POST',
  path: `${base}/save`,
  permission: EDIT,
  body: Named.extend({ content: Content.meta({ title: '内容' }) }),
  reply: Saved,
});

/** Gives up what was written here; a document that is not at Amazon goes. */
export const discardAplus = endpoint({
  title: '放弃A+草稿',
  method: 'POST',
  path: `${base}/discard`,
  permission: EDIT,
  body: Named,
  reply: z.null(),
});

/** Reads the document again; what was written here stays (`mine`) or gives way (`theirs`). */
export const reloadAplus = endpoint({
  title: '重新读取A+内容',
  method: 'POST',
  path: `${base}/reload`,
  permission: EDIT,
  body: Named.extend({ keep: Choice({ mine: '保留我的修改', theirs: '采用亚马逊的内容' }, '保留') }),
  reply: Saved,
});

/** Has Amazon check content and ASINs; nothing changes there. */
export const validateAplus = endpoint({
  title: '校验A+内容与ASIN',
  method: 'POST',
  path: `${base}/validateAsins`,
  permission: EDIT,
  body: Named.extend({ asins: Asins }),
  reply: Saved.extend({ issues: z.array(AplusIssue) }),
});

/** @throws 400 with one entry per problem; 409 with `changed` where somebody changed it at Amazon meanwhile */
export const pushAplus = endpoint({
  title: '保存A+内容到亚马逊',
  method: 'POST',
  path: `${base}/push`,
  permission: EDIT,
  body: Named,
  reply: Saved,
});

/** Makes `asins` the whole set. @throws 409 with `removed` until exactly those are confirmed */
export const relateAplus = endpoint({
  title: '关联A+内容的ASIN',
  method: 'POST',
  path: `${base}/relate`,
  permission: EDIT,
  body: Named.extend({ asins: Asins, removed: Asins.default([]).meta({ title: '确认移除的ASIN' }) }),
  reply: Saved,
});

export const submitAplus = endpoint({
  title: '提交A+内容审核',
  method: 'POST',
  path: `${base}/submit`,
  permission: SUBMIT,
  body: Named,
  reply: Saved,
});

export const suspendAplus = endpoint({
  title: '下线A+内容',
  method: 'POST',
  path: `${base}/suspend`,
  permission: SUBMIT,
  body: Named,
  reply: Saved,
});

export const hideAplus = endpoint({
  title: '隐藏A+内容',
  method: 'POST',
  path: `${base}/hide`,
  permission: EDIT,
  body: Named.extend({ hidden: z.boolean().meta({ title: '隐藏' }) }),
  reply: Saved,
});

/** A new local document with the same modules. */
export const copyAplus = endpoint({
  title: '复制A+内容',
  method: 'POST',
  path: `${base}/copy`,
  permission: EDIT,
  body: z.object({ id: Id, site: Site.meta({ title: '店铺/站点' }), locale: Content.shape.locale }),
  reply: Saved,
});

export const AplusRecord = z.object({
  contentKey: z.string().meta({ title: '文档编号', kind: 'code', width: 300 }),
  name: z.string().meta({ title: '名称', width: 240 }),
  locale: z.string().meta({ title: '语言', kind: 'code', width: 80 }),
  kind: AplusKind.meta({ width: 90 }),
});
export type AplusRecord = z.infer<typeof AplusRecord>;

/** Which documents an ASIN shows now, asked of Amazon. */
export const aplusRecords = endpoint({
  title: 'ASIN的A+发布记录',
  method: 'POST',
  path: `${base}/records`,
  permission: EDIT,
  access: 'read',
  body: z.object({ id: Id, asin: Asin.meta({ title: 'ASIN' }) }),
  reply: z.array(AplusRecord),
});

/** JPG or PNG up to 2 MB, known by its content. */
export const uploadPicture = endpoint({
  title: '上传A+图片',
  method: 'POST',
  path: `${base}/picture`,
  permission: EDIT,
  upload: true,
  body: z.object({ id: Id }),
  reply: z.object({ id: Id, width: z.int(), height: z.int() }),
});

export const showPicture = endpoint({
  title: '查看A+图片',
  method: 'GET',
  path: `${base}/picture/:id`,
  permission: EDIT,
  file: true,
  params: z.object({ id: Id }),
  reply: z.unknown(),
});

/** Has the documents of all reached stores read again soon. */
export const syncAplus = endpoint({
  title: '同步A+内容',
  method: 'POST',
  path: `${base}/sync`,
  permission: EDIT,
  body: z.object({}),
  reply: z.object({ sites: z.int() }),
});
