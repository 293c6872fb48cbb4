import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { PLAN_EDIT, PLAN_VIEW, planAt } from './plan.ts';

/** Lines that are written at once. */
export const MOST_PLAN_LINES = 2000;

/** What is planned and not handed in yet as the sheet that the import takes, with what may be filled in beside it. */
export const planSheet = endpoint({
  title: '下载发货规划表',
  method: 'GET',
  path: planAt('sheet'),
  permission: PLAN_VIEW,
  file: true,
  reply: z.unknown(),
});

/**
 * Reads a filled sheet; where asked to, and with every line good, it is planned as it says. A listing that is planned for a
 * warehouse and way already gets these pieces instead, so that the same sheet twice is one.
 */
export const importPlan = endpoint({
  title: '导入发货规划',
  method: 'POST',
  path: planAt('import'),
  permission: PLAN_EDIT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    pieces: z.int(),
    /** Of the lines those whose pieces take the place of others. */
    replaced: z.int(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
    written: z.boolean(),
  }),
});
