import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { overseasCalls, SplitInput } from '../../../contract/documents/overseas.ts';
import { requireState, touch } from '../core/act.ts';
import { type Line, locked, type StockDocument } from '../core/load.ts';
import { type SaveInput, save } from '../core/save.ts';
import { rowOf } from '../read/list.ts';
import { checkOverseas, overseasKind } from './overseas.ts';

/** Writes what is known of the way. @throws conflict once the document is over */
export async function putWay(ctx: Ctx, input: z.output<typeof overseasCalls.putWay.body>): Promise<Outcome> {
  const doc = await locked(ctx, overseasKind, input.id);
  requireFresh(doc, input.version);
  if (['done', 'cancelled'].includes(doc.state)) throw conflict('单据已结束，不能修改物流信息');
  const values = {
    carrier: input.carrier,
    channel: input.channel,
    tracking_no: input.trackingNo,
    departed_on: input.departedOn,
    landed_on: input.landedOn,
    planned_on: input.plannedOn,
  };
  await ctx.db
    .updateTable('warehouse.document')
    .set(values)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', doc.id)
    .execute();
  await note(ctx, overseasKind.def.name, doc.id, { kind: 'note', title: '修改物流信息' });
  await audit(ctx, {
    action: `${overseasKind.def.title}·物流信息`,
    resource: overseasKind.def.name,
    resourceId: doc.id,
    before: { carrier: doc.carrier, channel: doc.channel },
    after: { number: doc.number, ...values },
  });
  return outcome({ ...doc, version: await touch(ctx, doc.id) }, '物流信息已保存');
}

const inputOf = (line: Line, qty: number) => ({
  productId: line.product,
  qty,
  locationId: line.location,
  fee: line.fee,
  reason: line.reason,
});

/** The head of a document as it is written, from the row that its list shows. */
async function headOf(ctx: Ctx, doc: StockDocument): Promise<Omit<SaveInput, 'lines'>> {
  const row = await rowOf(ctx, overseasKind, doc.id);
  if (!row) throw new Error('a locked document has no row');
  const { type, warehouseId, toWarehouseId, partner, carrier, channel, trackingNo, remark, feeSplit } = row;
  const { departedOn, landedOn, plannedOn } = row;
  const days = { departedOn, landedOn, plannedOn };
  const words = { partner, carrier, channel, trackingNo, remark };
  return { type, warehouseId, toWarehouseId: toWarehouseId ?? undefined, feeSplit, ...words, ...days };
}

/**
 * Moves pieces of a document that nobody has approved yet into a document of their own with the same head, without the
 * freight. @throws conflict in another state, refused B0826 where a line has not so many, or nothing would stay
 */
export async function splitOverseas(ctx: Ctx, input: z.output<typeof SplitInput>): Promise<Outcome> {
  const doc = await locked(ctx, overseasKind, input.id);
  requireState(overseasKind, doc, 'submit');
  requireFresh(doc, input.version);
  const taken = new Map(input.lines.map(({ lineId, qty }) => [lineId, qty]));
  if (taken.size < input.lines.length) throw refused('不能重复填写同一明细行', 'B0826');
  for (const [lineId, qty] of taken) {
    const have = doc.lines.find((line) => line.id === lineId)?.qty ?? 0;
    if (qty > have) throw refused(`拆分数量 ${qty} 超过明细数量 ${have}`, 'B0826');
  }
  const stay = doc.lines.flatMap((line) => {
    const qty = line.qty - (taken.get(line.id) ?? 0);
    return qty > 0 ? [inputOf(line, qty)] : [];
  });
  if (stay.length === 0) throw refused('不能把全部数量都拆出', 'B0826');
  const go = doc.lines.flatMap((line) => {
    const qty = taken.get(line.id) ?? 0;
    return qty > 0 ? [inputOf(line, qty)] : [];
  });
  const head = await headOf(ctx, doc);
  await save(ctx, overseasKind, { ...head, id: doc.id, lines: stay }, checkOverseas);
  const made = await save(ctx, overseasKind, { ...head, lines: go }, checkOverseas);
  return { ...made, message: `已拆分出 ${made.number}` };
}
