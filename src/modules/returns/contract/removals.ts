import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, OptionalText, Product, Quantity, States, Store, Text } from '#kit/contract/field.ts';
import { listCalls } from '#kit/contract/list-calls.ts';
import { RemovalView } from '#modules/inventory/contract/events.ts';
import { code, goodsFilter, pieces } from '#modules/inventory/contract/facts.ts';
import { Site } from '#modules/listing/contract.ts';
import { base, OWN } from './fields.ts';

/** Who may have Amazon send stock back, destroy it or sell it off. */
export const REMOVE = 'amz:removal:add';

export const RemovalType = Choice({ Return: '退回', Disposal: '弃置', Liquidations: '清算' }, '类型');
export type RemovalType = z.infer<typeof RemovalType>;

/** Where a request stands: taken by Amazon, refused by it, or without an answer. */
export const RequestState = States(
  {
    submitting: { title: '提交中', tone: 'running' },
    accepted: { title: '已受理', tone: 'done' },
    rejected: { title: '被拒绝', tone: 'trouble' },
    unknown: { title: '结果未知', tone: 'waiting' },
  },
  '状态',
);
export type RequestState = z.infer<typeof RequestState>;

const count = (title: string) =>
  z.int('请输入整数').min(0, `${title}件数不能为负`).max(1_000_000).default(0).meta({ title, kind: 'integer' });

export const RemovalLine = z.object({
  sku: Text(50, 'MSKU'),
  sellable: count('可售'),
  unsellable: count('不可售'),
});
export type RemovalLine = z.infer<typeof RemovalLine>;

/** What a form asks beside the goods. */
export const RemovalForm = z.object({
  site: Site.meta({ title: '店铺/站点', kind: 'choice' }),
  type: RemovalType,
  addressId: z.uuid('请选择退回地址').optional().meta({ title: '退回地址', kind: 'choice' }),
  remark: OptionalText(200, '备注'),
});

export const RemovalWish = RemovalForm.extend({
  lines: z
    .array(RemovalLine)
    .min(1, '请选择商品')
    .max(200, '一个移除订单最多 200 行商品')
    .refine((all) => new Set(all.map(({ sku }) => sku)).size === all.length, '同一个 MSKU 只能填写一行')
    .meta({ title: '商品' }),
});
export type RemovalWish = z.infer<typeof RemovalWish>;

const path = `${base}/removal`;

export const createRemoval = endpoint({
  title: '新建移除',
  method: 'POST',
  path: `${path}/create`,
  permission: REMOVE,
  body: RemovalWish,
  reply: z.object({ id: Id, number: z.string() }),
});

/** Sends a request once more under its number; one that the report knows by now is not sent. */
export const resubmitRemoval = endpoint({
  title: '重新提交移除',
  method: 'POST',
  path: `${path}/resubmit`,
  permission: REMOVE,
  body: z.object({ id: Id.meta({ title: '移除申请' }) }),
  reply: z.object({ sent: z.boolean() }),
});

export const RemovalGoods = z.object({
  id: z.string(),
  product: Product,
  sellable: Quantity.meta({ title: '可售' }),
  unsellable: Quantity.meta({ title: '不可售' }),
});
export type RemovalGoods = z.infer<typeof RemovalGoods>;

/** What of the FBA stock of a site can be removed. */
export const removalGoods = endpoint({
  title: '可移除商品',
  method: 'POST',
  path: `${path}/goods`,
  permission: REMOVE,
  access: 'read',
  body: z.object({ site: Site.meta({ title: '店铺/站点' }), keyword: OptionalText(100, 'MSKU/标题') }),
  reply: z.array(RemovalGoods),
});

/** Where a store can have its stock sent back to: its own address book. */
export const removalAddresses = endpoint({
  title: '退回地址',
  method: 'POST',
  path: `${path}/addresses`,
  permission: REMOVE,
  access: 'read',
  body: z.object({ site: Site.meta({ title: '店铺/站点' }) }),
  reply: z.array(z.object({ id: Id, name: z.string(), isDefault: z.boolean() })),
});

const Told = States({ no: { title: '未出现', tone: 'waiting' }, yes: { title: '已出现', tone: 'done' } }, '亚马逊报告');

export const RequestRow = z.object({
  id: Id,
  number: code('移除单号', 190),
  state: RequestState.meta({ width: 96 }),
  told: Told.meta({ width: 110, tip: '移除订单报告每 6 小时更新；出现后可打开对应的移除订单' }),
  type: RemovalType.meta({ width: 76 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  sellable: pieces('可售', 76),
  unsellable: pieces('不可售', 76),
  problem: z.string().meta({ title: '拒绝原因', width: 200 }),
  remark: z.string().meta({ title: '备注', width: 100 }),
  createdBy: z.string().meta({ title: '申请人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '申请时间', width: 130 }),
});
export type RequestRow = z.infer<typeof RequestRow>;

export const RequestFilter = z.object({
  view: RemovalView,
  sites: goodsFilter.sites,
  state: RequestState,
  told: Told,
  type: RemovalType,
  number: OptionalText(60, '移除单号'),
});
const AnyRequestFilter = RequestFilter.partial();
export type RequestFilter = z.infer<typeof AnyRequestFilter>;

export const requests = listCalls({
  title: '移除申请',
  path,
  row: RequestRow,
  filter: RequestFilter,
  sortable: ['createdAt', 'sellable', 'unsellable'],
  may: OWN,
});
