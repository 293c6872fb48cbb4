import { Button } from 'antd';
import { useCall } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { type UploadDetail, UploadState, uploadDetail } from '../../contract/uploads.ts';
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
  const waits = batch?.actions.length ? batch : undefined;
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
      foot={waits && <span className="text3">{waits.actions.find((action) => action.primary)?.consequence}</span>}
      actions={
        waits && (
          <Button type="primary" onClick={() => onContinue(waits.id)}>
            {waits.state === 'uploaded' ? '修改列映射' : '继续入库'}
          </Button>
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
