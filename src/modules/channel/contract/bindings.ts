import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, OptionalText, Product, Quantity, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { base, IMPORT, Platform, VIEW } from './fields.ts';

const BindingState = States(
  { open: { title: '待配对', tone: 'waiting' }, bound: { title: '已配对', tone: 'done' } },
  '配对状态',
);

/** A SKU of a shop as its orders call it. */
export const BindingRow = z.object({
  /** "<shop> <SKU>" */
  id: z.string().meta({ title: '行', hidden: true }),
  shopId: Id,
  platformSku: z.string().meta({ title: '平台SKU', kind: 'code', width: 180, pinned: 'left' }),
  platform: Platform.meta({ width: 90 }),
  store: z.string().meta({ title: '店铺', kind: 'text', width: 150 }),
  state: BindingState.meta({ width: 90 }),
  product: Product.nullable().meta({ title: '本地SKU', kind: 'product', width: 240, tip: '今天有效的配对' }),
  productId: Id.nullable(),
  units: z.int().nullable().meta({ title: '每件含', kind: 'integer', width: 72, tip: '一件平台SKU含多少件本地产品' }),
  validFrom: Day.nullable().meta({ title: '生效日期', width: 110, tip: '空为一直有效' }),
  way: Choice({ manual: '手工', same: '自动同码' }, '来源').nullable().meta({ width: 90 }),
  openLines: Quantity.meta({ title: '未配对订单行', width: 110, good: 'down' }),
  openUnits: Quantity.meta({ title: '未配对件数', width: 100, good: 'down' }),
  lines: Quantity.meta({ title: '全部订单行', width: 96, optional: true }),
  firstDay: Day.meta({ title: '最早下单', width: 110, optional: true }),
  lastDay: Day.meta({ title: '最近下单', width: 110 }),
  updatedBy: z.string().nullable().meta({ title: '修改人', kind: 'person', width: 110, optional: true }),
  updatedAt: Instant.nullable().meta({ title: '修改时间', width: 130, optional: true }),
});
export type BindingRow = z.infer<typeof BindingRow>;

export const BindingFilter = z.object({
  state: BindingState,
  keyword: OptionalText(100, '平台SKU'),
  platforms: z.array(Platform).max(20).meta({ title: '平台' }),
  shops: z.array(z.uuid()).max(200).meta({ title: '店铺' }),
});
const AnyBindingFilter = BindingFilter.partial();
export type BindingFilter = z.infer<typeof AnyBindingFilter>;

export const listBindings = endpoint({
  title: '平台SKU配对列表',
  method: 'POST',
  path: `${base}/bindings`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(BindingFilter),
  sortable: ['platformSku', 'openLines', 'openUnits', 'lines', 'firstDay', 'lastDay'],
  reply: Page(BindingRow),
});

export const countBindings = endpoint({
  title: '平台SKU配对数量',
  method: 'POST',
  path: `${base}/bindings/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyBindingFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** What a binding says: shown as the form of the dialog. */
export const BindInput = z.object({
  productId: z.uuid('请选择本地产品').meta({ title: '本地产品' }),
  units: z.int().min(1, '每件至少含 1 件').max(10_000).default(1).meta({ title: '每件含', kind: 'integer' }),
  /** Left out: always, also for sales of the past. */
  validFrom: Day.optional().meta({ title: '生效日期', kind: 'date' }),
});

const Binding = BindInput.extend({
  skus: z
    .array(z.object({ shopId: z.uuid(), platformSku: z.string().min(1).max(100) }))
    .min(1)
    .max(500, '一次最多配对 500 个')
    .meta({ title: '平台SKU' }),
});
export type Binding = z.infer<typeof Binding>;

/** Binds SKUs of shops to a product; their sales from the day on count for it, past ones too. */
export const bindSku = endpoint({
  title: '配对平台SKU',
  method: 'POST',
  path: `${base}/bindSku`,
  permission: IMPORT,
  body: Binding,
  reply: z.object({ bound: z.int() }),
});

/** Reads a sheet of orders; one bad row is enough that nothing is written, and what is known already is not written again. */
export const importOrders = endpoint({
  title: '导入平台订单',
  method: 'POST',
  path: `${base}/import`,
  permission: IMPORT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    /** SKUs that stand for no product yet. */
    unbound: z.int(),
    written: z.boolean(),
    problems: z.array(
      z.object({ line: z.int(), key: z.string(), column: z.string(), value: z.string(), reason: z.string() }),
    ),
  }),
});

export const orderTemplate = endpoint({
  title: '平台订单导入模板',
  method: 'GET',
  path: `${base}/template`,
  permission: IMPORT,
  file: true,
  reply: z.unknown(),
});
