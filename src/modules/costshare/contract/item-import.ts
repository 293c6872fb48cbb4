import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { POST } from './document.ts';

const root = '/amazon/api/v1/fin/itemFee';

/**
 * Sheet of costs of single SKUs: 日期, 店铺, 国家, SKU, 费用名称, 货币, 金额, 备注. Read only, unless `write` says so; then all rows
 * are booked or none. The same file again books nothing.
 */
export const uploadItemFees = endpoint({
  title: '导入其他成本',
  method: 'POST',
  path: `${root}/import`,
  permission: POST,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    good: z.int(),
    written: z.boolean(),
    summary: z.string().nullable(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
  }),
});

export const itemFeeTemplate = endpoint({
  title: '其他成本导入模板',
  method: 'GET',
  path: `${root}/template`,
  permission: POST,
  file: true,
  reply: z.unknown(),
});
