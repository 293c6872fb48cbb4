import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type Held, pickMany, requireMove } from '#modules/warehouse/server/index.ts';
import type { PickRow } from '../../contract/picking.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import type { pickSelf } from '../../contract/self/work.ts';
import { placesByPart } from '../pick/rows.ts';
import { step, touch } from './act.ts';
import { holdings, noteEvent, seenBefore } from './events.ts';
import { loaded, locked, type SelfDoc } from './load.ts';

const PICKED: readonly string[] = ['printing', 'ready'];

/** What is to be picked of a document, in the order in which a picker walks; what is not held comes last. */
export async function rowsOf(ctx: Ctx, doc: SelfDoc): Promise<PickRow[]> {
  const held = await holdings(ctx, doc);
  const places = await placesByPart(ctx, held);
  const products = await localProducts(
    ctx,
    doc.parts.map((part) => part.product),
  );
  const byPart = Map.groupBy(held, (one) => one.line);
  const lines = new Map(doc.lines.map((line) => [line.id, line]));
  const way = new Map([...places.keys()].map((part, index) => [part, index]));
  const rank = (part: string) => way.get(part) ?? Number.MAX_SAFE_INTEGER;
  return doc.parts
    .toSorted((a, b) => rank(a.id) - rank(b.id))
    .map((part) => {
      const line = lines.get(part.line);
      const mine = byPart.get(part.id) ?? [];
      return {
        lineId: part.id,
        product: products.get(part.product)?.cell ?? { name: '—', code: '—' },
        msku: line?.msku ?? '',
        place: places.get(part.id) ?? '',
        want: (line?.qty ?? 0) * part.qtyPer,
        picked: mine.reduce((total, one) => total + one.picked, 0),
      };
    });
}

/** As rowsOf, by id. @throws notFound */
export const pickRowsOf = async (ctx: Ctx, id: string): Promise<PickRow[]> => rowsOf(ctx, await loaded(ctx, id));

/** Pieces of a part as its reservations have them, nearest first. @throws refused B1410 beyond what is to be picked */
function take(mine: readonly Held[], qty: number): { id: string; pieces: number }[] {
  const open = mine.reduce((total, one) => total + one.held - one.picked, 0);
  if (qty > open) throw refused(`拣货数量超过待拣 ${open}`, 'B1410', { most: open });
  let rest = qty;
  return mine.flatMap((one) => {
    const now = Math.min(rest, one.held - one.picked);
    if (now <= 0) return [];
    one.picked += now;
    rest -= now;
    return [{ id: one.id, pieces: now }];
  });
}

/**
 * Pieces that a picker took. What came before by its `clientId` changes nothing. With the last piece a document that was
 * 待打单 waits to be sent. @throws refused B1410 more than there is to pick; conflict in another state
 */
export async function pickDoc(ctx: Ctx, input: z.output<typeof pickSelf.body>): Promise<Outcome> {
  const doc = await locked(ctx, input.id);
  if (await seenBefore(ctx, doc, input.clientId)) {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  if (!PICKED.includes(doc.state)) {
    throw conflict(`单据状态为【${selfDoc.states[doc.state].title}】，不能执行【拣货】`);
  }
  requireFresh(doc, input.version);
  requireMove(ctx, doc.warehouse);
  const held = await holdings(ctx, doc);
  const byPart = Map.groupBy(held, (one) => one.line);
  const picks = input.lines.flatMap(({ lineId, qty }) => take(byPart.get(lineId) ?? [], qty));
  await unscoped(ctx, () => pickMany(ctx, picks));
  await noteEvent(ctx, doc, 'pick', { clientId: input.clientId, lines: input.lines });
  const pieces = input.lines.reduce((total, line) => total + line.qty, 0);
  await audit(ctx, {
    action: '自发货单·拣货',
    resource: selfDoc.name,
    resourceId: doc.id,
    after: { number: doc.number, pieces },
  });
  const left = held.reduce((total, one) => total + one.held - one.picked, 0);
  if (left === 0 && doc.state === 'printing') return outcome(await step(ctx, doc, 'print'), '已全部拣齐');
  const message = left === 0 ? '已全部拣齐' : `已拣 ${pieces}，还差 ${left}`;
  return outcome({ ...doc, version: await touch(ctx, doc.id) }, message);
}
