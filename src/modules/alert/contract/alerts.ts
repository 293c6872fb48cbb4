import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  Choice,
  Decimal,
  Id,
  Instant,
  OptionalText,
  Product,
  Quantity,
  States,
  Store,
  Text,
} from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';

export const VIEW = 'amz:alert:view';
export const EDIT = 'amz:alert:edit';
export const CONFIG = 'amz:alert:config';
const base = '/amazon/api/v1/alert';

/** MUTED: open, and nobody wants to hear of it for now. */
export const AlertState = States(
  {
    OPEN: { title: '进行中', tone: 'trouble' },
    MUTED: { title: '已静音', tone: 'off' },
    CLOSED: { title: '已恢复', tone: 'done' },
  },
  '状态',
);
export type AlertState = z.infer<typeof AlertState>;

export const AlertRow = z.object({
  id: Id,
  title: z.string().meta({ title: '类型', width: 120, pinned: 'left' }),
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺/站点', kind: 'store', width: 140 }),
  state: AlertState.meta({ width: 90 }),
  figure: Decimal.meta({ title: '当前值', width: 90 }),
  threshold: Decimal.meta({ title: '阈值', width: 80 }),
  unit: z.string().meta({ title: '单位', width: 60 }),
  words: z.string().meta({ title: '说明', width: 200 }),
  openedAt: Instant.meta({ title: '首次', width: 140 }),
  seenAt: Instant.meta({ title: '最近', width: 140 }),
  closedAt: Instant.nullable().meta({ title: '恢复时间', width: 140, optional: true }),
  times: Quantity.meta({ title: '发生次数', width: 90, optional: true }),
  owner: z.string().nullable().meta({ title: '负责人', kind: 'person', width: 100 }),
  mutedUntil: Instant.nullable().meta({ title: '静音至', width: 140, optional: true }),
  muteReason: z.string().meta({ title: '静音原因', width: 140, optional: true }),
  /** Screen where it is mended. */
  path: z.string(),
  version: z.int(),
});
export type AlertRow = z.infer<typeof AlertRow>;

export const AlertFilter = z.object({
  state: AlertState,
  kinds: z.array(z.string().max(40)).max(20).meta({ title: '类型', kind: 'choice' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  owners: z.array(z.uuid()).max(100).meta({ title: '负责人', kind: 'choice' }),
  keyword: OptionalText(100, '平台SKU'),
});
const Any = AlertFilter.partial();
export type AlertFilter = z.infer<typeof Any>;

export const listAlerts = endpoint({
  title: '预警列表',
  method: 'POST',
  path: `${base}/page`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(AlertFilter),
  sortable: ['figure', 'openedAt', 'seenAt', 'times'],
  reply: Page(AlertRow),
});

export const exportAlerts = endpoint({
  title: '导出预警',
  method: 'POST',
  path: `${base}/export`,
  permission: VIEW,
  file: true,
  body: ExportQuery(AlertFilter),
  reply: z.unknown(),
});

export const countAlerts = endpoint({
  title: '预警状态统计',
  method: 'POST',
  path: `${base}/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AlertFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const FigureRow = z.object({
  id: Id,
  at: Instant.meta({ title: '时间', width: 150 }),
  what: Choice({ OPEN: '触发', CHANGE: '变化', CLOSE: '恢复' }, '事件').meta({ width: 80 }),
  figure: Decimal.nullable().meta({ title: '数值', width: 100 }),
  threshold: Decimal.meta({ title: '阈值', width: 100 }),
});
export type FigureRow = z.infer<typeof FigureRow>;

/** The figures of an alert, oldest first, the last 500. */
export const alertHistory = endpoint({
  title: '预警历史',
  method: 'GET',
  path: `${base}/:id/history`,
  permission: VIEW,
  params: z.object({ id: z.uuid().meta({ title: '预警' }) }),
  reply: z.object({ title: z.string(), sku: z.string(), unit: z.string(), figures: z.array(FigureRow) }),
});

const Ids = z.array(z.uuid()).min(1, '请选择预警').max(200, '一次最多 200 条').meta({ title: '预警' });

/** Nobody hears of them for so many days; 0 takes that back. */
export const muteAlerts = endpoint({
  title: '静音预警',
  method: 'POST',
  path: `${base}/mute`,
  permission: EDIT,
  body: z.object({
    ids: Ids,
    days: z.int().min(0).max(365).meta({ title: '静音天数' }),
    reason: Text(200, '原因'),
  }),
  reply: z.object({ changed: Quantity }),
});

/** Somebody shall see to them; null gives them back to the owners of their listings. */
export const assignAlerts = endpoint({
  title: '指派预警',
  method: 'POST',
  path: `${base}/assign`,
  permission: EDIT,
  body: z.object({ ids: Ids, memberId: z.uuid().nullable().meta({ title: '负责人', kind: 'choice' }) }),
  reply: z.object({ changed: Quantity }),
});

export const Scope = Choice({ COMPANY: '全公司', ACCOUNT: '店铺授权', OWNER: '负责人', TAG: '标签' }, '适用范围');

export const RuleRow = z.object({
  id: Id,
  kind: z.string().meta({ title: '类型', hidden: true }),
  title: z.string().meta({ title: '类型', width: 130 }),
  scope: Scope.meta({ width: 90 }),
  scopeName: z.string().meta({ title: '对象', width: 140 }),
  threshold: Decimal.meta({ title: '阈值', width: 90 }),
  unit: z.string().meta({ title: '单位', width: 60 }),
  enabled: z.boolean().meta({ title: '启用', kind: 'boolean', width: 60 }),
  version: z.int(),
});
export type RuleRow = z.infer<typeof RuleRow>;

const Option = z.object({ value: z.string(), label: z.string() });

/** Kinds with their usual thresholds, what the company set, and whom thresholds may be set for. */
export const readAlertRules = endpoint({
  title: '预警规则',
  method: 'GET',
  path: `${base}/rules`,
  permission: VIEW,
  reply: z.object({
    kinds: z.array(
      z.object({ code: z.string(), title: z.string(), unit: z.string(), below: z.boolean(), threshold: Decimal }),
    ),
    rules: z.array(RuleRow),
    scopes: z.object({ accounts: z.array(Option), owners: z.array(Option) }),
  }),
});

const Threshold = Decimal.refine((value) => Number(value) >= 0, '阈值不能小于 0').meta({ title: '阈值' });

/** Sets the threshold of a kind for a scope, or stops the kind there. */
export const saveAlertRule = endpoint({
  title: '修改预警规则',
  method: 'POST',
  path: `${base}/rules/save`,
  permission: CONFIG,
  body: z.object({
    kind: z.string().min(1, '请选择类型').max(40).meta({ title: '类型', kind: 'choice' }),
    scope: Scope,
    scopeId: z.uuid().nullable().default(null).meta({ title: '对象', kind: 'choice' }),
    threshold: Threshold,
    enabled: z.boolean().default(true).meta({ title: '启用', kind: 'boolean' }),
    version: z.int().min(0).default(0).meta({ title: '版本', hidden: true }),
  }),
  reply: z.object({ id: Id, version: z.int() }),
});

export const deleteAlertRule = endpoint({
  title: '删除预警规则',
  method: 'POST',
  path: `${base}/rules/delete`,
  permission: CONFIG,
  body: z.object({ id: z.uuid().meta({ title: '规则' }), version: z.int() }),
  reply: z.object({ deleted: z.literal(true) }),
});
