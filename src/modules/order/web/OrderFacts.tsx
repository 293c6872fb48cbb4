import { metaOf } from '#kit/contract/columns.ts';
import { StoreName, When } from '#kit/web/cells/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import type { OrderDetail } from '../contract/orders.ts';
import { FulfilledBy, ORDER_TAGS, SOURCE_NAMES } from '../contract/status.ts';

/** Wall clock of the order's marketplace. */
function siteTime(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(instant),
  );
}

function shippingFacts(order: OrderDetail) {
  return [
    { label: '配送方式', value: metaOf(FulfilledBy).states?.[order.fulfilledBy]?.title },
    { label: '服务级别', value: order.serviceLevel },
    { label: '最晚发货', value: <When at={order.latestShipAt} /> },
    { label: '承诺送达', value: <When at={order.latestDeliverAt} /> },
    { label: '收货地区', value: order.shipTo },
    { label: '买家申请取消', value: order.buyerCancelRequested ? <span className="warning">是</span> : '否' },
  ];
}

/** What is known of an order besides its lines. Nothing here names the buyer. */
export function OrderFacts({ order }: { order: OrderDetail }) {
  const original = order.originalOrderId;
  return (
    <FactColumns>
      <Facts
        title="订单"
        facts={[
          { label: '店铺', value: <StoreName store={order.store} /> },
          { label: '销售渠道', value: order.salesChannel },
          { label: '卖家单号', value: order.sellerOrderId },
          { label: '客户类型', value: order.isBusiness ? '企业买家' : '个人' },
          {
            label: '换货原单',
            value: original ? (
              <TabLink to="/orders/detail" title={original} query={{ id: `${order.id.split('~')[0]}~${original}` }}>
                {original}
              </TabLink>
            ) : null,
          },
          { label: '标记', value: order.tags.map((tag) => ORDER_TAGS[tag]).join('、') || null },
        ]}
      />
      <Facts title="配送" facts={shippingFacts(order)} />
      <Facts
        title="时间与来源"
        facts={[
          {
            label: '订购（站点时间）',
            value: <span className="num">{siteTime(order.purchasedAt, order.timeZone)}</span>,
          },
          { label: '订购（本机时间）', value: <When at={order.purchasedAt} /> },
          { label: '亚马逊更新', value: <When at={order.updatedAt} /> },
          { label: '首次同步', value: <When at={order.firstSeenAt} /> },
          { label: '数据来源', value: SOURCE_NAMES[order.source] },
          { label: '备注', value: order.remark },
        ]}
      />
    </FactColumns>
  );
}
