import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type Move, requireMove, valuesOf, type Warehouse, warehouseOf } from '#modules/warehouse/server/index.ts';
import type { sendBackSelf } from '../../contract/self/calls.ts';
import { requireState, step } from './act.ts';
import { carriedBy, postEvent } from './events.ts';
import { locked, type SelfDoc } from './load.ts';

const AT_REST = { GOOD: 'AVAILABLE', QC: 'QUARANTINE', DEFECTIVE: 'DEFECTIVE' } as const;

/** @throws refused B1405 for a warehouse that nothing can come back into */
async function placeOf(ctx: Ctx, id: string): Promise<Warehouse> {
  const place = await warehouseOf(ctx, id);
  requireMove(ctx, place.id);
  if (place.disabled) throw refused(`仓库【${place.name}】已停用`, 'B1405');
  if (place.kind === 'FBA' || place.kind === 'AWD') {
    throw refused(`【${place.name}】的库存由平台管理，不能退回`, 'B1405');
  }
  return place;
}

/** What left comes in again as layers of its own, worth what it cost when it left; their age begins anew. */
async function movesOf(ctx: Ctx, doc: SelfDoc, place: Warehouse): Promise<Move[]> {
  const carried = await carriedBy(ctx, doc);
  const values = doc.posting === null ? [] : await unscoped(ctx, () => valuesOf(ctx, doc.posting ?? ''));
  const cost = new Map(values.map(({ move, out }) => [move, out]));
  return carried.map(({ product, lot, qty }, index): Move => {
    const value = cost.get(index) ?? null;
    return {
      product,
      qty,
      from: 'CUSTOMER',
      to: { warehouse: place.id, status: AT_REST[place.quality], lot },
      ...(value === null ? {} : { cost: { value } }),
    };
  });
}

/**
 * 异常退回: what left comes back into its warehouse, or into another one for checking or defects. The posting by which it
 * left stays as it is. @throws refused B1405 for the warehouse; conflict for a stale version or in another state
 */
export async function sendBack(ctx: Ctx, input: z.output<typeof sendBackSelf.body>): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  if (doc.state === 'returned') {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireFresh(doc, input.version);
  requireState(doc, 'sendBack');
  const place = await placeOf(ctx, input.warehouseId ?? doc.warehouse);
  const next = await step(ctx, doc, 'sendBack', { reason: input.reason });
  await postEvent(ctx, doc, 'return', await movesOf(ctx, doc, place), await carriedBy(ctx, doc));
  return outcome(next, `自发货单${doc.number}已退回【${place.name}】`);
}
