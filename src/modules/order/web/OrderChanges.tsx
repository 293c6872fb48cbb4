import { useCall } from '#kit/web/api/index.ts';
import { Stream, type StreamEvent } from '#kit/web/document/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type OrderChange, orderChanges } from '../contract/orders.ts';
import { SOURCE_NAMES } from '../contract/status.ts';

function textOf({ old, new: now }: OrderChange): string {
  return `${old ?? '—'} → ${now ?? '—'}`;
}

function eventOf(change: OrderChange): StreamEvent {
  const source = SOURCE_NAMES[change.source as keyof typeof SOURCE_NAMES] ?? change.source;
  return {
    id: change.id,
    kind: change.source === 'user' ? 'comment' : 'done',
    who: change.actorName,
    title: change.source === 'user' ? change.title : `${change.title} · ${source}`,
    at: change.at,
    text: textOf(change),
  };
}

/** What changed on an order, newest first. */
export function OrderChanges({ id }: { id: string }) {
  const { data, isError, error, refetch } = useCall(orderChanges, { params: { id } });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Stream title="变更记录" events={data?.map(eventOf)} />;
}
