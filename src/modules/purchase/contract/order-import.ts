import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base, EDIT } from './fields.ts';

const at = <const S extends string>(part: S) => `${base}/purchaseOrder/import/${part}` as const;

/**
 * Takes drafts of orders from a sheet: rows of one supplier, warehouse, currency and mark are one order. Without `write` the
 * rows are only checked; one bad row is enough that nothing is written.
 */
export const importOrders = endpoint({
  title: '导入采购单',
  method: 'POST',
  path: at('upload'),
  permission: EDIT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    orders: z.int(),
    written: z.boolean(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
    numbers: z.array(z.string()),
  }),
});

export const orderTemplate = endpoint({
  title: '采购单导入模板',
  method: 'GET',
  path: at('template'),
  permission: EDIT,
  file: true,
  reply: z.unknown(),
});
