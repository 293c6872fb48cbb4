import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { ById, base, SHIP, VIEW } from './fields.ts';

/** Boxes of an order that go with a carrier of the seller's own, with their tracking numbers, as the sheet that the import takes. */
export const trackingSheet = endpoint({
  title: '下载追踪号表',
  method: 'GET',
  path: `${base}/inbound/tracking/sheet/:id`,
  permission: VIEW,
  params: ById,
  file: true,
  reply: z.unknown(),
});

/** Reads a filled sheet; where asked to, and with every line good, boxes that it names get their tracking numbers. */
export const importTracking = endpoint({
  title: '导入追踪号',
  method: 'POST',
  path: `${base}/inbound/tracking/import`,
  permission: SHIP,
  upload: true,
  body: z.object({
    id: Id.meta({ title: '发货单' }),
    write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }),
  }),
  reply: z.object({
    rows: z.int(),
    /** Boxes that the sheet leaves without a number. */
    open: z.int(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
    written: z.boolean(),
  }),
});
