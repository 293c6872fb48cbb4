import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base } from './fields.ts';
import { APPLY } from './requests.ts';

/**
 * Sheet of payments of purchase orders: 采购单号, SKU, 费用类型, 账户, 金额, 备注. Read only, unless `write` says so; then all rows
 * are asked for or none, one request for each order, kind and account. The same file again asks for nothing.
 */
export const uploadPayments = endpoint({
  title: '导入付款',
  method: 'POST',
  path: `${base}/paymentRequest/upload`,
  permission: APPLY,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    good: z.int(),
    requests: z.int(),
    written: z.boolean(),
    summary: z.string().nullable(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
  }),
});

export const paymentTemplate = endpoint({
  title: '付款导入模板',
  method: 'GET',
  path: `${base}/paymentRequest/uploadTemplate`,
  permission: APPLY,
  file: true,
  reply: z.unknown(),
});
