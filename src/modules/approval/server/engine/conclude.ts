import { type Approvable, forFlow } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { InstanceState } from '../../contract/instance.ts';
import type { FlowEvent, Status } from '../core/state.ts';
import { stepsOf } from '../kinds.ts';
import { type Change, saveChange } from './save.ts';
import { logEntry } from './store.ts';
import { tellChange } from './tell.ts';

/** The document's own step for the end of its flow; none where it is void by itself. */
function stepFor(kind: Approvable, status: Status): string | undefined {
  const steps = stepsOf(kind);
  switch (status) {
    case 'approved':
      return steps.approve;
    case 'rejected':
    case 'returned':
      return steps.reject;
    case 'withdrawn':
    case 'terminated':
      return steps.withdraw ?? steps.reject;
    default:
      return undefined;
  }
}

/**
 * Writes what an act came to, tells whoever has to know, and where the flow ended takes the document's step. All of it
 * in one transaction: a document that cannot take its step takes the act back with it.
 */
export async function conclude(
  ctx: Ctx,
  kind: Approvable,
  change: Change,
  events: readonly FlowEvent[],
  comment: string,
  gone = false,
): Promise<void> {
  const { after, before, instance } = change;
  await saveChange(ctx, change);
  await tellChange(ctx, kind, change, events, comment);
  const step = before.status === after.status ? undefined : stepFor(kind, after.status);
  if (step === undefined) return;
  const title = InstanceState.meta()?.states?.[after.status]?.title ?? '';
  await logEntry(ctx, instance.id, { action: 'done', detail: title });
  if (gone) return;
  const reason = `${title}${comment ? `：${comment}` : ''}`.slice(0, 200);
  await forFlow(ctx, (flow) =>
    kind.take(flow, instance.docId, step, after.status === 'approved' ? comment || undefined : reason),
  );
}
