import { Button } from 'antd';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Country, State, When } from '#kit/web/cells/index.ts';
import { clockText } from '#kit/web/cells/time.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { CursorState } from '../../contract/sync.ts';
import {
  pauseStream,
  resumeStream,
  runStream,
  type StreamDetail,
  StreamMode,
  type StreamRunRow,
  streamDetail,
  syncMatrix,
} from '../../contract/sync-matrix.ts';
import { minutesText } from '../store/health.ts';
import { Backfill } from './Backfill.tsx';
import type { Chosen } from './Matrix.tsx';

const EVERY = 5_000;
const MINUTE = 60;
const STATES = CursorState.meta()?.states;

const span = (sec: number): string => minutesText(Math.round(sec / MINUTE));
const stamp = (at: string | null): string => (at === null ? '—' : `${at.slice(0, 10)} ${at.slice(11, 16)}`);

function Facts({ detail }: { detail: StreamDetail }) {
  return (
    <dl className="account-facts">
      <dt>读取方式</dt>
      <dd>{StreamMode.meta()?.states?.[detail.mode]?.title}</dd>
      <dt>频率与目标</dt>
      <dd>
        每 {span(detail.cadenceSec)}一次，延迟不超过 {minutesText(detail.sloMin)}
      </dd>
      {detail.overlapSec !== null && detail.maxWindowSec !== null && (
        <>
          <dt>窗口</dt>
          <dd>
            每次最多 {span(detail.maxWindowSec)}，向前重读 {span(detail.overlapSec)}
          </dd>
        </>
      )}
    </dl>
  );
}

function Sites({ sites }: { sites: StreamDetail['sites'] }) {
  return (
    <table className="account-table">
      <thead>
        <tr>
          <th>站点</th>
          <th>状态</th>
          <th>已读区间（UTC）</th>
          <th>最近成功</th>
          <th>下次</th>
          <th className="right">延迟</th>
        </tr>
      </thead>
      <tbody>
        {sites.map((site) => (
          <tr key={site.id}>
            <td>{site.country ? <Country code={site.country} /> : '全部'}</td>
            <td>
              <State value={site.state} states={STATES} reason={site.error ?? undefined} />
            </td>
            <td className="num">
              {site.firstFrom ? `${stamp(site.firstFrom)} 至 ` : ''}
              {stamp(site.watermark)}
            </td>
            <td>
              <When at={site.lastSuccessAt} />
            </td>
            <td>{site.nextAt ? clockText(site.nextAt) : '—'}</td>
            <td className="right num">{minutesText(site.delayMin)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Run({ run }: { run: StreamRunRow }) {
  return (
    <tr>
      <td>
        <When at={run.startedAt} />
      </td>
      <td className="num">{run.windowFrom ? `${stamp(run.windowFrom)} 至 ${stamp(run.windowTo)}` : '—'}</td>
      <td className="right num">{(run.ms / 1000).toFixed(1)} 秒</td>
      <td className="right num">
        {run.calls}
        {run.throttled > 0 && <span className="warning">（限流 {run.throttled}）</span>}
      </td>
      <td className={run.error ? 'danger' : 'num'}>
        {run.error ??
          `${formatInteger(run.rowsIn)} 行，新增 ${formatInteger(run.inserted)}，更新 ${formatInteger(run.updated)}`}
        {run.quarantined > 0 && <span className="warning">，隔离 {run.quarantined}</span>}
      </td>
    </tr>
  );
}

function Runs({ runs }: { runs: readonly StreamRunRow[] }) {
  return (
    <section className="account-section">
      <h3>最近运行</h3>
      {runs.length === 0 ? (
        <p className="text3">还没有运行过</p>
      ) : (
        <div className="sync-runs">
          <table className="account-table">
            <thead>
              <tr>
                <th>时间</th>
                <th>读取窗口（UTC）</th>
                <th className="right">耗时</th>
                <th className="right">调用</th>
                <th>结果</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <Run key={run.id} run={run} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Actions({ detail }: { detail: StreamDetail }) {
  const refreshes = [streamDetail, syncMatrix];
  const run = useSend(runStream, { refreshes, onSuccess: () => notice.success('已安排同步') });
  const pause = useSend(pauseStream, { refreshes, onSuccess: () => notice.success('已暂停') });
  const resume = useSend(resumeStream, { refreshes, onSuccess: () => notice.success('已恢复') });
  const body = { authid: detail.authid, stream: detail.stream };
  const paused = detail.sites.some((site) => site.state === 'paused');
  return (
    <>
      <Allowed code="amz:sync:config">
        {paused ? (
          <Button loading={resume.isPending} onClick={() => resume.mutate({ body })}>
            恢复
          </Button>
        ) : (
          <Button loading={pause.isPending} onClick={() => pause.mutate({ body })}>
            暂停
          </Button>
        )}
      </Allowed>
      <Allowed code="amz:store:sync">
        <Button type="primary" disabled={paused} loading={run.isPending} onClick={() => run.mutate({ body })}>
          立即同步
        </Button>
      </Allowed>
    </>
  );
}

/** One stream of one account: what it reads, how far it has come, its runs, and what can be done with it. */
export function StreamDrawer({ chosen, onClose }: { chosen: Chosen | undefined; onClose: () => void }) {
  const { data, error, refetch } = useCall(
    streamDetail,
    { query: chosen ?? { authid: '', stream: '' } },
    { enabled: chosen !== undefined, every: EVERY, staleTime: 0 },
  );
  const detail = chosen === undefined ? undefined : data;
  return (
    <DetailDrawer
      open={chosen !== undefined}
      onClose={onClose}
      title={detail?.title}
      subtitle={detail?.account}
      actions={detail && <Actions detail={detail} />}
    >
      {error && !detail && <ErrorState error={error} onRetry={() => void refetch()} />}
      {detail && (
        <div className="drawer-pad">
          <Facts detail={detail} />
          <Sites sites={detail.sites} />
          <Backfill detail={detail} />
          <Runs runs={detail.runs} />
        </div>
      )}
    </DetailDrawer>
  );
}
