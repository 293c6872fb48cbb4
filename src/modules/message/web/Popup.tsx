import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { findNoReadByUserAll } from '../contract/messages.ts';
import { Rich } from './Rich.tsx';
import { markRead } from './use-open-message.tsx';

/** Urgent announcements that nobody here has read yet, one after the other; later ones as they are published. */
export function Popup() {
  const { data = [], refetch } = useCall(findNoReadByUserAll, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const left = data.filter((row) => !seen.has(row.id));
  const [row] = left;
  const put = () => row && setSeen(new Set([...seen, row.id]));
  const know = async () => {
    if (!row) return;
    put();
    await markRead(row);
    void refetch();
  };
  return (
    <Modal
      title={row?.title}
      open={row !== undefined}
      width={640}
      onCancel={put}
      footer={
        <div className="drawer-foot">
          <span className="label">
            {row?.sender} <When at={row?.createdAt} />
            {left.length > 1 && `，另有 ${left.length - 1} 条`}
          </span>
          <span className="spring" />
          <Button onClick={put}>稍后再看</Button>
          <Button type="primary" onClick={() => void know()}>
            我知道了
          </Button>
        </div>
      }
    >
      <div className="message-popup">{row && <Rich html={row.content} />}</div>
    </Modal>
  );
}
