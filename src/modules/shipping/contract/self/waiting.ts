import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Product } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { BatchOutcome } from './calls.ts';
import { base, MAX_SELF_BATCH, SELF_ADD, SELF_VIEW } from './fields.ts';
import { WaitingFilter, WaitingRow } from './rows.ts';

const OrderIds = z.array(z.string().min(1).max(120)).min(1, '请选择订单').max(MAX_SELF_BATCH).meta({ title: '订单' });

/** 待建单: orders that we ship ourselves and that no document or package covers, the least time left first. */
export const listWaiting = endpoint({
  title: '待建单订单',
  method: 'POST',
  path: `${base}/waiting`,
  permission: SELF_VIEW,
  access: 'read',
  body: PageQuery(WaitingFilter),
  sortable: ['latestShipAt', 'purchasedAt'],
  reply: Page(WaitingRow),
});

/** How many orders wait, how many of them are late, and how many will be within hours. */
export const countWaiting = endpoint({
  title: '待建单订单数量',
  method: 'GET',
  path: `${base}/waiting/count`,
  permission: SELF_VIEW,
  concurrent: true,
  reply: z.object({ orders: z.int(), late: z.int(), hours: z.int() }),
});

/** A line of an order with what can still be sent of it. */
export const OpenLine = z.object({
  orderId: z.string(),
  order: z.string(),
  orderItemId: z.string(),
  product: Product,
  msku: z.string(),
  /** Local SKUs with pieces for one; empty where the listing is matched with no product. */
  local: z.string(),
  open: z.int(),
  /** What can be put together in the warehouse. */
  available: z.int(),
});
export type OpenLine = z.infer<typeof OpenLine>;

/** Lines of orders for a form; `docId`: a document whose own pieces count as open. */
export const openLines = endpoint({
  title: '订单可发商品行',
  method: 'POST',
  path: `${base}/waiting/lines`,
  permission: SELF_VIEW,
  access: 'read',
  body: z.object({
    orders: OrderIds,
    warehouseId: z.string().max(60).default('').meta({ title: '发货仓' }),
    docId: z.uuid().nullable().default(null).meta({ title: '自发货单' }),
  }),
  reply: z.array(OpenLine),
});

/** 建单: one document for each group of orders, with all that is open of them. */
export const buildSelf = endpoint({
  title: '批量建自发货单',
  method: 'POST',
  path: `${base}/build`,
  permission: SELF_ADD,
  body: z.object({
    warehouseId: z.uuid('请选择发货仓').meta({ title: '发货仓' }),
    channelId: z.uuid().nullable().default(null).meta({ title: '物流渠道' }),
    groups: z
      .array(z.object({ orders: OrderIds }))
      .min(1, '请选择订单')
      .max(MAX_SELF_BATCH)
      .meta({ title: '分组' }),
  }),
  reply: BatchOutcome.extend({ ids: z.array(Id) }),
});
