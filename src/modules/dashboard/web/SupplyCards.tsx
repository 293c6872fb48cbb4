import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Country, Integer, Money, ProgressBar, Tag, When } from '#kit/web/cells/index.ts';
import { Bars, type BarTone } from '#kit/web/charts/index.ts';
import { type HomeFilter, type SyncAccount, settlement, stock, sync } from '../contract.ts';
import { useLinks } from './links.ts';
import { CARD_HEIGHT } from './SalesCards.tsx';

interface Props {
  filter: HomeFilter;
}

const TONES: Record<string, BarTone> = { out: 'bad', low: 'warning', more: 'off', still: 'off' };
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
    </Card>
  );
}

/** What has been paid out, what is about to be, what is still open. */
export function SettlementCard({ filter }: Props) {
  const links = useLinks(filter);
  const query = useCall(settlement, { body: { filter } }, { keep: true });
  const { data } = query;
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
              <span className="strong home-value">
                {data.open.length === 0 && '—'}
                {data.open.slice(0, 3).map((one) => (
                  <Money key={one.currency} amount={one.amount} currency={one.currency} code good="up" />
                ))}
              </span>
            </div>
          </div>
          <ul className="card-list is-lined">
            {[
              { name: '下次转账', of: data.next },
              { name: '上次转账', of: data.last },
              ...data.recent
                .filter((one) => one.id !== data.next?.id && one.id !== data.last?.id)
                .slice(0, 2)
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

const GOOD = ['ready', 'running'];
const WORDS: Record<string, string> = {
  late: '延迟',
  retrying: '重试中',
  paused: '已暂停',
  blocked_auth: '授权失效',
  blocked_role: '缺少权限角色',
  dead: '失败',
};

function Streams({ account }: { account: SyncAccount }) {
  const bad = account.streams.filter((stream) => !GOOD.includes(stream.state));
  if (account.status === 'manual') return <Tag tone="side" title="手工店铺" />;
  if (bad.length === 0) return <Tag tone="done" title={`${account.streams.length} 个数据流正常`} />;
  return (
    <>
      {bad.slice(0, 2).map((stream) => (
        <Tag
          key={stream.id}
          tone={['late', 'retrying'].includes(stream.state) ? 'waiting' : 'trouble'}
          title={`${stream.title}${stream.country ? ` ${stream.country}` : ''} ${WORDS[stream.state] ?? ''}`}
          reason={
            stream.error ??
            (stream.delayMin === null ? undefined : `延迟 ${stream.delayMin} 分钟，目标 ${stream.sloMin} 分钟`)
          }
        />
      ))}
      {bad.length > 2 && <span className="label">等 {bad.length} 个</span>}
    </>
  );
}

const inFirstSync = ({ firstSync }: SyncAccount) => firstSync.total > 0 && firstSync.done < firstSync.total;

/** How fresh each account is; a first synchronisation shows its progress as it goes on. */
export function SyncCard({ filter, span = 5, height = 568 }: Props & { span?: number; height?: number }) {
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
            <span className="ellipsis home-store">
              {account.store}-{account.region}
            </span>
            {inFirstSync(account) ? (
              <>
                <span className="label">首次同步</span>
                <span className="home-progress">
                  <ProgressBar percent={(account.firstSync.done / account.firstSync.total) * 100} />
                </span>
                <span className="label num">
                  {account.firstSync.done}/{account.firstSync.total}
                </span>
              </>
            ) : (
              <Streams account={account} />
            )}
            <span className="spring" />
            <span className="label">{account.lastSyncAt && <When at={account.lastSyncAt} />}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
