import { useState } from 'react';
import type { EndpointDef } from '../../contract/endpoint.ts';
import { download } from '../api/files.ts';
import type { LayoutColumn } from '../grid/layout.ts';
import { notice } from '../notice.tsx';
import { refreshTasks } from '../tasks/use-tasks.ts';
import type { ListState } from './address.ts';

/**
 * Exports what a list shows: the whole filter, its order, the columns as they stand. Large ones become a background
 * task, which the ring in the header follows.
 */
export function useExport(endpoint: EndpointDef | undefined, state: ListState, layout: readonly LayoutColumn[]) {
  const [busy, setBusy] = useState(false);
  const send = (target: EndpointDef, body: object) => {
    setBusy(true);
    download(target, { body })
      .then((got) => {
        if (got.kind === 'file') return notice.success(`已导出 ${got.name}`);
        notice.info('数据较多，已转为后台导出，完成后可在右上角下载');
        return refreshTasks();
      })
      .catch(() => {})
      .finally(() => setBusy(false));
  };
  const start = (format: 'xlsx' | 'csv') => {
    if (!endpoint) return;
    send(endpoint, {
      ...(state.sort ? { sort: state.sort.key, order: state.sort.order } : {}),
      filter: state.filter,
      columns: layout.filter((place) => place.shown).map((place) => place.key),
      format,
    });
  };
  /** Another file of the same filter, whose rows, order and columns are its own. */
  const startOther = (other: EndpointDef) => send(other, { filter: state.filter, format: 'xlsx' });
  return { busy, start, startOther };
}
