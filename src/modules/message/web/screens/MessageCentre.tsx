import '../message.css';
import { Button } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  batchReadMessage,
  countMessages,
  findNitofyNums,
  listAllMessageByUserId,
  MessageFilter,
  MessageRow,
  updateAllTargets,
} from '../../contract/messages.ts';
import { stepOf } from '../looks.tsx';
import { useOpenMessage } from '../use-open-message.tsx';
import { refreshMessages } from '../use-unread.ts';

const COLUMNS: ColumnOverrides<MessageRow> = {
  title: { render: (row) => <span className={row.isRead ? 'ellipsis' : 'ellipsis strong'}>{row.title}</span> },
  text: { render: (row) => <span className="ellipsis text2">{row.text}</span> },
};

const NOTHING = <Empty title="还没有消息" text="公告、提醒和私信会按时间列在这里，读过的保留 180 天。" />;

/** 消息中心: every message of the caller, read and unread. */
export default function MessageCentre() {
  const { open } = useTab();
  const openMessage = useOpenMessage(open);
  const unread = useCall(findNitofyNums, {}).data?.reduce((sum, row) => sum + row.nums, 0) ?? 0;
  const failed = () => notice.error('标记已读失败');
  const some = useSend(batchReadMessage, { quiet: true, onSuccess: () => refreshMessages() });
  const all = useSend(updateAllTargets, {
    quiet: true,
    onSuccess: () => {
      notice.success('已全部标记为已读');
      refreshMessages();
    },
  });
  const read = (rows: readonly MessageRow[]) =>
    some.mutate({ body: { ids: rows.map((row) => row.id) } }, { onError: failed });
  return (
    <ListScreen
      name="message/inbox"
      title="消息中心"
      unit="条"
      endpoint={listAllMessageByUserId}
      row={MessageRow}
      filter={MessageFilter}
      tabs={{ field: 'state', counts: countMessages }}
      columns={COLUMNS}
      density="dense"
      onOpen={openMessage}
      actions={(row) => [
        { label: stepOf(row) ?? '查看', onClick: () => openMessage(row) },
        {
          label: '标记已读',
          onClick: () => read([row]),
          ...(row.isRead ? { blocked: '已经读过' } : {}),
        },
      ]}
      actionsWidth={150}
      batch={[
        { label: '标记已读', unfit: (row) => (row.isRead ? '已经读过' : undefined), onClick: (rows) => read(rows) },
      ]}
      head={
        <Button
          disabled={unread === 0}
          loading={all.isPending}
          onClick={() => all.mutate({ query: {} }, { onError: failed })}
        >
          全部标为已读
        </Button>
      }
      empty={NOTHING}
    />
  );
}
