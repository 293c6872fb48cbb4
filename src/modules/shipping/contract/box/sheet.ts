import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { BOX, ById, base, VIEW } from '../fields.ts';

/** The boxes of an order as the sheet that the import takes; before packing, its SKUs to be filled in. */
export const boxSheet = endpoint({
  title: '下载装箱表',
  method: 'GET',
  path: `${base}/box/sheet/:id`,
  permission: VIEW,
  params: ById,
  file: true,
  reply: z.unknown(),
});

/** Reads a filled sheet; where asked to, and with every line good, it replaces all boxes of the order. */
export const importBoxes = endpoint({
  title: '导入装箱表',
  method: 'POST',
  path: `${base}/box/import`,
  permission: BOX,
  upload: true,
  body: z.object({
    id: Id.meta({ title: '发货单' }),
    version: z.coerce.number().int().optional().meta({ title: '版本' }),
    write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }),
  }),
  reply: z.object({
    rows: z.int(),
    boxes: z.int(),
    pieces: z.int(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
    written: z.boolean(),
  }),
});
