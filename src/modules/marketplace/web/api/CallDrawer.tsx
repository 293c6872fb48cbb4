import { useCall } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { type CallDetail, CallOutcome, callDetail } from '../../contract/api-log.ts';
import { JsonBlock } from './JsonBlock.tsx';
import '../store/store.css';

function Facts({ call }: { call: CallDetail }) {
  return (
    <dl className="account-facts">
      <dt>时间</dt>
      <dd>
        <When at={call.at} />
      </dd>
      <dt>请求</dt>
      <dd className="code call-path">
        {call.method} {call.path}
      </dd>
      <dt>状态码</dt>
      <dd className="num">
        {call.status ?? '没有回应'} · {call.ms} 毫秒 · 第 {call.attempt} 次
      </dd>
      <dt>requestId</dt>
      <dd className="code">{call.requestId ?? '—'}</dd>
      {call.rate !== null && (
        <>
          <dt>限速</dt>
          <dd className="num">{call.rate} 次/秒</dd>
        </>
      )}
    </dl>
  );
}

/** One call: its facts, and what went and came where it failed. */
export function CallDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { data, error, refetch } = useCall(callDetail, { params: { id: id ?? '' } }, { enabled: id !== undefined });
  const call = id === undefined ? undefined : data;
  const failed = call !== undefined && (call.outcome === 'failed' || call.outcome === 'refused');
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={
        call && (
          <>
            {call.operation} <State value={call.outcome} states={CallOutcome.meta()?.states} />
          </>
        )
      }
      subtitle={call?.store}
    >
      {error && !call && <ErrorState error={error} onRetry={() => void refetch()} />}
      {call && (
        <div className="drawer-pad">
          {call.problem && <p className="note is-danger">{call.problem}</p>}
          <section className="account-section">
            <Facts call={call} />
          </section>
          <JsonBlock title="请求内容" text={call.requestBody} />
          <JsonBlock title="返回内容" text={call.responseBody} />
          {call.requestBody === null && call.responseBody === null && (
            <p className="text3">{failed ? '没有内容，或已超过 3 天。' : '成功和限流的调用不保存内容。'}</p>
          )}
        </div>
      )}
    </DetailDrawer>
  );
}
