import { useCallback, useEffect, useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type ScanKind, type ScanPack, scanPack } from '../../contract/scan.ts';
import type { ShelfMode } from '../ShelfDialog.tsx';
import { LineTask } from './LineTask.tsx';
import { ShelfTask } from './ShelfTask.tsx';

interface Props {
  warehouseId: string;
  /** Of work at shelves without a document. */
  mode?: ShelfMode | undefined;
  document?: { kind: ScanKind; id: string } | undefined;
}

/** Fetches all that a job needs, once: it goes on without a network, and nothing that comes later changes it on the way. */
export function Job({ warehouseId, mode, document }: Props) {
  const [pack, setPack] = useState<ScanPack>();
  const [error, setError] = useState<unknown>();
  const { kind, id } = document ?? {};
  const fetchPack = useCallback(async () => {
    setError(undefined);
    try {
      setPack(await call(scanPack, { query: { warehouseId, kind, id } }, { quiet: true }));
    } catch (reason) {
      setError(reason);
    }
  }, [warehouseId, kind, id]);
  useEffect(() => void fetchPack(), [fetchPack]);
  if (error) return <ErrorState error={error} onRetry={() => void fetchPack()} />;
  if (!pack) return <p className="scan-empty">正在准备数据…</p>;
  if (pack.task) return <LineTask pack={pack} task={pack.task} />;
  return mode ? <ShelfTask mode={mode} pack={pack} /> : null;
}
