import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  listNotices,
  NOTIFICATION_TYPES,
  NoticeFilter,
  NoticeRow,
  type QueueState,
  queueStateOf,
  receiveNow,
  replayNotice,
} from '../../contract/notifications.ts';
import { bindSeller } from '../../contract/stores.ts';
import { SubscriptionDrawer } from '../notifications/SubscriptionDrawer.tsx';
import { accountsOf } from '../store/health.ts';
import '../store/store.css';

const TYPES = Object.entries(NOTIFICATION_TYPES).map(([value, label]) => ({ value, label }));

function wordsOf(queue: QueueState): string {
  if (!queue.configured) return '未配置消息队列';
  return queue.waiting === null ? '消息队列没有响应' : `队列积压 ${queue.waiting}`;
}

/** 通知订阅: what the marketplace told by itself, and what followed from it. */
export default function Notifications() {
  const { active } = useTab();
  const mayRun = useAllowed('amz:notice:run');
  const seesStores = useAllowed('amz:store:view');
  const [choosing, setChoosing] = useState(false);
  const stores = useCall(bindSeller, {}, { enabled: seesStores });
  const queue = useCall(queueStateOf, {});
  const refreshes = [listNotices, queueStateOf];
  const receive = useSend(receiveNow, { refreshes, onSuccess: () => notice.success('正在接收，稍后刷新查看') });
  const replay = useSend(replayNotice, { refreshes, onSuccess: () => notice.success('已重新处理') });
  return (
    <>
      <ListScreen
        name="marketplace/notices"
        title="通知订阅"
        unit="条"
        endpoint={listNotices}
        row={NoticeRow}
        filter={NoticeFilter}
        options={{
          type: TYPES,
          authid: accountsOf(stores.data?.stores ?? []).map((one) => ({ value: one.authid, label: one.gname })),
        }}
        density="dense"
        {...(mayRun
          ? {
              actions: (row: NoticeRow) => [
                { label: '重新处理', onClick: () => replay.mutate({ body: { id: row.id } }) },
              ],
            }
          : {})}
        head={
          <>
            {queue.data && (
              <span className="text3" title={queue.data.problem ?? undefined}>
                {wordsOf(queue.data)}
              </span>
            )}
            <Allowed code="amz:notice:run">
              <Button
                disabled={!queue.data?.configured}
                loading={receive.isPending}
                onClick={() => receive.mutate({ body: {} })}
              >
                立即接收
              </Button>
            </Allowed>
            <Button type="primary" onClick={() => setChoosing(true)}>
              订阅设置
            </Button>
          </>
        }
        empty={
          <Empty title="还没有收到通知" text="在「订阅设置」里为店铺订阅后，亚马逊有变化会立即通知，同步随之提前。" />
        }
        note="保留 14 天"
      />
      <SubscriptionDrawer open={choosing && active} onClose={() => setChoosing(false)} />
    </>
  );
}
