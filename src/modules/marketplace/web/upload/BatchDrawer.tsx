import { Button, Popconfirm } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import {
  revertUpload,
  type UploadDetail,
  UploadState,
  uploadCounts,
  uploadDetail,
  uploadList,
} from '../../contract/uploads.ts';
import { CheckView } from './CheckView.tsx';
import { DoneStep } from './DoneStep.tsx';
import './upload.css';

function Timeline({ batch }: { batch: UploadDetail }) {
  return (
    <section className="account-section">
      <h3>记录</h3>
      <ul className="upload-timeline">
        {batch.timeline.map((entry) => (
          <li key={entry.id}>
            <When at={entry.at} />
            <span>
              {entry.title} <span className="text3">{entry.actorName}</span>
              {entry.body && <div className="text2">{entry.body}</div>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** 撤销入库, asked once more with what it does. */
function Revert({ batch }: { batch: UploadDetail }) {
  const send = useSend(revertUpload, {
    refreshes: [uploadDetail, uploadList, uploadCounts],
    onSuccess: () => notice.success('已撤销'),
  });
  return (
    <Popconfirm
      title={`撤销 ${batch.number}`}
      description={batch.undoNote}
      okText="撤销入库"
      onConfirm={() => send.mutateAsync({ params: { id: batch.id }, body: { version: batch.version } }).catch(() => {})}
    >
      <Button danger loading={send.isPending}>
        撤销入库
      </Button>
    </Popconfirm>
  );
}

interface Props {
  id: string | undefined;
  onClose: () => void;
  /** Goes on with a batch that waits. */
  onContinue: (id: string) => void;
}

/** One batch: what its check found, what its load did, and what has happened to it. */
export function BatchDrawer({ id, onClose, onContinue }: Props) {
  const { data, error, refetch } = useCall(
    uploadDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: 0 },
  );
  const batch = id === undefined ? undefined : data;
  const waits = batch && batch.state !== 'loaded' && batch.actions.length > 0 ? batch : undefined;
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={
        batch && (
          <>
            {batch.number} <State value={batch.state} states={UploadState.meta()?.states} />
          </>
        )
      }
      subtitle={batch?.fileName}
      foot={<span className="text3">{batch?.undoNote}</span>}
      actions={
        waits ? (
          <Button type="primary" onClick={() => onContinue(waits.id)}>
            {waits.state === 'uploaded' ? '修改列映射' : '继续入库'}
          </Button>
        ) : (
          batch?.actions.some((action) => action.name === 'revert') && <Revert batch={batch} />
        )
      }
    >
      {error && !batch && <ErrorState error={error} onRetry={() => void refetch()} />}
      {batch && (
        <div className="drawer-pad">
          <CheckView batch={batch} />
          {batch.state === 'loaded' && <DoneStep batch={batch} />}
          <Timeline batch={batch} />
        </div>
      )}
    </DetailDrawer>
  );
}
