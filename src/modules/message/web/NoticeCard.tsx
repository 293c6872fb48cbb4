import './message.css';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { getMsgLimit, REFRESH_MS } from '../contract/messages.ts';
import { useOpenMessage } from './use-open-message.tsx';

/** 公告 on the home page: the last five, unread ones in bold. */
export function NoticeCard() {
  const { open } = useTab();
  const query = useCall(getMsgLimit, {}, { every: REFRESH_MS });
  const openMessage = useOpenMessage(open);
  const { data } = query;
  return (
    <Card
      title="公告"
      scope="最近 5 条"
      query={query}
      extra={
        <button type="button" className="link" onClick={() => open('/sys/message', { title: '消息中心' })}>
          全部
        </button>
      }
    >
      {data?.length === 0 && <div className="card-state">还没有公告</div>}
      <ul className="card-list is-lined is-scrolled">
        {data?.map((row) => (
          <li key={row.id}>
            <button type="button" className="drill message-notice" onClick={() => openMessage(row)}>
              <span className={row.isRead ? 'ellipsis' : 'ellipsis strong'}>{row.title}</span>
            </button>
            <span className="spring" />
            <span className="label">
              <When at={row.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
