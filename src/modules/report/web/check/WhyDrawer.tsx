import { Button } from 'antd';
import type { ReactNode } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Integer, Money, State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { requestReport } from '#modules/marketplace/contract/sync.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import { type CheckDetail, type CheckRow, whyDiffers } from '../../contract/check.ts';
import { around, VERDICTS } from './days.ts';
import './check.css';

const ORDERS_BY_DATE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';

function Counts({ row }: { row: CheckRow }) {
  const sees = useAllowed(AMOUNTS);
  const whole = (count: number) => <Integer value={count} />;
  const money = (amount: string | null) => <Money amount={amount} currency={row.currency} />;
  const lines: [string, ReactNode, ReactNode, ReactNode][] = [
    ['订单数', whole(row.ownOrders), whole(row.orders), whole(row.orderGap)],
    ['销量', whole(row.ownUnits), whole(row.units), whole(row.unitGap)],
  ];
  if (sees) lines.push(['商品销售额', money(row.ownSales), money(row.sales), money(row.salesGap)]);
  return (
    <div className="line-table is-dense">
      <table aria-label="两边的数">
        <thead>
          <tr>
            <th className="is-left">指标</th>
            <th className="is-right">本系统</th>
            <th className="is-right">亚马逊</th>
            <th className="is-right">差异</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([title, own, theirs, gap]) => (
            <tr key={title}>
              <td className="is-left">{title}</td>
              <td className="is-right">{own}</td>
              <td className="is-right">{theirs}</td>
              <td className="is-right">{gap}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NOTHING: Record<CheckRow['verdict'], string> = {
  equal: '两边一致。',
  explained: '',
  pending: '数据还没有读全，读全后自动核对。',
  differs: '没有找到可以自动解释的原因。可重新读取这一天的订单；仍不一致时，请在亚马逊后台核对当天的订单。',
};

function Why({ detail: { row, causes } }: { detail: CheckDetail }) {
  const differs = row.orderGap !== 0 || row.unitGap !== 0 || Number(row.salesGap) !== 0;
  return (
    <section>
      <h3>{differs ? '为什么不一致' : '核对说明'}</h3>
      {row.verdict === 'equal' || causes.length === 0 ? (
        <p className="text3">{NOTHING[row.verdict]}</p>
      ) : (
        <ul className="check-causes">
          {causes.map(({ code, title, units, amount, text }) => (
            <li key={code}>
              <div>
                <b>{title}</b>
                {units !== null && <span className="num">{units} 件</span>}
                {amount && <Money amount={amount} currency={row.currency} />}
              </div>
              <p className="text3">{text}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Actions({ row }: { row: CheckRow }) {
  const tab = useTab();
  const read = useSend(requestReport, { onSuccess: ({ message }) => notice.success(message) });
  const days = around(row.day);
  return (
    <>
      <Button
        onClick={() =>
          tab.open('/amazon/sale/order/list', {
            title: '订单列表',
            query: {
              'f.dates': `${row.day}~${row.day}`,
              'f.accountIds': row.accountId,
              'f.marketplaceIds': row.marketplaceId,
            },
          })
        }
      >
        查看当天订单
      </Button>
      <Allowed code="amz:report:run">
        <Button
          loading={read.isPending}
          onClick={() => read.mutate({ query: { authid: row.accountId, type: ORDERS_BY_DATE, ...days } })}
        >
          重新读取当天订单
        </Button>
      </Allowed>
    </>
  );
}

/** Why our count of a day differs from Amazon's, and what can be done about it. */
export function WhyDrawer({ row, onClose }: { row: CheckRow | undefined; onClose: () => void }) {
  const { accountId = '', marketplaceId = '', day = '' } = row ?? {};
  const { data, error, refetch } = useCall(
    whyDiffers,
    { query: { accountId, marketplaceId, day } },
    { enabled: row !== undefined, staleTime: 0 },
  );
  const detail = row === undefined ? undefined : data;
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title={row && `${row.store.name} ${row.store.country} ${row.day}`}
      subtitle={detail && <State value={detail.row.verdict} states={VERDICTS} />}
      actions={detail && <Actions row={detail.row} />}
    >
      {error && !detail && <ErrorState error={error} onRetry={() => void refetch()} />}
      {detail && (
        <div className="check-body">
          <Counts row={detail.row} />
          <p className="text3">
            亚马逊统计至 <When at={detail.row.readTo} />
          </p>
          <Why detail={detail} />
        </div>
      )}
    </DetailDrawer>
  );
}
