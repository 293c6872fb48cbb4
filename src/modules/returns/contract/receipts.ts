import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, OptionalText, Product, Quantity, States, Store, Text } from '#kit/contract/field.ts';
import { listCalls } from '#kit/contract/list-calls.ts';
import { code, goodsFilter, pieces } from '#modules/inventory/contract/facts.ts';
import { base, Days, OWN } from './fields.ts';

/** Who may take in what comes back, and say that the rest will not come. */
export const RECEIVE = 'amz:returns:receive';

/** Names goods on their way: "kind.account.day.row". */
export const IncomingKey = z
  .string()
  .regex(/^(REMOVAL|FBM)\.[0-9a-f-]{36}\.\d{4}-\d{2}-\d{2}\.[0-9a-f-]{36}$/, '退件不存在')
  .meta({ title: '退件', hidden: true });

export const IncomingKind = Choice({ REMOVAL: '移除货件', FBM: '自发货退货' }, '来源');

export const IncomingState = States(
  {
    coming: { title: '在途', tone: 'waiting' },
    part: { title: '部分入库', tone: 'running' },
    done: { title: '已入库', tone: 'done' },
    settled: { title: '差异已处理', tone: 'off' },
  },
  '状态',
);
export type IncomingState = z.infer<typeof IncomingState>;

export const IncomingRow = z.object({
  id: IncomingKey,
  day: Day.meta({ title: '发出日期', width: 100, tip: '站点当地日期；自发货退货为申请日期' }),
  kind: IncomingKind.meta({ width: 100 }),
  orderId: code('移除单/订单号', 212),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  state: IncomingState.meta({ width: 100 }),
  carrier: z.string().meta({ title: '承运商', width: 100 }),
  tracking: code('追踪号', 170),
  sent: pieces('发出', 70),
  received: pieces('已收', 70),
  good: pieces('良品', 70).meta({ group: '分级' }),
  repair: pieces('待返修', 76).meta({ group: '分级' }),
  scrap: pieces('报废', 70).meta({ group: '分级' }),
  difference: z.int().meta({ title: '差异', kind: 'integer', width: 70, tip: '发出 − 已收' }),
  reason: z.string().nullable().meta({ title: '差异说明', width: 160 }),
});
export type IncomingRow = z.infer<typeof IncomingRow>;

export const IncomingFilter = z.object({
  state: IncomingState,
  dates: Days.meta({ title: '发出日期', kind: 'date' }),
  kind: IncomingKind,
  sites: goodsFilter.sites,
  keyword: OptionalText(100, 'MSKU/FNSKU'),
  tracking: OptionalText(60, '追踪号'),
  orderId: OptionalText(40, '移除单/订单号'),
});
const AnyIncomingFilter = IncomingFilter.partial();
export type IncomingFilter = z.infer<typeof AnyIncomingFilter>;

const path = `${base}/incoming`;
export const incoming = listCalls({
  title: '退件验收',
  path,
  row: IncomingRow,
  filter: IncomingFilter,
  sortable: ['day', 'product', 'sent'],
  may: OWN,
});

export const countIncoming = endpoint({
  title: '退件验收数量',
  method: 'POST',
  path: `${path}/counts`,
  permission: OWN.view,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: IncomingFilter.partial().prefault({}) }),
  reply: z.record(z.string(), Quantity),
});

/** What came of one removal order, a row per SKU and parcel. */
export const parcelsOf = endpoint({
  title: '移除货件',
  method: 'GET',
  path: `${path}/parcels`,
  permission: OWN.view,
  query: z.object({ orderId: z.string().max(60).meta({ title: '移除单号' }) }),
  reply: z.array(IncomingRow),
});

const count = (title: string, tip: string) =>
  z.int('请输入整数').min(0, `${title}不能为负`).max(1_000_000).default(0).meta({ title, kind: 'integer', tip });

/** A receipt: how many pieces of each grade, and where the sound and the broken ones are put. */
export const ReceiptForm = z.object({
  good: count('良品', '可以再卖，计入可用库存'),
  repair: count('待返修', '计入次品库存'),
  scrap: count('报废', '不计库存'),
  warehouseId: z.uuid('请选择良品仓库').optional().meta({ title: '良品仓库' }),
  repairWarehouseId: z.uuid('请选择次品仓库').optional().meta({ title: '次品仓库' }),
  remark: OptionalText(200, '备注'),
});

/** Takes in what came of one parcel and SKU: a receipt with its stock. */
export const receiveIncoming = endpoint({
  title: '登记收货',
  method: 'POST',
  path: `${path}/receive`,
  permission: RECEIVE,
  body: ReceiptForm.extend({ id: IncomingKey }),
  reply: z.object({ id: Id, number: z.string() }),
});

/** Says that what is missing will not come. */
export const settleIncoming = endpoint({
  title: '标记差异',
  method: 'POST',
  path: `${path}/settle`,
  permission: RECEIVE,
  body: z.object({ id: IncomingKey, reason: Text(200, '差异说明') }),
  reply: z.object({ difference: z.int() }),
});

export const ReceiptRow = z.object({
  id: Id,
  number: z.string().meta({ title: '收货单号', kind: 'code', width: 140 }),
  good: pieces('良品', 64),
  repair: pieces('待返修', 70),
  scrap: pieces('报废', 64),
  warehouse: z.string().meta({ title: '仓库', width: 120 }),
  remark: z.string().meta({ title: '备注', width: 120 }),
  createdBy: z.string().meta({ title: '收货人', width: 90 }),
  createdAt: Instant.meta({ title: '收货时间', width: 130 }),
  cancelledBy: z.string().nullable().meta({ title: '撤销人', width: 90 }),
});
export type ReceiptRow = z.infer<typeof ReceiptRow>;

/** The receipts of one parcel and SKU, the newest first. */
export const receiptsOf = endpoint({
  title: '收货记录',
  method: 'GET',
  path: `${path}/receipts`,
  permission: OWN.view,
  query: z.object({ id: IncomingKey }),
  reply: z.array(ReceiptRow),
});

/** Takes a receipt back with the stock that it brought. */
export const cancelReceipt = endpoint({
  title: '撤销收货',
  method: 'POST',
  path: `${path}/cancelReceipt`,
  permission: RECEIVE,
  body: z.object({ id: Id }),
  reply: z.object({ number: z.string() }),
});

const Place = z.object({ id: Id, name: z.string() });

/** Where sound and broken pieces can be put. */
export const receiptPlaces = endpoint({
  title: '收货仓库',
  method: 'GET',
  path: `${path}/places`,
  permission: RECEIVE,
  reply: z.object({ good: z.array(Place), repair: z.array(Place) }),
});
