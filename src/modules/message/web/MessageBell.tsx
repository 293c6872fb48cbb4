import './message.css';
import { BellOutlined } from '@ant-design/icons';
import { Tooltip } from 'antd';
import { useState } from 'react';
import type { TabScope } from '#kit/web/tabs/scope.ts';
import { MessageDrawer } from './MessageDrawer.tsx';
import { Popup } from './Popup.tsx';
import { useUnread } from './use-unread.ts';

const BADGE_MAX = 100;

/** The bell of the header with its badge, the drawer behind it, and the announcements that pop up by themselves. */
export function MessageBell({ open }: { open: TabScope['open'] }) {
  const unread = useUnread();
  const [shown, setShown] = useState(false);
  const { total } = unread;
  return (
    <>
      <Tooltip title="消息">
        <button
          type="button"
          className="icon-button"
          aria-label={total > 0 ? `消息，${total} 条未读` : '消息'}
          onClick={() => setShown(true)}
        >
          <BellOutlined />
          {total > 0 && <span className="frame-badge">{total > BADGE_MAX ? `${BADGE_MAX}+` : total}</span>}
        </button>
      </Tooltip>
      <MessageDrawer open={shown} onClose={() => setShown(false)} unread={unread} openTab={open} />
      <Popup />
    </>
  );
}
