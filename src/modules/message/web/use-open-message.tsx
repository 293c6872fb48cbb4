import { App } from 'antd';
import { useCallback } from 'react';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { usePorts } from '#kit/web/ports.ts';
import type { TabScope } from '#kit/web/tabs/scope.ts';
import { batchReadMessage, type MessageRow } from '../contract/messages.ts';
import { Rich } from './Rich.tsx';
import { refreshMessages } from './use-unread.ts';

/** Marks a message as read, as well as it goes: that it fails keeps nobody from reading. */
export async function markRead(row: Pick<MessageRow, 'id' | 'isRead'>): Promise<void> {
  if (row.isRead) return;
  try {
    await call(batchReadMessage, { body: { ids: [row.id] } }, { quiet: true });
  } catch {
    notice.error('查看消息失败');
  }
  refreshMessages();
}

/**
 * Opens what a message is about: the page of its document, its file, or, where there is neither, the message itself.
 * Answers whether the page changed.
 */
export function useOpenMessage(open: TabScope['open']): (row: MessageRow) => boolean {
  const { modal } = App.useApp();
  const { tasks } = usePorts();
  return useCallback(
    (row) => {
      void markRead(row);
      if (row.documentType === 'file' && row.documentId) {
        void tasks.download(row.documentId).catch(() => {});
        return false;
      }
      if (row.link) {
        open(row.link.path, { title: row.link.title, query: row.link.query });
        return true;
      }
      modal.info({
        title: row.title,
        content: <Rich html={row.content} />,
        okText: '确定',
        icon: null,
        width: 560,
        mask: { closable: true },
      });
      return false;
    },
    [modal, open, tasks],
  );
}
