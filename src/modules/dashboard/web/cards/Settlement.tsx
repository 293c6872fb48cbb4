import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Country, Integer, Money, When } from '#kit/web/cells/index.ts';
import { authMarketplace } from '#modules/marketplace/contract/stores.ts';
import { type HomeFilter, settlement } from '../../contract.ts';
import { useLinks } from '../links.ts';
import type { CardProps } from './props.ts';

/** Lines that the card has room for below its two payouts; each further open currency takes one. */
const MORE = 3;

/** Whether a "marketplaceId-accountId" is among what the page is narrowed to. */
function covers({ accountIds, marketplaceIds }: HomeFilter, store: string): boolean {
  const at = store.indexOf('-');
  const among = (ids: readonly string[], id: string) => ids.length === 0 || ids.includes(id);
  return among(marketplaceIds, store.slice(0, at)) && among(accountIds, store.slice(at + 1));
}

/** What has been paid out, what is about to be, what is still open. */
export function SettlementCard({ filter }: CardProps) {
  const links = useLinks(filter);
  const query = useCall(settlement, { body: { filter } }, { keep: true });
  const { data } = query;
  const sites = useCall(authMarketplace, {}, { staleTime: 300_000 }).data;
  const chosen = filter.accountIds.length > 0 || filter.marketplaceIds.length > 0;
  const stores = sites?.map(({ value }) => value).filter((value) => covers(filter, value));
  const openDetail = (id: string) => links.open('/amazon/payment/detail', '账期详情', { id });
  return (
    <Card title="结算" scope="已导入的账期" query={query}>
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
