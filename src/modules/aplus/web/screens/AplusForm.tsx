import { useEffect, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { aplusDetail } from '../../contract/documents.ts';
import { AplusPage } from '../AplusPage.tsx';
import '../editor/editor.css';

/** A step that is on its way is looked at so often. */
const WATCH_MS = 4_000;

function Document({ id }: { id: string }) {
  const [watching, setWatching] = useState(false);
  const { data, error, isError, refetch } = useCall(
    aplusDetail,
    { params: { id } },
    { staleTime: 0, every: watching ? WATCH_MS : false, keep: true },
  );
  const isMoving = data !== undefined && data.step !== null;
  useEffect(() => setWatching(isMoving), [isMoving]);
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} text="这份文档没有取到。" />;
  // Whoever typed is not interrupted by the same version read once more.
  return data ? <AplusPage key={`${data.id} ${data.version}`} detail={data} /> : null;
}

/** 编辑A+内容: the document `id`. */
export default function AplusForm() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id');
  if (id === null) return <Empty title="没有指定文档" text="请从「A+内容」打开一份文档。" />;
  return <Document key={id} id={id} />;
}
