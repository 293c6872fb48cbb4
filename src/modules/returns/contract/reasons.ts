import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Quantity, Rate } from '#kit/contract/field.ts';
import { listCalls } from '#kit/contract/list-calls.ts';
import { RETURN_REASONS } from '#modules/inventory/contract/events.ts';
import { pieces, word } from '#modules/inventory/contract/facts.ts';
import { base, OWN, ReasonClass } from './fields.ts';
import { ReturnFilter } from './returns.ts';

/** How often something comes back for one reason. */
export const ReasonRow = z.object({
  id: z.string().meta({ title: '编号', hidden: true }),
  reason: word('退货原因', RETURN_REASONS, 160),
  reasonClass: ReasonClass.meta({ width: 90 }),
  quantity: pieces('退货量', 100),
  share: Rate.nullable().meta({ title: '占比', width: 90 }),
  cumulative: Rate.nullable().meta({ title: '累计占比', width: 100, tip: '从最多的原因开始累计' }),
  sellable: pieces('可售', 90),
  skus: z.int().meta({ title: '涉及SKU', kind: 'integer', width: 90 }),
});
export type ReasonRow = z.infer<typeof ReasonRow>;

const path = `${base}/reason`;
export const reasons = listCalls({
  title: '退货原因',
  path,
  row: ReasonRow,
  filter: ReturnFilter,
  sortable: ['quantity', 'sellable', 'skus'],
  may: OWN,
});

const Part = z.object({ key: z.string(), quantity: Quantity });

/** Pieces under a filter by reason, by day, by SKU (the most frequent ones) and by who answers; each adds up to the total. */
export const ReturnShares = z.object({
  total: Quantity,
  reasons: z.array(Part),
  days: z.array(Part),
  skus: z.array(Part.extend({ cumulative: Rate.nullable() })),
  parties: z.array(Part),
});
export type ReturnShares = z.infer<typeof ReturnShares>;

export const shareReturns = endpoint({
  title: '退货分析',
  method: 'POST',
  path: `${path}/shares`,
  permission: OWN.view,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ReturnFilter.partial().prefault({}) }),
  reply: ReturnShares,
});
