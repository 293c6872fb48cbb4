import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';

const base = '/erp/api/v1/inventory';

export const OpeningProblem = z.object({
  line: z.int(),
  sku: z.string(),
  column: z.string(),
  value: z.string(),
  reason: z.string(),
});

/** What a file of opening stock holds; `id` is there where every row is good and it can be posted. */
export const OpeningCheck = z.object({
  id: z.uuid().nullable(),
  number: z.string().nullable(),
  rows: z.int(),
  good: z.int(),
  problems: z.array(OpeningProblem),
  preview: z.array(
    z.object({
      line: z.int(),
      sku: z.string(),
      warehouse: z.string(),
      qty: z.int(),
      unitCost: z.string(),
      firstDay: z.string(),
    }),
  ),
});
export type OpeningCheck = z.infer<typeof OpeningCheck>;

export const openingTemplate = endpoint({
  title: '期初库存模板',
  method: 'GET',
  path: `${base}/opening/downExcelTemp`,
  permission: 'erp:inv:opening',
  file: true,
  reply: z.unknown(),
});

export const checkOpening = endpoint({
  title: '检查期初库存',
  method: 'POST',
  path: `${base}/opening/uploadExcel`,
  permission: 'erp:inv:opening',
  upload: true,
  body: z.object({}),
  reply: OpeningCheck,
});

export const commitOpening = endpoint({
  title: '写入期初库存',
  method: 'POST',
  path: `${base}/opening/commit/:id`,
  permission: 'erp:inv:opening',
  params: z.object({ id: z.uuid().meta({ title: '导入批次' }) }),
  body: z.object({}),
  reply: z.object({ number: z.string(), rows: z.int(), pieces: z.int() }),
});
