import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Column } from '../../contract/columns.ts';
import { notice } from '../notice.tsx';
import { type SavedVersion, usePorts } from '../ports.ts';
import { type LayoutColumn, mergeColumns, sameLayout, savedColumns } from './layout.ts';

const DEFAULT_NAME = '默认';

export interface ColumnsControl {
  layout: readonly LayoutColumn[];
  /** Shown at once, kept only when saved. */
  setLayout: (layout: readonly LayoutColumn[]) => void;
  versions: readonly SavedVersion[];
  used: SavedVersion | undefined;
  /** Name of the arrangement in use. */
  title: string;
  changed: boolean;
  busy: boolean;
  /** Gives up what has not been saved. */
  revert: () => void;
  /** As the list was made, before anybody arranged it. */
  restoreDefault: () => void;
  /** Null: the list's own columns. */
  choose: (version: SavedVersion | null) => Promise<void>;
  save: () => Promise<void>;
  saveAs: (name: string) => Promise<void>;
  remove: (version: SavedVersion) => Promise<void>;
  share: (version: SavedVersion, shared: boolean) => Promise<void>;
}

/** The columns of one list: its catalogue, the saved versions of the user and those lent to him, and what is being arranged now. */
export function useColumns(name: string, catalogue: readonly Column[]): ColumnsControl {
  const { columns: port } = usePorts();
  const client = useQueryClient();
  const key = useMemo(() => ['columns', name], [name]);
  const [draft, setDraft] = useState<readonly LayoutColumn[] | null>(null);
  const [busy, setBusy] = useState(false);
  const { data: versions = [] } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => port.load(name, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const used = versions.find((version) => version.isUsed);
  const saved = useMemo(() => mergeColumns(catalogue, used?.items), [catalogue, used]);
  // A draft from before the catalogue changed (permissions arrived) is merged like a saved version.
  const layout = useMemo(
    () => (draft ? mergeColumns(catalogue, savedColumns(draft)) : saved),
    [catalogue, draft, saved],
  );

  const write = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await work();
      await client.invalidateQueries({ queryKey: key });
      setDraft(null);
      notice.success(done);
    } catch {
      // The client has said why; what was arranged stays on the screen.
    } finally {
      setBusy(false);
    }
  };
  return {
    layout,
    setLayout: setDraft,
    versions,
    used,
    title: used?.name ?? DEFAULT_NAME,
    changed: draft !== null && !sameLayout(layout, saved),
    busy,
    revert: () => setDraft(null),
    restoreDefault: () => setDraft(mergeColumns(catalogue, undefined)),
    choose: (version) =>
      write(() => port.use(name, version?.id ?? null), version ? `已使用「${version.name}」` : '已使用默认列'),
    save: () => write(() => port.save(used?.id ?? name, savedColumns(layout)), '列设置已保存'),
    saveAs: (versionName) =>
      write(() => port.saveAs(name, versionName, savedColumns(layout)), `已另存为「${versionName}」`),
    remove: (version) => write(() => port.remove(version.id), `已删除「${version.name}」`),
    share: (version, shared) =>
      write(
        () => port.share(version.id, shared),
        shared ? `「${version.name}」已共享给公司` : `「${version.name}」不再共享`,
      ),
  };
}
