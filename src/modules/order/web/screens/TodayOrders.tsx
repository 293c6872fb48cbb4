import { useCall } from '#kit/web/api/index.ts';
import { filterFields, filterQuery, ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { OrderFilter } from '../../contract/orders.ts';
import { TodayFilter, TodayRow, todayList, todaySummary } from '../../contract/today.ts';
import { useOrderOptions } from '../options.ts';
import { TodayBoard } from '../TodayBoard.tsx';

/** Today's orders of one SKU in the order list: the day is the marketplace's own. */
function ordersOf(row: TodayRow, localDate: string | undefined): Record<string, string> {
  return filterQuery(filterFields(OrderFilter), {
    dateType: 'purchase',
    sku: row.product.code,
    accountIds: [row.accountId],
    marketplaceIds: [row.marketplaceId],
    ...(localDate ? { dates: { from: localDate, to: localDate } } : {}),
  });
}

/** 今日订单: how the day goes, by marketplace clock, against the same hours of yesterday and a week ago. */
export default function TodayOrders() {
  const tab = useTab();
  const options = useOrderOptions();
  const { data } = useCall(todaySummary, { body: { filter: {} } });
  const open = (row: TodayRow) => {
    const day = data?.sites.find((site) => site.marketplaceId === row.marketplaceId)?.localDate;
    tab.open('/amazon/sale/order/list', { title: '订单列表', query: ordersOf(row, day) });
  };
  return (
    <ListScreen
      name="order/today"
      title="今日订单"
      unit="个SKU"
      endpoint={todayList}
      row={TodayRow}
      filter={TodayFilter}
      options={options}
      density="two"
      above={(filter) => <TodayBoard filter={filter} />}
      empty={<Empty title="今天还没有订单" text="今日、昨日和上周同日都没有成交的商品。" />}
      onOpen={open}
      actions={(row) => [{ label: '查看订单', onClick: () => open(row) }]}
    />
  );
}
