import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  Choice,
  Day,
  Decimal,
  Id,
  Instant,
  OptionalText,
  Product,
  Quantity,
  States,
  Store,
} from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';
import { OrderStatus } from '#modules/order/contract/status.ts';
import { WATCH_CODES, WATCH_KINDS, type WatchCode } from './kinds.ts';

export const VIEW = 'amz:abnormal:view';
export const EDIT = 'amz:abnormal:edit';
export const CONFIG = 'amz:abnormal:config';
const base = '/amazon/api/v1/orders/abnormal';

export const FindingState = States(
  {
    OPEN: { title: '待处理', tone: 'trouble' },
    HANDLED: { title: '已处理', tone: 'done' },
    IGNORED: { title: '已忽略', tone: 'off' },
    GONE: { title: '已消除', tone: 'off' },
  },
  '状态',
);
export type FindingState = z.infer<typeof FindingState>;

export const WatchKindChoice = Choice(
  Object.fromEntries(WATCH_CODES.map((code) => [code, WATCH_KINDS[code].title])) as Record<WatchCode, string>,
  '异常类型',
);

export const FindingRow = z.object({
  id: Id,
  /** "seller~order". */
  orderKey: z.string().meta({ title: '订单', hidden: true }),
  orderId: z.string().meta({ title: '订单号', kind: 'code', width: 212, pinned: 'left' }),
  kind: WatchKindChoice.meta({ width: 100 }),
  words: z.string().meta({ title: '说明', width: 260 }),
  state: FindingState.meta({ width: 90 }),
  note: z.string().meta({ title: '处理说明', width: 180 }),
  product: Product.meta({ title: '商品信息', kind: 'product', width: 260 }),
  store: Store.meta({ title: '店铺-站点', kind: 'store', width: 140 }),
  status: OrderStatus.nullable().meta({ width: 100 }),
  purchasedAt: Instant.nullable().meta({ title: '订购时间', width: 128 }),
  quantity: Quantity.nullable().meta({ title: '数量', width: 72 }),
  figure: Decimal.meta({ title: '当前值', width: 90 }),
  threshold: Decimal.meta({ title: '阈值', width: 80 }),
  unit: z.string().meta({ title: '单位', width: 60 }),
  foundAt: Instant.meta({ title: '发现时间', width: 128 }),
  handledBy: z.string().nullable().meta({ title: '处理人', kind: 'person', width: 90, optional: true }),
  handledAt: Instant.nullable().meta({ title: '处理时间', width: 128, optional: true }),
});
export type FindingRow = z.infer<typeof FindingRow>;

export const FindingFilter = z.object({
  state: FindingState,
  kinds: z.array(WatchKindChoice).max(20).meta({ title: '异常类型' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  found: z
    .object({ from: Day.optional(), to: Day.optional() })
    .refine(({ from, to }) => !from || !to || from <= to, '结束日期不能早于开始日期')
    .meta({ title: '发现日期', kind: 'date' }),
  order: OptionalText(40, '订单号'),
});
const Any = FindingFilter.partial();
export type FindingFilter = z.infer<typeof Any>;

export const listFindings = endpoint({
  title: '异常订单列表',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(FindingFilter),
  sortable: ['figure', 'foundAt'],
  reply: Page(FindingRow),
});

export const countFindings = endpoint({
  title: '异常订单数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: Any.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportFindings = endpoint({
  title: '导出异常订单',
  method: 'POST',
  path: `${base}/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(FindingFilter),
  reply: z.unknown(),
});

/** What is odd about one order, "seller~order" or the bare number. */
export const findingsOfOrder = endpoint({
  title: '订单的异常',
  method: 'GET',
  path: `${base}/order/:id`,
  permission: VIEW,
  params: z.object({ id: z.string().min(1).max(120).meta({ title: '订单' }) }),
  reply: z.array(FindingRow),
});

/** Somebody has seen to them, or they shall be left alone; OPEN takes that back. */
export const handleFindings = endpoint({
  title: '处理异常订单',
  method: 'POST',
  path: `${base}/handle`,
  permission: EDIT,
  body: z.object({
    ids: z.array(z.uuid()).min(1, '请选择异常订单').max(200, '一次最多 200 条').meta({ title: '异常订单' }),
    state: Choice({ HANDLED: '已处理', IGNORED: '忽略', OPEN: '恢复为待处理' }, '处理结果'),
    note: OptionalText(500, '处理说明'),
  }),
  reply: z.object({ changed: z.int() }),
});

export const WatchRule = z.object({
  kind: WatchKindChoice.meta({ width: 110 }),
  help: z.string().meta({ title: '比较', width: 300 }),
  threshold: Decimal.meta({ title: '阈值', width: 90 }),
  unit: z.string().meta({ title: '单位', width: 60 }),
  usual: Decimal.meta({ title: '默认', width: 80 }),
  enabled: z.boolean().meta({ title: '启用', kind: 'boolean', width: 70 }),
  version: z.int().meta({ title: '版本', hidden: true }),
});
export type WatchRule = z.infer<typeof WatchRule>;

/** All kinds, each with what holds for the company; `version` 0 where it has set nothing. */
export const readWatchRules = endpoint({
  title: '异常规则',
  method: 'GET',
  path: `${base}/rules`,
  permission: VIEW,
  reply: z.array(WatchRule),
});

/** Orders of the last 60 days are looked at anew in the background. */
export const saveWatchRule = endpoint({
  title: '修改异常规则',
  method: 'POST',
  path: `${base}/rules/save`,
  permission: CONFIG,
  body: z.object({
    kind: WatchKindChoice,
    threshold: Decimal.refine((value) => Number(value) >= 0, '阈值不能小于 0')
      .refine((value) => Number(value) <= 1_000_000, '阈值不能大于 1000000')
      .meta({ title: '阈值' }),
    enabled: z.boolean().default(true).meta({ title: '启用', kind: 'boolean' }),
    version: z.int().min(0).default(0).meta({ title: '版本', hidden: true }),
  }),
  reply: z.object({ version: z.int() }),
});
