import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Copy, State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import {
  cancelWrite,
  countWrites,
  listWrites,
  retryWrite,
  type WriteDetail,
  WriteState,
  writeDetail,
} from '../../contract/writes.ts';
import { JsonBlock } from '../api/JsonBlock.tsx';
import '../store/store.css';

const EVERY = 3_000;

function Facts({ write }: { write: WriteDetail }) {
  return (
    <dl className="account-facts">
      <dt>摘要</dt>
      <dd>{write.summary || '—'}</dd>
      <dt>请求</dt>
      <dd className="code call-path">{write.call}</dd>
      <dt>requestId</dt>
      <dd className="code">
        {write.requestId ? (
          <>
            {write.requestId} <Copy text={write.requestId} label="复制 requestId" />
          </>
        ) : (
          '—'
        )}
      </dd>
      <dt>操作人</dt>
      <dd>{write.createdBy || '—'}</dd>
      <dt>创建时间</dt>
      <dd>
        <When at={write.createdAt} />
      </dd>
      <dt>提交时间</dt>
      <dd>
        <When at={write.sentAt} />
      </dd>
      {write.nextAt && (
        <>
          <dt>下一步</dt>
          <dd>
            <When at={write.nextAt} />
            {write.attempts > 0 && `（已重试 ${write.attempts} 次）`}
          </dd>
        </>
      )}
    </dl>
  );
}

function Actions({ write }: { write: WriteDetail }) {
  const refreshes = [writeDetail, listWrites, countWrites];
  const cancel = useSend(cancelWrite, { refreshes, onSuccess: () => notice.success('已撤销') });
  const retry = useSend(retryWrite, { refreshes, onSuccess: () => notice.success('正在重新提交') });
  const params = { id: write.id };
  return (
    <Allowed code="amz:write:run">
      {write.may.cancel && (
        <Button loading={cancel.isPending} onClick={() => cancel.mutate({ params })}>
          撤销
        </Button>
      )}
      {write.may.retry && (
        <Button type="primary" loading={retry.isPending} onClick={() => retry.mutate({ params })}>
          重试
        </Button>
      )}
    </Allowed>
  );
}

/** One write: where it stands, what was sent, and what the marketplace answered. */
export function WriteDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { data, error, refetch } = useCall(
    writeDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, every: EVERY, staleTime: 0 },
  );
  const write = id === undefined ? undefined : data;
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={
        write && (
          <>
            {write.title} <State value={write.state} states={WriteState.meta()?.states} />
          </>
        )
      }
      subtitle={write && `${write.subject} · ${write.store} · ${write.country}`}
      actions={write && (write.may.cancel || write.may.retry) && <Actions write={write} />}
    >
      {error && !write && <ErrorState error={error} onRetry={() => void refetch()} />}
      {write && (
        <div className="drawer-pad">
          {write.problem && (
            <p className={`note ${write.nextAt ? 'is-warning' : 'is-danger'}`} role="status">
              {write.problem}
            </p>
          )}
          <section className="account-section">
            <Facts write={write} />
          </section>
          <JsonBlock title="请求内容" text={write.request} />
          <JsonBlock title="亚马逊的答复" text={write.answer} />
        </div>
      )}
    </DetailDrawer>
  );
}
