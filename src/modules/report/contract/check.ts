import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, Money, States, Store } from '#kit/contract/field.ts';
import { goodsFilter, listOf, pieces, RowKey } from '#modules/inventory/contract/facts.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';

const MAY = { view: 'amz:check:view', export: 'amz:check:export' };
const BASE = '/amazon/api/v1/sales/check';

/** What became of holding a day's count against Amazon's. */
export const Verdict = States(
  {
    differs: { title: '待查', tone: 'trouble' },
    explained: { title: '可解释', tone: 'waiting' },
    equal: { title: '一致', tone: 'done' },
    pending: { title: '读取中', tone: 'running' },
  },
  '核对结果',
);

const amount = (title: string, group: string) =>
  Money.nullable().meta({ title, group, currency: 'currency', permission: AMOUNTS, width: 112 });
const count = (title: string, group: string, width = 80) => pieces(title, width).meta({ group });

const [ORDERS, UNITS, SALES] = ['订单数', '销量', '商品销售额'];

/** A day of a site: our own count, Amazon's, and the former less the latter. */
export const CheckRow = z.object({
  id: RowKey,
  day: Day.meta({ title: '日期', width: 100, tip: '站点当地日期' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  verdict: Verdict.meta({ width: 92 }),
  ownOrders: count('本系统', ORDERS),
  orders: count('亚马逊', ORDERS),
  orderGap: count('差异', ORDERS, 70),
  ownUnits: count('本系统', UNITS),
  units: count('亚马逊', UNITS),
  unitGap: count('差异', UNITS, 70),
  ownSales: amount('本系统', SALES),
  sales: amount('亚马逊', SALES),
  salesGap: amount('差异', SALES),
  reportUnits: pieces('业务报告销量', 110).nullable().meta({ tip: '「流量报表」站点合计，亚马逊 24 至 72 小时后给出' }),
  reportSales: Money.nullable().meta({
    title: '业务报告销售额',
    currency: 'currency',
    permission: AMOUNTS,
    width: 120,
  }),
  readTo: Instant.meta({ title: '亚马逊统计至', width: 130, optional: true }),
  currency: z.string().meta({ title: '币种', hidden: true }),
  accountId: Id,
  marketplaceId: z.string().meta({ title: '站点编号', hidden: true }),
});
export type CheckRow = z.infer<typeof CheckRow>;

export const CheckFilter = z.object({
  dates: goodsFilter.dates,
  sites: goodsFilter.sites,
  verdict: z.array(Verdict).meta({ title: '核对结果' }),
});
const AnyCheck = CheckFilter.partial();
export type CheckFilter = z.infer<typeof AnyCheck>;

/** Days of sites, the last 30 where the filter names none. */
export const salesCheck = listOf({
  title: '销售核对',
  path: BASE,
  row: CheckRow,
  filter: CheckFilter,
  may: MAY,
  sortable: ['day', 'orders', 'units', 'sales', 'orderGap', 'unitGap', 'salesGap'],
});

export const countChecks = endpoint({
  title: '销售核对数量',
  method: 'POST',
  path: `${BASE}/counts`,
  permission: MAY.view,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyCheck.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** A reason for which two counts of the same day may differ, with what it amounts to. */
const Cause = z.object({
  code: z.string(),
  title: z.string().meta({ title: '原因' }),
  units: z.int().nullable().meta({ title: '涉及销量' }),
  amount: Money.nullable().meta({ title: '涉及金额', permission: AMOUNTS }),
  text: z.string().meta({ title: '说明' }),
  /** Whether it accounts for the whole difference by itself. */
  explains: z.boolean(),
});
export type Cause = z.infer<typeof Cause>;

export const CheckDetail = z.object({ row: CheckRow, causes: z.array(Cause) });
export type CheckDetail = z.infer<typeof CheckDetail>;

export const whyDiffers = endpoint({
  title: '销售差异原因',
  method: 'GET',
  path: `${BASE}/why`,
  permission: MAY.view,
  concurrent: true,
  query: z.object({
    accountId: Id.meta({ title: '店铺账号' }),
    marketplaceId: z.string().min(1, '请选择站点').max(20).meta({ title: '站点' }),
    day: Day.meta({ title: '日期' }),
  }),
  reply: CheckDetail,
});
