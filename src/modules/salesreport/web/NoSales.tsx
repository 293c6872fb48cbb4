import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';

/** What the reports of sales say where nothing was sold. */
export function NoSales() {
  return (
    <Empty title="还没有销量" text="有订单后按站点日汇总，几秒钟内更新。">
      <TabLink to="/amazon/sale/order/list" title="订单列表">
        订单列表
      </TabLink>
    </Empty>
  );
}
