import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, OptionalText, Product, Quantity, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { IssueAction, Severity } from '#modules/listing/contract/issues.ts';
import { Site } from '#modules/listing/contract.ts';
import { base, VIEW } from './wall.ts';

const EDIT = 'amz:analysis:edit';

export const IssueTab = Choice({ standing: '待处理', ignored: '已忽略', resolved: '已消除' }, '状态');
export type IssueTab = z.infer<typeof IssueTab>;

/** One finding of Amazon's on a listing with what it costs and who minds it; of a listing that is gone it is over. */
export const IssueRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 280, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  severity: Severity.meta({ width: 80 }),
  action: IssueAction.nullable().meta({ title: '处置', width: 100 }),
  message: z.string().meta({ title: '问题', width: 320 }),
  advice: z.string().meta({ title: '怎么处理', width: 300 }),
  units30: Quantity.nullable().meta({ title: '30日销量', width: 96, tip: '该商品近 30 天的销量，问题影响的规模' }),
  owner: z.string().nullable().meta({ title: '负责人', kind: 'person', width: 100 }),
  firstSeenAt: Instant.meta({ title: '首次发现', width: 130 }),
  lastSeenAt: Instant.meta({ title: '最近一次', width: 130 }),
  days: Quantity.meta({ title: '持续天数', width: 90, good: 'down' }),
  exemptUntil: Instant.nullable().meta({ title: '宽限至', width: 130, optional: true }),
  ignoredUntil: Day.nullable().meta({ title: '忽略至', width: 110, optional: true }),
  ignoredReason: z.string().meta({ title: '忽略原因', width: 160, optional: true }),
  resolvedAt: Instant.nullable().meta({ title: '消除时间', width: 130, optional: true }),
  attributes: z.string().meta({ title: '属性', width: 180, optional: true }),
  code: z.string().meta({ title: '代码', kind: 'code', width: 90, optional: true }),
  /** Null where the listing is not known any more. */
  listingId: Id.nullable(),
});
export type IssueRow = z.infer<typeof IssueRow>;

export const IssueFilter = z.object({
  tab: IssueTab,
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  severity: z.array(Severity).max(3).meta({ title: '级别' }),
  actions: z.array(IssueAction).max(4).meta({ title: '处置' }),
  owners: z.array(z.uuid()).max(100).meta({ title: '负责人', kind: 'choice' }),
  keyword: OptionalText(100, '标题/SKU/ASIN/问题'),
});
const AnyIssueFilter = IssueFilter.partial();
export type IssueFilter = z.infer<typeof AnyIssueFilter>;

export const listIssues = endpoint({
  title: 'Listing异常列表',
  method: 'POST',
  path: `${base}/issues/page`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(IssueFilter),
  sortable: ['units30', 'firstSeenAt', 'lastSeenAt', 'days'],
  reply: Page(IssueRow),
});

/** Issues by tab under the other filters. */
export const countIssues = endpoint({
  title: 'Listing异常状态统计',
  method: 'POST',
  path: `${base}/issues/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: IssueFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportIssues = endpoint({
  title: '导出Listing异常',
  method: 'POST',
  path: `${base}/issues/export`,
  permission: 'amz:analysis:export',
  file: true,
  body: ExportQuery(IssueFilter),
  reply: z.unknown(),
});

/** Leaves issues out of what waits to be mended, until a day of the company is over. */
export const ignoreListingIssues = endpoint({
  title: '忽略Listing异常',
  method: 'POST',
  path: `${base}/issues/ignore`,
  permission: EDIT,
  body: z.object({
    ids: z.array(Id).min(1, '请选择问题').max(500, '一次最多 500 个问题').meta({ title: '问题' }),
    /** Null: they wait again. */
    until: Day.nullable().meta({ title: '忽略至' }),
    reason: OptionalText(200, '原因').default(''),
  }),
  reply: z.object({ count: Quantity }),
});
