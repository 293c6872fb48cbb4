import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  countDeliveries,
  DeliveryFilter,
  DeliveryRow,
  listDeliveries,
  retryDelivery,
} from '../../contract/deliveries.ts';

/** 发送记录: messages that left by mail, SMS and so on, or did not. */
export default function Deliveries() {
  const maySend = useAllowed('sys:notify:send');
  const retry = useSend(retryDelivery, {
    refreshes: [listDeliveries, countDeliveries],
    onSuccess: () => notice.success('已重新加入发送队列'),
  });
  return (
    <ListScreen
      name="message/deliveries"
      title="发送记录"
      unit="条"
      endpoint={listDeliveries}
      row={DeliveryRow}
      filter={DeliveryFilter}
      tabs={{ field: 'state', counts: countDeliveries }}
      density="dense"
      {...(maySend
        ? {
            actionsWidth: 90,
            actions: (row: DeliveryRow) => [
              {
                label: '重新发送',
                onClick: () => retry.mutate({ params: { id: row.id } }),
                ...(row.state === 'failed' ? {} : { blocked: '只有发送失败的消息可以重新发送' }),
              },
            ],
          }
        : {})}
      empty={
        <Empty
          title="还没有发送到站外的消息"
          text="成员在个人中心的「消息订阅」里选择邮件、短信等渠道后，消息的发送结果会列在这里。"
        />
      }
    />
  );
}
