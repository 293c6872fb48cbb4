import { TabLink } from '#kit/web/tabs/TabLink.tsx';

/** The column of a row's order, which opens the order's row in the list of orders. */
export const ORDER_COLUMN = {
  render: (row: { orderId: string }) => (
    <TabLink to="/amazon/sale/order/list" title="订单列表" query={{ 'f.orderIds': row.orderId }}>
      {row.orderId}
    </TabLink>
  ),
  text: (row: { orderId: string }) => row.orderId,
};
