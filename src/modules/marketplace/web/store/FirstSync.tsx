import { useCall } from '#kit/web/api/index.ts';
import { ProgressBar, When } from '#kit/web/cells/index.ts';
import type { AccountRow } from '../../contract/stores.ts';
import { type AccountHealth, accountHealth } from '../../contract/sync.ts';
import { estimateReason, estimateText, isNew, maybeFirst } from './health.ts';

const LIVE = 2_000;
/** After the first half hour what is left is history, which takes hours. */
const CALM = 30_000;

/** Parts of the first synchronisation that have arrived: every stream once, and every report of the history. */
export function progressOf(health: AccountHealth): { done: number; total: number } {
  const streams = health.streams.filter((stream) => stream.lastSuccessAt !== null).length;
  return health.backfill.reduce(
    (sum, item) => ({ done: sum.done + item.done + item.failed, total: sum.total + item.total }),
    { done: streams, total: health.streams.length },
  );
}

function Progress({ account }: { account: AccountRow }) {
  const { data } = useCall(
    accountHealth,
    { query: { authid: account.authid } },
    { every: isNew(account) ? LIVE : CALM, staleTime: 0 },
  );
  if (data?.firstSyncDone) return <When at={account.lastSyncAt} />;
  if (!data) return <span className="text3">首次同步准备中</span>;
  const { done, total } = progressOf(data);
  const { estimate } = data;
  return (
    <span className="first-sync" title={estimate ? estimateReason(estimate) : undefined}>
      <ProgressBar percent={total === 0 ? 0 : (done / total) * 100} />
      <span className="text3">
        {total === 0 ? '首次同步准备中' : `首次同步 ${done} / ${total}`}
        {total > 0 && estimate && `，${estimateText(estimate)}`}
      </span>
    </span>
  );
}

/** When an account was last synchronised, or how far its first synchronisation has come. */
export function LastSync({ account }: { account: AccountRow }) {
  if (account.status === 'manual') return <span className="text3">仅上传文件</span>;
  if (account.status === 'disabled') return <span className="text3">已停用</span>;
  return maybeFirst(account) ? <Progress account={account} /> : <When at={account.lastSyncAt} />;
}
