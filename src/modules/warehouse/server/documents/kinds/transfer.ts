import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type TransferType, transfer, WAYS } from '../../../contract/documents/transfer.ts';
import type { Effect } from '../core/act.ts';
import type { StockKind } from '../core/load.ts';
import { requireMove } from '../core/places.ts';
import type { Check } from '../core/save.ts';
import { requireOtherApprover } from '../core/setting.ts';
import {
  allot,
  approveWay,
  cancelWay,
  closeWay,
  goal,
  type Receipt,
  receiveWay,
  send,
  shipWay,
  submitWay,
  takeIn,
} from './way.ts';

export const transferKind: StockKind = { name: 'transfer', def: transfer, audit: 'erp:wh:transfer:audit' };
/** What the way costs is freight inside the country. */
const FREIGHT = 'localFreight';

export const checkTransfer: Check = (input, from, to) => {
  const way = WAYS[input.type as TransferType];
  if (!to) return '请选择调入仓库';
  if (!way.from.includes(from.quality) || !way.to.includes(to.quality)) return way.words;
  const abroad = ['OVERSEAS', 'THIRD_PARTY'].includes(from.kind);
  return input.type === 'RETURN' && (!abroad || to.kind !== 'LOCAL') ? way.words : undefined;
};

/** Sending and receiving at once, for who keeps both ends. */
const direct: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  requireMove(ctx, goal(doc));
  if (doc.state === 'pending') {
    await requireOtherApprover(ctx, transferKind, doc);
    await allot(ctx, doc);
  }
  await send(ctx, doc, FREIGHT, doc.state === 'allocating');
  await takeIn(
    ctx,
    doc,
    doc.lines.map((line) => ({ lineId: line.id, qty: line.qty })),
  );
};

export const transferEffects: Record<string, Effect> = {
  submit: submitWay,
  approve: approveWay(transferKind),
  ship: shipWay(FREIGHT),
  close: closeWay,
  cancel: cancelWay,
  direct,
};

/** One receipt at the target, see `receiveWay`. @throws refused B0825 more than is on its way */
export const receiveTransfer = (ctx: Ctx, input: Receipt): Promise<Outcome> => receiveWay(ctx, transferKind, input);
