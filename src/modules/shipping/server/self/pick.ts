import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { pickMany, requireMove } from '#modules/warehouse/server/index.ts';
import type { PickRow } from '../../contract/picking.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import type { pickSelf } from '../../contract/self/work.ts';
import { takeHeld } from '../pick/hold.ts';
import { pickRowsFor } from '../pick/rows.ts';
import { step, touch } from './act.ts';
import { holdings, noteEvent, seenBefore } from './events.ts';
import { loaded, locked, type SelfDoc } from './load.ts';

const PICKED: readonly string[] = ['printing', 'ready'];

/** What is to be picked of a document, in the order in which a picker walks; what is not held comes last. */
export const rowsOf = async (ctx: Ctx, doc: SelfDoc): Promise<PickRow[]> =>
  pickRowsFor(ctx, doc, await holdings(ctx, doc));

/** As rowsOf, by id. @throws notFound */
export const pickRowsOf = async (ctx: Ctx, id: string): Promise<PickRow[]> => rowsOf(ctx, await loaded(ctx, id));

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
  const picks = input.lines.flatMap(({ lineId, qty }) =>
    takeHeld(byPart.get(lineId) ?? [], qty, (most) => refused(`拣货数量超过待拣 ${most}`, 'B1410', { most })),
  );
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
