import { z } from 'zod';
import { Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Decimal, Id, Instant, Money, Product, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById, DayRange } from '../fields.ts';
import {
  base,
  COST,
  FREIGHT_ADD,
  FREIGHT_EXPORT,
  FREIGHT_VIEW,
  FreightKind,
  FreightState,
  MatchState,
} from './fields.ts';

const FEE = { currency: 'CNY', permission: COST } as const;

/** What the first leg of a line of a ship order comes to. */
export const FreightFeeRow = z.object({
  id: Id,
  orderId: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240, pinned: 'left' }),
  local: z.string().meta({ title: '本地SKU', width: 140 }),
  order: z.string().meta({ title: '发货单', kind: 'code', width: 150 }),
  shipmentNo: z.string().meta({ title: '货件编号', kind: 'code', width: 140 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 140 }),
  carrier: z.string().meta({ title: '物流商', width: 120, optional: true }),
  channel: z.string().meta({ title: '渠道', width: 150 }),
  shippedAt: Instant.meta({ title: '出库时间', width: 130 }),
  qty: z.int().meta({ title: '发货量', kind: 'integer', width: 90 }),
  billable: Decimal.nullable().meta({
    title: '计费重',
    kind: 'rate',
    width: 100,
    tip: '按渠道规则逐箱计费后分到明细；按体积计费的渠道为m³',
  }),
  state: FreightState.meta({ width: 100 }),
  fee: Money.nullable().meta({ title: '分摊费', ...FEE, width: 120, tip: '已结为账单分摊，暂估为出库时的预估' }),
  unitFee: Decimal.nullable().meta({
    title: '单件费',
    kind: 'rate',
    width: 110,
    permission: COST,
    tip: '人民币，仅供参考',
  }),
  estimated: Money.nullable().meta({ title: '预估', ...FEE, width: 110, optional: true }),
  toLayers: Money.meta({ title: '计入库存成本', ...FEE, width: 120, optional: true }),
  variance: Money.meta({ title: '成本差异', ...FEE, width: 110, optional: true }),
});
export type FreightFeeRow = z.infer<typeof FreightFeeRow>;

export const FreightFeeFilter = z.object({
  state: FreightState,
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  channel: z.array(Id).max(200).meta({ title: '渠道' }),
  shipped: DayRange('出库日期'),
  keyword: z.string().trim().max(100).meta({ title: '发货单、货件、SKU' }),
});
const AnyFilter = FreightFeeFilter.partial();
export type FreightFeeFilter = z.infer<typeof AnyFilter>;

export const listFreightFees = endpoint({
  title: '头程费用分摊',
  method: 'POST',
  path: `${base}/fee/list`,
  permission: FREIGHT_VIEW,
  access: 'read',
  body: PageQuery(FreightFeeFilter),
  sortable: ['order', 'shippedAt', 'qty', 'billable', 'fee'],
  reply: Page(FreightFeeRow),
});

export const exportFreightFees = endpoint({
  title: '导出头程费用分摊',
  method: 'POST',
  path: `${base}/fee/export`,
  permission: FREIGHT_EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(FreightFeeFilter),
  reply: z.unknown(),
});

/** A charge of one order, as its page shows it. */
export const OrderChargeRow = z.object({
  id: Id,
  billId: Id.nullable(),
  bill: z.string().meta({ title: '来源', width: 160 }),
  day: Day.nullable().meta({ title: '日期', width: 110 }),
  kind: FreightKind.meta({ width: 90 }),
  billedWeight: Decimal.nullable().meta({ title: '计费量', kind: 'rate', width: 90 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 110 }),
  currency: Currency,
  rate: Decimal.nullable().meta({ title: '汇率', kind: 'rate', width: 90 }),
  amountCny: Money.nullable().meta({ title: '折人民币', currency: 'CNY', width: 110 }),
  state: FreightState.meta({ width: 100 }),
  remark: z.string().meta({ title: '备注', width: 160 }),
});
export type OrderChargeRow = z.infer<typeof OrderChargeRow>;

export const orderFreight = endpoint({
  title: '发货单头程费用',
  method: 'GET',
  path: `${base}/order/:id`,
  permission: FREIGHT_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    charges: z.array(OrderChargeRow),
    lines: z.array(FreightFeeRow),
    /** All of it without duties, CNY. */
    expectedTotal: Money.nullable(),
    billedTotal: Money,
    match: MatchState,
    /** Why there is no estimate; empty where there is one or it is not its time yet. */
    why: z.string(),
  }),
});

/** Works the estimate of an order that has left out once more, e.g. since its channel or a rate is known. */
export const estimateFreight = endpoint({
  title: '重算头程预估',
  method: 'POST',
  path: `${base}/order/estimate`,
  permission: FREIGHT_ADD,
  body: z.object({ id: Id.meta({ title: '发货单' }), version: z.int().optional().meta({ title: '版本' }) }),
  reply: Outcome,
});
