import { z } from 'zod';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { ById, Pieces } from '../fields.ts';
import { PickRow } from '../picking.ts';
import { base, MAX_SELF_BATCH, SELF_IMPORT, SELF_PICK, SELF_VIEW } from './fields.ts';

const Ids = z.array(Id).min(1, '请选择自发货单').max(MAX_SELF_BATCH).meta({ title: '自发货单' });

/** What is to be picked of a document, in the order in which a picker walks. */
export const selfPickRows = endpoint({
  title: '自发货单拣货明细',
  method: 'GET',
  path: `${base}/pick/:id`,
  permission: SELF_VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(PickRow),
});

/** Pieces that were taken from the shelves; once for its `clientId`. */
export const pickSelf = endpoint({
  title: '自发货单·拣货',
  method: 'POST',
  path: `${base}/pick`,
  permission: SELF_PICK,
  body: Command.extend({
    clientId: z.string().trim().min(1).max(100).optional().meta({ title: '客户端编号' }),
    lines: z
      .array(z.object({ lineId: Id.meta({ title: '明细行' }), qty: Pieces.meta({ title: '本次拣货' }) }))
      .min(1, '至少添加一行数据')
      .max(2000)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});

/** 拣货单: what documents of one warehouse hold, by shelf, A4. */
export const printSelfPicks = endpoint({
  title: '打印拣货单',
  method: 'POST',
  path: `${base}/print/picks`,
  permission: SELF_VIEW,
  access: 'read',
  file: true,
  body: z.object({ ids: Ids }),
  reply: z.unknown(),
});

/** 装箱清单: what lies in the parcel of a document, A4. */
export const printSelfPacking = endpoint({
  title: '打印装箱清单',
  method: 'GET',
  path: `${base}/print/packing/:id`,
  permission: SELF_VIEW,
  file: true,
  params: ById,
  reply: z.unknown(),
});

/** 面单: a plain label of 100 x 150 mm with the document's number for a scanner. */
export const printSelfLabels = endpoint({
  title: '打印面单',
  method: 'POST',
  path: `${base}/print/labels`,
  permission: SELF_VIEW,
  access: 'read',
  file: true,
  body: z.object({ ids: Ids }),
  reply: z.unknown(),
});

/**
 * Takes tracking numbers from a sheet, by the number of a document or of an order. Without `write` the rows are only checked;
 * one bad row is enough that nothing is written. What has left already is reported to the platform with them.
 */
export const importSelfTracking = endpoint({
  title: '导入运单号',
  method: 'POST',
  path: `${base}/tracking/import`,
  permission: SELF_IMPORT,
  upload: true,
  body: z.object({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    written: z.boolean(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
  }),
});

export const selfTrackingTemplate = endpoint({
  title: '运单号导入模板',
  method: 'GET',
  path: `${base}/tracking/template`,
  permission: SELF_IMPORT,
  file: true,
  reply: z.unknown(),
});
