import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Country, ProgressBar } from '#kit/web/cells/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import type { AccountRow } from '../../contract/stores.ts';
import { type AccountHealth, accountHealth, CursorState, type StreamRow } from '../../contract/sync.ts';
import { estimateReason, estimateText, isLive, minutesText } from './health.ts';

const SLOTS = 48;
const LIVE = 2_000;
const CALM = 30_000;
const WORDS = { ok: '成功', throttled: '限流', failed: '失败' } as const;

/** The last runs of a stream, newest at right; slots without a run stay grey. */
function Runs({ history }: { history: StreamRow['history'] }) {
  const slots = Array.from({ length: SLOTS }, (_, place) => ({ place, run: history[history.length - SLOTS + place] }));
  const failed = history.filter((run) => run === 'failed').length;
  return (
    <span className="runs" role="img" aria-label={`最近 ${history.length} 次运行，失败 ${failed} 次`}>
      {slots.map(({ place, run }) => (
        <i key={place} className={run ? `is-${run}` : ''} title={run ? WORDS[run] : undefined} />
      ))}
    </span>
  );
}

const TONES: Partial<Record<StreamRow['state'], string>> = {
  late: 'warning strong',
  retrying: 'warning',
  dead: 'danger',
};

function delayText(stream: StreamRow): string {
  if (stream.state === 'running' && stream.lastSuccessAt === null) return '同步中';
  if (['blocked_auth', 'blocked_role', 'dead', 'paused'].includes(stream.state)) return stateTitle(stream.state);
  return minutesText(stream.delayMin);
}

function stateTitle(state: StreamRow['state']): string {
  return CursorState.meta()?.states?.[state]?.title ?? state;
}

function Streams({ streams }: { streams: readonly StreamRow[] }) {
  return (
    <table className="account-table">
      <thead>
        <tr>
          <th>数据流</th>
          <th>近 24 小时</th>
          <th className="right">目标</th>
          <th className="right">当前延迟</th>
        </tr>
      </thead>
      <tbody>
        {streams.map((stream) => (
          <tr key={stream.id} title={stream.error ?? undefined}>
            <td>
              {stream.title}
              {stream.country && <Country code={stream.country} />}
            </td>
            <td>
              <Runs history={stream.history} />
            </td>
            <td className="right text3 num">{minutesText(stream.sloMin)}</td>
            <td className={`right num ${TONES[stream.state] ?? ''}`}>{delayText(stream)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Backfills({ items, estimate }: { items: AccountHealth['backfill']; estimate: AccountHealth['estimate'] }) {
  if (items.length === 0) return null;
  return (
    <section className="account-section">
      <h3>历史回补</h3>
      {estimate && (
        <p className="text3 account-estimate">
          还需<b className="num strong">{estimateText(estimate)}</b>：{estimateReason(estimate)}。
        </p>
      )}
      {items.map((item) => {
        const ended = item.done + item.failed;
        return (
          <div className="account-backfill" key={item.code}>
            <div style={{ display: 'flex', justifyContent: 'space-between' }}>
              <span>{item.title}</span>
              <span className="num">{Math.floor((ended / Math.max(1, item.total)) * 100)}%</span>
            </div>
            <ProgressBar bare percent={(ended / Math.max(1, item.total)) * 100} />
            <div className="text3">
              <span className="num">
                {ended} / {item.total} 份报表 · {formatInteger(item.rows)} 行
              </span>
              {item.failed > 0 && <span className="danger">{item.failed} 份失败</span>}
            </div>
          </div>
        );
      })}
    </section>
  );
}

function Figures({ health }: { health: AccountHealth }) {
  const figures: [string, number, string][] = [
    ['调用 24h', health.calls, ''],
    ['限流', health.throttled, ''],
    ['失败任务', health.failed, 'danger'],
    ['隔离行', health.quarantined, 'warning'],
  ];
  return (
    <section className="account-section">
      <h3>运行情况</h3>
      <div className="account-figures">
        {figures.map(([title, value, tone]) => (
          <div key={title}>
            <span className="label">{title}</span>
            <b className={`num ${value > 0 ? tone : ''}`}>{formatInteger(value)}</b>
          </div>
        ))}
      </div>
    </section>
  );
}

/** What stands in the way of an account, with what to do about it. */
function Obstacle({ account }: { account: AccountRow }) {
  if (account.status === 'expiring') {
    return (
      <p className="note is-warning">
        <span>
          授权将于 {account.expireTime?.slice(0, 10)} 到期，到期后停止同步订单与库存。请在店铺常用网络环境内续期。
        </span>
      </p>
    );
  }
  if (account.problem || ['revoked', 'expired', 'suspended'].includes(account.status)) {
    return (
      <p className="note is-danger">
        <span>授权不可用，同步已停止。请在店铺常用网络环境内续期。{account.problem}</span>
      </p>
    );
  }
  return null;
}

/** 同步健康: every stream with its last runs and delay, the history, the calls; live while the first sync runs. */
export function HealthTab({ account }: { account: AccountRow }) {
  const { data, error, refetch } = useCall(
    accountHealth,
    { query: { authid: account.authid } },
    { every: CALM, staleTime: 0 },
  );
  // The first synchronisation is watched closely, everything later now and then.
  useCall(
    accountHealth,
    { query: { authid: account.authid } },
    { every: LIVE, enabled: isLive(account) && data !== undefined && !data.firstSyncDone },
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (account.status === 'manual') {
    return <p className="note is-info">手工店铺没有接口授权，数据来自「上传报表」。授权后自动开始同步。</p>;
  }
  if (!data) return null;
  const past = <Backfills items={data.backfill} estimate={data.estimate} />;
  return (
    <>
      <Obstacle account={account} />
      {data.estimate && past}
      {data.streams.length === 0 ? (
        <p className="note is-info">正在读取站点，数据流随后建立。</p>
      ) : (
        <Streams streams={data.streams} />
      )}
      {!data.estimate && past}
      <Figures health={data} />
    </>
  );
}
