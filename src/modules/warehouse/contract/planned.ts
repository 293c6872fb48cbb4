import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, Quantity } from '#kit/contract/field.ts';

/** How long a submitted plan keeps pieces from being promised again. */
export const HOLD_DAYS = 7;

/** A submitted plan that wants pieces of a product from a warehouse, and holds none in the ledger yet. */
export const PlannedRow = z.object({
  id: z.string(),
  kind: z.string().meta({ title: '单据类型', kind: 'text', width: 110 }),
  number: z.string().meta({ title: '单号', kind: 'code', width: 150 }),
  qty: Quantity.meta({ title: '计划占用', width: 90 }),
  since: Instant.meta({ title: '提交时间', width: 140 }),
  until: Instant.meta({ title: '占用到', width: 140, tip: `提交后 ${HOLD_DAYS} 天仍未审核，不再占用` }),
  path: z.string().nullable(),
});
export type PlannedRow = z.infer<typeof PlannedRow>;

/** What the 计划占用 of a row of the stock report is made of, the oldest first. */
export const listPlanned = endpoint({
  title: '计划占用明细',
  method: 'GET',
  path: '/erp/api/v1/inventory/planned',
  permission: 'erp:inv:view',
  query: z.object({ productId: Id.meta({ title: '产品' }), warehouseId: Id.meta({ title: '仓库' }) }),
  reply: z.array(PlannedRow),
});
