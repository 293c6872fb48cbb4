import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base, IMPORT } from './states.ts';

const Problem = z.object({ line: z.int(), key: z.string(), column: z.string(), value: z.string(), reason: z.string() });

const McfImport = z.object({
  /** Lines of the sheet, and the orders that they make. */
  rows: z.int(),
  orders: z.int(),
  problems: z.array(Problem),
  preview: z.array(z.array(z.string())),
  /** Whether the orders were written as drafts: all of them, or none. */
  written: z.boolean(),
});
export type McfImport = z.infer<typeof McfImport>;

/** Checks a sheet of orders, and writes them as drafts where `commit` says so and no row is bad. */
export const importMcf = endpoint({
  title: '导入多渠道订单',
  method: 'POST',
  path: `${base}/import`,
  permission: IMPORT,
  upload: true,
  body: z.object({ commit: z.enum(['true', 'false']).default('false').meta({ title: '写入' }) }),
  reply: McfImport,
});

export const mcfTemplate = endpoint({
  title: '多渠道订单导入模板',
  method: 'GET',
  path: `${base}/template`,
  permission: IMPORT,
  file: true,
  reply: z.unknown(),
});
