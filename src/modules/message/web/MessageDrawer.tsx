import './message.css';
import { CheckOutlined } from '@ant-design/icons';
import { Button, Drawer } from 'antd';
import { useEffect, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { useLate } from '#kit/web/grid/use-late.ts';
import { notice } from '#kit/web/notice.tsx';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import type { TabScope } from '#kit/web/tabs/scope.ts';
import { getAnnounce, getRemind, updateAllTargets } from '../contract/messages.ts';
import { MessageList, MessageSkeleton } from './MessageList.tsx';
import { useOpenMessage } from './use-open-message.tsx';
import { refreshMessages, type Unread } from './use-unread.ts';

type Tab = 'sys' | 'nti';

const SHOWN = 50;

interface Props {
  open: boolean;
  onClose: () => void;
  unread: Unread;
  openTab: TabScope['open'];
}

function List({ tab, onlyUnread, props }: { tab: Tab; onlyUnread: boolean; props: Props }) {
  const input = { body: { pagesize: SHOWN, filter: onlyUnread ? { state: 'unread' as const } : {} } };
  const query = useCall(tab === 'sys' ? getAnnounce : getRemind, input, { staleTime: 0, keep: true });
  const late = useLate(query.isPending);
  const openMessage = useOpenMessage(props.openTab);
  useEffect(() => {
    if (query.isError) notice.error('消息列表加载失败');
  }, [query.isError]);
  if (query.isError) return <ErrorState error={query.error} text="" onRetry={() => void query.refetch()} />;
  if (!query.data) return late ? <MessageSkeleton /> : null;
  const { records, total } = query.data;
  if (records.length === 0) {
    return (
      <Empty
        title={onlyUnread ? '没有未读消息' : tab === 'sys' ? '还没有系统消息' : '还没有提醒'}
        text={tab === 'sys' ? '平台与公司的公告会出现在这里。' : '审批、授权、任务等需要你处理的事会出现在这里。'}
      />
    );
  }
  return (
    <>
      <MessageList
        rows={records}
        onOpen={(row) => {
          if (openMessage(row)) props.onClose();
        }}
      />
      {total > records.length && <p className="message-more">只显示最近 {SHOWN} 条，更早的请查看全部</p>}
    </>
  );
}

/** The drawer behind the bell: 系统消息 and 我的提醒, the latter first. */
export function MessageDrawer(props: Props) {
  const { open, onClose, unread, openTab } = props;
  const [tab, setTab] = useState<Tab>('nti');
  const [onlyUnread, setOnlyUnread] = useState(false);
  const all = useSend(updateAllTargets, {
    quiet: true,
    onSuccess: () => {
      notice.success('已全部标记为已读');
      refreshMessages();
    },
  });
  const tabs = [
    { key: 'sys' as const, title: '系统消息', count: unread.sys },
    { key: 'nti' as const, title: '我的提醒', count: unread.nti },
  ];
  return (
    <Drawer
      className="detail-drawer message-drawer"
      title="消息"
      size={440}
      open={open}
      onClose={onClose}
      closable={{ placement: 'end' }}
      destroyOnHidden
      extra={
        <Button
          type="text"
          size="small"
          icon={<CheckOutlined />}
          loading={all.isPending}
          disabled={unread.total === 0}
          onClick={() => all.mutate({ query: {} }, { onError: () => notice.error('标记已读失败') })}
        >
          全部标为已读
        </Button>
      }
      footer={
        <div className="drawer-foot">
          <span className="label">每 10 分钟刷新，重要消息即时送达</span>
          <span className="spring" />
          <button
            type="button"
            className="link"
            onClick={() => {
              openTab('/sys/message', { title: '消息中心' });
              onClose();
            }}
          >
            查看全部 ›
          </button>
        </div>
      }
    >
      <div className="drawer-tabs">
        <div role="tablist" aria-label="消息类型" className="message-tabs">
          {tabs.map(({ key, title, count }) => (
            <button
              key={key}
              type="button"
              role="tab"
              aria-selected={key === tab}
              className={`status-tab${key === tab ? ' is-on' : ''}`}
              onClick={() => setTab(key)}
            >
              {title}
              {count > 0 && <span className="num">{count}</span>}
            </button>
          ))}
        </div>
        <span className="spring" />
        <button
          type="button"
          className={`link message-only${onlyUnread ? '' : ' is-quiet'}`}
          aria-pressed={onlyUnread}
          onClick={() => setOnlyUnread(!onlyUnread)}
        >
          仅未读
        </button>
      </div>
      <div className="message-scroll" role="tabpanel" aria-label={tab === 'sys' ? '系统消息' : '我的提醒'}>
        <List key={tab} tab={tab} onlyUnread={onlyUnread} props={props} />
      </div>
    </Drawer>
  );
}
