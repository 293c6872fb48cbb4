import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { State, Tag, When } from '#kit/web/cells/index.ts';
import type { FilterValue } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  DeliveryState,
  listSubscriptions,
  pauseSubscription,
  removeSubscription,
  type Subscription,
  sendSubscription,
  WEEKDAYS,
} from '../contract/subscriptions.ts';
import { SubscriptionForm } from './SubscriptionForm.tsx';

/** What became of a mail is known seconds after it was asked for. */
const REFRESH_MS = 3_000;
const REFRESHES = [listSubscriptions];

function timeOf({ every, weekday, monthDay, hour }: Subscription['timing']): string {
  const at = `${String(hour).padStart(2, '0')}:00`;
  if (every === 'day') return `每天 ${at}`;
  return every === 'week' ? `每${WEEKDAYS[weekday - 1]} ${at}` : `每月${monthDay}日 ${at}`;
}

function Row({ one }: { one: Subscription }) {
  const params = { id: one.id };
  const pause = useSend(pauseSubscription, { refreshes: REFRESHES });
  const send = useSend(sendSubscription, {
    refreshes: REFRESHES,
    onSuccess: () => notice.success('已开始发送，几秒钟后到您的邮箱'),
  });
  const remove = useSend(removeSubscription, { refreshes: REFRESHES });
  return (
    <li className="sales-send-row">
      <div>
        <b>{one.name}</b> <span className="text3">{timeOf(one.timing)}</span>{' '}
        {one.isPaused && <Tag tone="off" title="已暂停" />}
        <div className="text3">
          收件人 {one.recipients.map(({ name }) => name).join('、')}
          {one.nextAt && (
            <>
              ；下次 <When at={one.nextAt} />
            </>
          )}
        </div>
        {one.last && (
          <div className="text3">
            上次 <When at={one.last.at} /> <State states={DeliveryState.meta()?.states} value={one.last.state} />{' '}
            {one.last.error}
          </div>
        )}
        {one.note && <div className="text3">{one.note}</div>}
      </div>
      <span className="spring" />
      <Button type="text" onClick={() => send.mutate({ params })}>
        立即发送一份给我
      </Button>
      <Button type="text" onClick={() => pause.mutate({ params, body: { isPaused: !one.isPaused } })}>
        {one.isPaused ? '恢复' : '暂停'}
      </Button>
      <Button type="text" danger onClick={() => remove.mutate({ params })}>
        删除
      </Button>
    </li>
  );
}

/** 定时发送: the user's subscriptions with what became of them, and the form of a new one. */
export function SendDialog({ filter, onClose }: { filter: FilterValue; onClose: () => void }) {
  const [adding, setAdding] = useState(false);
  const { data } = useCall(listSubscriptions, {}, { every: REFRESH_MS });
  return (
    <>
      <Modal title="定时发送" open width={760} footer={null} onCancel={onClose}>
        <p className="label">
          按设定的时间把报表发到同事的邮箱：正文是合计，附件是明细。每个人收到的内容按其本人的数据权限生成。
        </p>
        <ul className="sales-send">
          {data?.map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
        <Button onClick={() => setAdding(true)}>新建订阅</Button>
      </Modal>
      {adding && <SubscriptionForm filter={filter} onClose={() => setAdding(false)} />}
    </>
  );
}
