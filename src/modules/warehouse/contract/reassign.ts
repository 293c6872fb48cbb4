import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id } from '#kit/contract/field.ts';

const base = '/erp/api/v1/inventory/reservation';
const RIGHT = 'erp:inv:release';

/** A document that was approved and does not hold all that it needs. */
export const ReassignTarget = z.object({
  id: Id,
  number: z.string().meta({ title: '单据', kind: 'code', width: 140 }),
  kind: z.string().meta({ title: '单据类型', width: 100 }),
  state: z.string().meta({ title: '状态', width: 90 }),
  partner: z.string().meta({ title: '往来单位', width: 140 }),
  plannedOn: Day.nullable().meta({ title: '计划日期', width: 110 }),
  lacking: z.int().meta({ title: '缺少', kind: 'integer', width: 80 }),
  path: z.string(),
});
export type ReassignTarget = z.infer<typeof ReassignTarget>;

/** What of a reservation may go to which document. */
export const readReassignTargets = endpoint({
  title: '可改派的单据',
  method: 'GET',
  path: `${base}/reassign/targets`,
  permission: RIGHT,
  concurrent: true,
  query: z.object({ id: z.uuid().meta({ title: '预留' }) }),
  reply: z.object({
    /** Held and not picked. */
    movable: z.int(),
    /** Why nothing of it may go; null where it may. */
    obstacle: z.string().nullable(),
    targets: z.array(ReassignTarget),
  }),
});

export const reassignReservation = endpoint({
  title: '改派预留',
  method: 'POST',
  path: `${base}/reassign`,
  permission: RIGHT,
  body: z.object({
    id: z.uuid().meta({ title: '预留' }),
    documentId: z.uuid('请选择改派到的单据').meta({ title: '改派到' }),
    qty: z
      .int('数量必须为正整数')
      .min(1, '数量必须为正整数')
      .max(100_000_000)
      .meta({ title: '改派数量', kind: 'integer' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: z.object({ moved: z.int(), message: z.string() }),
});
