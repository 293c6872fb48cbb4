import type { Tone } from '#kit/contract/field.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Country, Integer, Money, ProgressBar, Tag, When } from '#kit/web/cells/index.ts';
import { Bars, type BarTone } from '#kit/web/charts/index.ts';
import { authMarketplace } from '#modules/marketplace/contract/stores.ts';
import { type HomeFilter, type SyncAccount, settlement, stock, sync } from '../contract.ts';
import { useLinks } from './links.ts';
import { CARD_HEIGHT, GOODS_HEIGHT } from './SalesCards.tsx';

interface Props {
  filter: HomeFilter;
}

const TONES: Record<string, BarTone> = { out: 'bad', low: 'warning', more: 'off' };
/** Bars that are a tab of the stock list; the others open it whole. */
const TABS = ['out', 'low'];

/** Stock now: pieces, SKUs that ran or run out, SKUs by days of cover. */
export function StockCard({ filter }: Props) {
  const links = useLinks(filter);
  const query = useCall(stock, { body: { filter } }, { keep: true });
  const { data } = query;
  const figures = data && [
    { name: 'FBA 可售', value: data.fulfillable, unit: '件', tab: undefined, tone: '' },
    { name: '在途', value: data.inbound, unit: '件', tab: undefined, tone: '' },
    { name: '断货', value: data.out, unit: 'SKU', tab: 'out', tone: data.out > 0 ? 'danger' : '' },
    { name: '将断货', value: data.low, unit: 'SKU', tab: 'low', tone: data.low > 0 ? 'warning' : '' },
  ];
  return (
    <Card title="库存概览" scope="按可售天数的 SKU 数" span={4} height={CARD_HEIGHT} query={query}>
      {data === null && <div className="card-state">无查看库存的权限</div>}
      {figures && (
        <div className="home-figures">
          {figures.map((figure) => (
            <div key={figure.name}>
              <span className="label">{figure.name}</span>
              <button
                type="button"
                className={`drill strong home-value ${figure.tone}`}
                onClick={() => links.stock(figure.tab)}
              >
                {formatInteger(figure.value)} <span className="label">{figure.unit}</span>
              </button>
            </div>
          ))}
        </div>
      )}
      {data && (
        <Bars
          label="SKU 数"
          bars={data.bars.map((bar) => ({ name: bar.name, value: bar.skus, tone: TONES[bar.key] ?? 'normal' }))}
          onPick={(index) => {
            const key = data.bars[index]?.key ?? '';
            links.stock(TABS.includes(key) ? key : undefined);
          }}
        />
      )}
      {data && data.still > 0 && (
        <span className="label home-note">另有 {formatInteger(data.still)} 个 SKU 有库存、近 30 天无销量</span>
      )}
    </Card>
  );
}

/** Lines that the card has room for below its two payouts; each further open currency takes one. */
const MORE = 3;

/** Whether a "marketplaceId-accountId" is among what the page is narrowed to. */
function covers({ accountIds, marketplaceIds }: HomeFilter, store: string): boolean {
  const at = store.indexOf('-');
  const among = (ids: readonly string[], id: string) => ids.length === 0 || ids.includes(id);
  return among(marketplaceIds, store.slice(0, at)) && among(accountIds, store.slice(at + 1));
}

/** What has been paid out, what is about to be, what is still open. */
export function SettlementCard({ filter }: Props) {
  const links = useLinks(filter);
  const query = useCall(settlement, { body: { filter } }, { keep: true });
  const { data } = query;
  const sites = useCall(authMarketplace, {}, { staleTime: 300_000 }).data;
  const chosen = filter.accountIds.length > 0 || filter.marketplaceIds.length > 0;
  const stores = sites?.map(({ value }) => value).filter((value) => covers(filter, value));
  const openDetail = (id: string) => links.open('/amazon/payment/detail', '账期详情', { id });
  return (
    <Card title="结算" scope="已导入的账期" span={4} height={CARD_HEIGHT} query={query}>
      {data === null && <div className="card-state">无查看结算的权限</div>}
      {data && (
        <>
          <div className="home-figures">
            <div>
              <span className="label">已结算账期</span>
              <button type="button" className="drill strong home-value" onClick={() => links.settlements()}>
                <Integer value={data.closed} />
              </button>
            </div>
            <div>
              <span className="label">待转账</span>
              <button
                type="button"
                className={`drill strong home-value${data.pending > 0 ? ' warning' : ''}`}
                onClick={() => links.settlements('pending')}
              >
                <Integer value={data.pending} />
              </button>
            </div>
            <div className="home-wide">
              <span className="label">未结算金额</span>
              <button
                type="button"
                className="drill strong home-value"
                onClick={() => links.openMoney(chosen ? stores : undefined)}
              >
                {data.open.length === 0 && '—'}
                {data.open.slice(0, 3).map((one) => (
                  <Money key={one.currency} amount={one.amount} currency={one.currency} code good="up" />
                ))}
              </button>
            </div>
          </div>
          <ul className="card-list is-lined is-spread">
            {[
              { name: '下次转账', of: data.next },
              { name: '上次转账', of: data.last },
              ...data.recent
                .filter((one) => one.id !== data.next?.id && one.id !== data.last?.id)
                .slice(0, Math.max(1, MORE - data.open.length))
                .map((of) => ({ name: of.settlementId, of })),
            ].map(({ name, of }) => (
              <li key={name}>
                <span className="ellipsis">{name}</span>
                {of && <Country code={of.store.country} />}
                <span className="label">{of?.depositAt ? <When at={of.depositAt} /> : of ? '无转账' : ''}</span>
                <span className="spring" />
                {of ? (
                  <button type="button" className="drill strong" onClick={() => openDetail(of.id)}>
                    <Money amount={of.amount} currency={of.currency} good="up" />
                  </button>
                ) : (
                  <span className="text3">—</span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

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
export function SyncCard({ filter, span = 5, height = GOODS_HEIGHT }: Props & { span?: number; height?: number }) {
  const links = useLinks(filter);
  const first = useCall(sync, { body: { filter } }, { keep: true });
  const running = first.data?.accounts.some(inFirstSync) ?? false;
  const query = useCall(sync, { body: { filter } }, { keep: true, every: running ? 2_000 : 30_000 });
  const { data } = query;
  return (
    <Card
      title="同步健康"
      scope={data && `${data.accounts.length} 个账号`}
      span={span}
      height={height}
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
