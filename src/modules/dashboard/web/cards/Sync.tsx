import type { Tone } from '#kit/contract/field.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { ProgressBar, Tag, When } from '#kit/web/cells/index.ts';
import { type SyncAccount, sync } from '../../contract.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

type Stream = SyncAccount['streams'][number];

const LOOKS: Record<Stream['state'], { tone: Tone; word?: string }> = {
  ready: { tone: 'done' },
  running: { tone: 'running' },
  late: { tone: 'waiting' },
  retrying: { tone: 'waiting', word: '重试中' },
  paused: { tone: 'off', word: '已暂停' },
  blocked_auth: { tone: 'trouble', word: '授权失效' },
  blocked_role: { tone: 'trouble', word: '缺少权限角色' },
  suspended: { tone: 'trouble', word: '账户受限' },
  dead: { tone: 'trouble', word: '失败' },
};

const HOUR = 60;
const DAY = 24 * HOUR;

/** Minutes as people say them: 3 分钟, 5 小时, 2 天. */
function delayText(minutes: number | null): string {
  if (minutes === null) return '未同步';
  if (minutes < HOUR) return `${minutes} 分钟`;
  return minutes < DAY ? `${Math.floor(minutes / HOUR)} 小时` : `${Math.floor(minutes / DAY)} 天`;
}

/** Every stream of an account with the time since it was last read; its promise and its failure on hover. */
function Streams({ streams }: { streams: readonly Stream[] }) {
  return (
    <div className="home-streams">
      {streams.map((stream) => {
        const look = LOOKS[stream.state];
        return (
          <Tag
            key={stream.id}
            tone={look.tone}
            title={`${stream.title}${stream.country ? ` ${stream.country}` : ''} · ${look.word ?? delayText(stream.delayMin)}`}
            reason={`${stream.error ? `${stream.error}；` : ''}目标 ${delayText(stream.sloMin)}内`}
          />
        );
      })}
    </div>
  );
}

const inFirstSync = ({ firstSync }: SyncAccount) => firstSync.total > 0 && firstSync.done < firstSync.total;

/** How fresh each account is; a first synchronisation shows its progress as it goes on. */
export function SyncCard({ filter, height }: Pick<CardProps, 'filter'> & { height?: number }) {
  const links = useLinks(filter);
  const first = useCall(sync, { body: { filter } }, { keep: true });
  const running = first.data?.accounts.some(inFirstSync) ?? false;
  const query = useCall(sync, { body: { filter } }, { keep: true, every: running ? 2_000 : 30_000 });
  const { data } = query;
  return (
    <Card
      title="同步健康"
      scope={data && `${data.accounts.length} 个账号`}
      span={12}
      {...(height === undefined ? {} : { height })}
      query={query}
      extra={
        <button type="button" className="link" onClick={links.stores}>
          店铺管理
        </button>
      }
    >
      {data?.accounts.length === 0 && <div className="card-state">还没有授权店铺</div>}
      <ul className="card-list is-lined home-sync">
        {data?.accounts.map((account) => (
          <li key={account.accountId}>
            <div className="home-account">
              <button type="button" className="drill strong ellipsis" onClick={links.stores}>
                {account.store}-{account.region}
              </button>
              {account.status === 'manual' && <Tag tone="side" title="手工店铺" />}
              {inFirstSync(account) && (
                <>
                  <span className="label">首次同步</span>
                  <span className="home-progress">
                    <ProgressBar percent={(account.firstSync.done / account.firstSync.total) * 100} />
                  </span>
                  <span className="label num">
                    {account.firstSync.done}/{account.firstSync.total}
                  </span>
                </>
              )}
              <span className="spring" />
              <span className="label">{account.lastSyncAt && <When at={account.lastSyncAt} />}</span>
            </div>
            <Streams streams={account.streams} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
