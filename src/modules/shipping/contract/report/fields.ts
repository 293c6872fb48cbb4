import { z } from 'zod';
import { Choice, Id } from '#kit/contract/field.ts';
import { DayRange } from '../fields.ts';

export const reportBase = '/amazon/api/v2/ship/report';

/** Which day of an order a range of days means. */
export const DayBasis = Choice({ SHIPPED: '出库日期', CREATED: '创建日期' }, '日期口径');
export type DayBasis = z.infer<typeof DayBasis>;

/** What rows of 发货统计 stand for. */
export const ReportBy = Choice(
  {
    CARRIER: '物流商',
    CHANNEL: '渠道',
    CENTER: '配送中心',
    WAREHOUSE: '发货仓',
    STORE: '店铺',
    SITE: '站点',
    SKU: '平台SKU',
    ORDER: '发货单',
  },
  '统计维度',
);
export type ReportBy = z.infer<typeof ReportBy>;

/** Which ship orders are looked at; drafts, rejected and cancelled ones never are. */
export const OrdersFilter = z.object({
  basis: DayBasis,
  day: DayRange('日期'),
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  warehouse: z.array(Id).max(200).meta({ title: '发货仓' }),
  channel: z.array(Id).max(200).meta({ title: '渠道' }),
  keyword: z.string().trim().max(100).meta({ title: '发货单、货件、平台SKU' }),
});
const AnyOrders = OrdersFilter.partial();
export type OrdersFilter = z.infer<typeof AnyOrders>;
