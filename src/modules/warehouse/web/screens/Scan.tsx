import '../scan/scan.css';
import { LeftOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCall } from '#kit/web/api/index.ts';
import { loseSession, useSession } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { type ScanKind, type ScanMode, scanStart } from '../../contract/scan.ts';
import type { ShelfMode } from '../ShelfDialog.tsx';
import { Home, titleOf } from '../scan/Home.tsx';
import { useInstallable } from '../scan/install.ts';
import { Job } from '../scan/Job.tsx';
import { PendingSheet, pendingWords } from '../scan/PendingSheet.tsx';
import { useOnLine, useOutbox } from '../scan/sender.ts';
import { TaskList } from '../scan/TaskList.tsx';

const WAREHOUSE = 'scanWarehouse';
const AT_SHELF: readonly ScanMode[] = ['putaway', 'pull', 'move'];

interface Place {
  mode?: ScanMode;
  document?: { kind: ScanKind; id: string };
}

/** 扫码作业: one column for a phone, outside the frame. What is done without a network is sent when it is back. */
export default function Scan() {
  const session = useSession();
  const navigate = useNavigate();
  const outbox = useOutbox();
  const onLine = useOnLine();
  useInstallable();
  const [place, setPlace] = useState<Place>({});
  const [pending, setPending] = useState(false);
  // The code on a paper opens this page with what it means.
  const [code, setCode] = useState(() => new URLSearchParams(window.location.search).get('c') ?? undefined);
  const [warehouse, setWarehouse] = useState(() => localStorage.getItem(WAREHOUSE) ?? '');
  const { data, isError, error, refetch } = useCall(
    scanStart,
    {},
    { enabled: session !== null && onLine, staleTime: 60_000 },
  );
  useEffect(() => {
    if (session === null) loseSession();
  }, [session]);
  if (session === null) return null;
  const known = data?.warehouses.some(({ id }) => id === warehouse);
  const warehouseId = known ? warehouse : (data?.warehouses[0]?.id ?? '');
  const { mode, document } = place;
  const atShelf = mode !== undefined && AT_SHELF.includes(mode);
  const back = () => (document && mode ? setPlace({ mode }) : mode || document ? setPlace({}) : navigate('/home'));
  const choose = (id: string) => {
    localStorage.setItem(WAREHOUSE, id);
    setWarehouse(id);
  };
  return (
    <div className="scan-page">
      <header>
        <button type="button" aria-label="返回" onClick={back}>
          <LeftOutlined />
        </button>
        <div>
          <h1>{mode ? titleOf(mode) : document ? '单据作业' : '扫码作业'}</h1>
          <small>{data?.warehouses.find(({ id }) => id === warehouseId)?.name}</small>
        </div>
        <button
          type="button"
          className={`scan-state${outbox.acts.length > 0 ? ' is-waiting' : ''}`}
          onClick={() => setPending(true)}
        >
          {pendingWords(outbox)}
        </button>
      </header>
      <main>
        {!data && !onLine && (
          <p className="scan-empty">当前没有网络。做过的操作保存在本机，联网后自动上传；开始新的作业需要先联网。</p>
        )}
        {isError && !data && onLine && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && warehouseId === '' && <p className="scan-empty">没有可操作的仓库。</p>}
        {data && warehouseId !== '' && !mode && !document && (
          <Home
            modes={data.modes}
            warehouses={data.warehouses}
            warehouseId={warehouseId}
            onWarehouse={choose}
            onMode={(next) => setPlace({ mode: next })}
            onDocument={(kind, id, there) => {
              if (there) choose(there);
              setCode(undefined);
              setPlace({ document: { kind, id } });
            }}
            code={code}
          />
        )}
        {mode && !atShelf && !document && (
          <TaskList
            mode={mode as 'receive' | 'pick' | 'count'}
            warehouseId={warehouseId}
            onPick={({ kind, id }) => setPlace({ mode, document: { kind, id } })}
          />
        )}
        {(document || atShelf) && (
          <Job warehouseId={warehouseId} mode={atShelf ? (mode as ShelfMode) : undefined} document={document} />
        )}
      </main>
      {pending && <PendingSheet outbox={outbox} onClose={() => setPending(false)} />}
    </div>
  );
}
