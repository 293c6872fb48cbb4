import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import type { Problem } from './answers.ts';
import { stageOf } from './stages/index.ts';
import type { Ask, InboundOperation, Patch, StageKey, View } from './types.ts';

/** Columns of `shipping.inbound` by their names in the view; those of JSON are told apart. */
const PLAIN: Readonly<Record<string, string>> = {
  planId: 'plan_id',
  chosenPacking: 'chosen_packing',
  chosenPlacement: 'chosen_placement',
  wish: 'wish',
  attempt: 'attempt',
  state: 'state',
};
const JSONS: Readonly<Record<string, string>> = {
  prep: 'prep',
  prepWish: 'prep_wish',
  packing: 'packing',
  placement: 'placement',
  transport: 'transport',
  windows: 'windows',
  ways: 'ways',
};

/** Writes columns of an order's way. */
export async function putInbound(ctx: Ctx, orderId: string, patch: NonNullable<Patch['inbound']>): Promise<void> {
  const columns: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(patch)) {
    const json = JSONS[key];
    if (json) columns[json] = value === null ? null : JSON.stringify(value);
    else columns[PLAIN[key] ?? key] = value;
  }
  if (Object.keys(columns).length === 0) return;
  await ctx.db
    .updateTable('shipping.inbound')
    .set(columns as never)
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .execute();
}

async function putShipments(ctx: Ctx, view: View, shipments: NonNullable<Patch['shipments']>): Promise<void> {
  const rows = shipments.map((one) => ({
    ...view.shipments.find(({ shipmentId }) => shipmentId === one.shipmentId),
    ...one,
  }));
  await sql`
    INSERT INTO shipping.inbound_shipment AS s
      (company_id, order_id, account_id, shipment_id, shipment_no, center, status, items, transport, delivery_window, label_file_id,
       thermal_file_id)
    SELECT ${ctx.companyId}, ${view.order.id}, ${view.order.account}, r."shipmentId", r."shipmentNo", coalesce(r.center, ''),
           coalesce(r.status, 'WORKING'), coalesce(r.items, '[]'), nullif(r.transport, 'null'), nullif(r."window", 'null'),
           r."labelFileId", r."thermalFileId"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r("shipmentId" text, "shipmentNo" text, center text, status text, items jsonb, transport jsonb, "window" jsonb,
             "labelFileId" uuid, "thermalFileId" uuid)
    ON CONFLICT (company_id, order_id, shipment_id) DO UPDATE
       SET shipment_no = excluded.shipment_no, center = excluded.center, status = excluded.status, items = excluded.items,
           transport = excluded.transport, delivery_window = excluded.delivery_window,
           label_file_id = excluded.label_file_id, thermal_file_id = excluded.thermal_file_id`.execute(ctx.db);
}

/** Only where a step says something of it: people may have wished for a change while another step was under way. */
async function putChanges(ctx: Ctx, orderId: string, shipments: NonNullable<Patch['shipments']>): Promise<void> {
  const rows = shipments.filter((one) => one.change !== undefined);
  if (rows.length === 0) return;
  await sql`
    UPDATE shipping.inbound_shipment AS s SET change = nullif(r.change, 'null')
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r("shipmentId" text, change jsonb)
     WHERE s.company_id = ${ctx.companyId} AND s.order_id = ${orderId} AND s.shipment_id = r."shipmentId"`.execute(
    ctx.db,
  );
  if (!rows.some(({ change: one }) => one?.taken)) return;
  const payload = { companyId: ctx.companyId, orderId };
  await enqueue(ctx, 'shipping.changed', payload, { key: `changed:${orderId}` });
}

async function putBoxes(ctx: Ctx, orderId: string, boxes: NonNullable<Patch['boxes']>): Promise<void> {
  await sql`
    UPDATE shipping.box AS b SET shipment_id = r."shipmentId", amazon_box_id = r."amazonBoxId",
           package_id = coalesce(r."packageId", b.package_id)
      FROM jsonb_to_recordset(${JSON.stringify(boxes)}::jsonb) AS r(no int, "shipmentId" text, "amazonBoxId" text, "packageId" text)
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${orderId} AND b.box_no = r.no`.execute(ctx.db);
}

/** Writes what a step found out. */
export async function apply(ctx: Ctx, view: View, patch: Patch): Promise<void> {
  if (patch.inbound) await putInbound(ctx, view.order.id, patch.inbound);
  if (patch.shipments?.length) {
    await putShipments(ctx, view, patch.shipments);
    await putChanges(ctx, view.order.id, patch.shipments);
  }
  if (patch.boxes?.length) await putBoxes(ctx, view.order.id, patch.boxes);
}

/** What was asked in these steps counts no more, of one shipment or of all; what they offered is forgotten. */
export async function drop(ctx: Ctx, view: View, stages: readonly StageKey[], subject = ''): Promise<void> {
  if (stages.length === 0) return;
  await sql`
    UPDATE shipping.inbound_operation SET state = 'dropped', ended_at = coalesce(ended_at, kit.now())
     WHERE company_id = ${ctx.companyId} AND order_id = ${view.order.id} AND attempt = ${view.inbound.attempt}
       AND stage = ANY (${[...stages]}::text[]) AND state <> 'dropped' AND (${subject} = '' OR subject IN ('', ${subject}))`.execute(
    ctx.db,
  );
  if (subject !== '') return;
  for (const key of stages) {
    const { forget } = stageOf(key);
    if (forget) await putInbound(ctx, view.order.id, forget);
  }
}

/** Writes down that something is about to be asked; answers its id. */
export async function begin(ctx: Ctx, view: View, stage: StageKey, subject: string, hash: string, request: Ask) {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO shipping.inbound_operation (company_id, order_id, attempt, stage, subject, hash, request, state, tries)
    SELECT ${ctx.companyId}, ${view.order.id}, ${view.inbound.attempt}, ${stage}, ${subject}, ${hash},
           ${JSON.stringify(request)}::json, 'pending',
           1 + count(*) FILTER (WHERE o.stage = ${stage} AND o.subject = ${subject})
      FROM shipping.inbound_operation AS o
     WHERE o.company_id = ${ctx.companyId} AND o.order_id = ${view.order.id} AND o.attempt = ${view.inbound.attempt}
    RETURNING id`.execute(ctx.db);
  return rows[0]?.id ?? '';
}

export interface OperationChange {
  state?: InboundOperation['state'];
  operationId?: string;
  problems?: readonly Problem[];
  taken?: boolean;
  polled?: boolean;
  /** It is asked about as if it had been asked now. */
  anew?: boolean;
}

/** Writes what became of something that was asked. */
export async function change(
  ctx: Ctx,
  id: string,
  { state, operationId, problems, taken, polled, anew }: OperationChange,
) {
  const over = state === 'done' || state === 'failed' || state === 'dropped';
  await sql`
    UPDATE shipping.inbound_operation
       SET state = coalesce(${state ?? null}, state), operation_id = coalesce(${operationId ?? null}, operation_id),
           problems = coalesce(${problems ? JSON.stringify(problems) : null}::jsonb, problems),
           taken = coalesce(${taken ?? null}, taken), polls = polls + ${polled ? 1 : 0},
           asked_at = CASE WHEN ${anew ?? false} THEN kit.now() ELSE asked_at END,
           ended_at = CASE WHEN ${over} THEN kit.now() ELSE ended_at END
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
}
