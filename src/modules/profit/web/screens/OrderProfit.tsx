import { useState } from 'react';
import { Money, mixedTotal } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { lastDays } from '#kit/web/last-days.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { useStoreOptions } from '#modules/settlement/web/index.ts';
import {
  exportOrderProfit,
  listOrderProfit,
  ORDER_AMOUNTS,
  OrderProfitFilter,
  OrderProfitRow,
} from '../../contract/order.ts';
import { COST } from '../../contract/report.ts';
import OrderMoney from '../OrderMoney.tsx';

const NOTHING = (
  <Empty title="这段时间没有订单收支" text="亚马逊发货后一两天内记账，同步后自动计算；也可以换一个日期范围。" />
);

const withoutResult = OrderProfitFilter.omit({ result: true });
const totals = Object.fromEntries(ORDER_AMOUNTS.map((key) => [key, { total: mixedTotal(key) }]));

/** A number below 0 in red; a cell that is unknown stays a dash. */
function signed(key: 'profit' | 'gap') {
  return (row: OrderProfitRow) => {
    const amount = row[key];
    if (amount === null) return '—';
    const isOff = key === 'gap' ? /[1-9]/.test(amount) : amount.startsWith('-');
    return (
      <span className={isOff ? 'danger' : ''}>
        <Money amount={amount} currency={row.currency} />
      </span>
    );
  };
}

/** 订单利润: what each order has brought so far, to the lines that it is made of. */
export default function OrderProfit() {
  const stores = useStoreOptions();
  const maySeeCost = useAllowed(COST);
  const [defaults] = useState(() => ({ date: lastDays(30) }));
  const [opened, setOpened] = useState<OrderProfitRow>();
  const key = opened?.orderKey;
  return (
    <>
      <ListScreen
        name="profit/orders"
        title="订单利润"
        unit="个订单"
        endpoint={listOrderProfit}
        exportEndpoint={exportOrderProfit}
        row={OrderProfitRow}
        filter={maySeeCost ? OrderProfitFilter : withoutResult}
        options={{ stores }}
        defaults={defaults}
        density="picture"
        columns={{
          ...totals,
          profit: { render: signed('profit'), text: (row) => row.profit ?? '', total: mixedTotal('profit') },
          gap: { render: signed('gap'), text: (row) => row.gap ?? '' },
        }}
        onOpen={(row) => setOpened(row)}
        empty={NOTHING}
        note="到账净额 = 结算文件 + 未结算账务交易；没有订单号的收支（仓储、广告、订阅）见利润报表"
      />
      <DetailDrawer
        open={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.orderId ?? ''}
        subtitle={opened?.store.name}
        extra={
          key && (
            <TabLink to="/orders/detail" title={opened.orderId} query={{ id: key, tab: 'profit' }}>
              打开订单
            </TabLink>
          )
        }
      >
        {key ? <OrderMoney id={key} /> : <Empty title="订单尚未同步" text="只有收支，订单同步后可以查看明细。" />}
      </DetailDrawer>
    </>
  );
}
