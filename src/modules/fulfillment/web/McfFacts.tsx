import { useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { useSend } from '#kit/web/api/index.ts';
import { Money, StoreName, When } from '#kit/web/cells/index.ts';
import { FactColumns, Facts } from '#kit/web/document/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { PLATFORMS } from '#modules/channel/contract/fields.ts';
import { mcfRecipient } from '../contract/create.ts';
import type { McfDetail } from '../contract/orders.ts';
import { ADD, POLICIES, SPEEDS } from '../contract/states.ts';

/** Who gets an order: asked for by a click, which stands in the log. */
function RecipientFacts({ order }: { order: McfDetail }) {
  const mayLook = useAllowed(ADD);
  const [to, setTo] = useState<Reply<typeof mcfRecipient>>();
  const ask = useSend(mcfRecipient, { onSuccess: setTo });
  const region = [order.country, order.region, `${order.postal}***`].filter(Boolean).join(' ');
  const look = mayLook && (
    <button type="button" className="link" onClick={() => ask.mutate({ body: { id: order.id } })}>
      查看
    </button>
  );
  return (
    <Facts
      title="收件人"
      facts={[
        { label: '收件人', value: to ? to.name : <>*** {look}</> },
        {
          label: '地区',
          value: to ? [to.country, to.region, to.city, to.postalCode].filter(Boolean).join(' ') : region,
        },
        ...(to ? [{ label: '地址', value: [to.line1, to.line2].filter(Boolean).join('，') }] : []),
        ...(to?.phone ? [{ label: '电话', value: to.phone }] : []),
      ]}
    />
  );
}

/** What is known of an order besides its lines and packages. */
export function McfFacts({ order }: { order: McfDetail }) {
  return (
    <FactColumns>
      <Facts
        title="订单"
        facts={[
          { label: '平台', value: PLATFORMS[order.platform] },
          { label: '平台订单号', value: order.orderNo },
          { label: '店铺', value: <StoreName store={order.store} /> },
          { label: '下单时间', value: <When at={order.orderedAt} /> },
          { label: '来源', value: order.fromErp ? '本系统创建' : '亚马逊同步' },
          { label: '装箱单留言', value: order.comment || null },
        ]}
      />
      <Facts
        title="配送与费用"
        facts={[
          { label: '速度', value: SPEEDS[order.speed] },
          { label: '缺货处理', value: POLICIES[order.policy] },
          { label: '纸箱', value: order.blankBox ? '无标纸箱' : '亚马逊纸箱' },
          { label: '预计送达', value: <When at={order.arrivalAt} /> },
          {
            label: '预估配送费',
            value: order.fee === null ? null : <Money amount={order.fee} currency={order.currency ?? ''} />,
          },
          { label: '同步时间', value: <When at={order.readAt} /> },
        ]}
      />
      <RecipientFacts order={order} />
    </FactColumns>
  );
}
