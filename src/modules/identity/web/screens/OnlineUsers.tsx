import { App } from 'antd';
import { useSend } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { forceOff, listOnline, OnlineFilter, OnlineRow } from '../../contract/security.ts';

/** 在线用户: the sessions that count at the moment; others can be ended. */
export default function OnlineUsers() {
  const { modal } = App.useApp();
  const mayForce = useAllowed('sys:user:assign');
  const send = useSend(forceOff, {
    refreshes: [listOnline],
    onSuccess: (n) => notice.success(`已强退${n}个会话`),
  });
  const ask = (rows: readonly OnlineRow[]) =>
    modal.confirm({
      title: rows.length === 1 ? `强退 ${rows[0]?.userName}` : `强退 ${rows.length} 个会话`,
      content: '这些设备会立即退出登录，未保存的内容将丢失；密码不变，可以重新登录。',
      okText: '强退',
      okButtonProps: { danger: true },
      onOk: () => send.mutateAsync({ body: { ids: rows.map((row) => row.id) } }).catch(() => {}),
    });
  const unfit = (row: OnlineRow) => (row.current ? '当前会话' : undefined);
  return (
    <ListScreen
      name="identity/online"
      title="在线用户"
      unit="个会话"
      endpoint={listOnline}
      row={OnlineRow}
      filter={OnlineFilter}
      density="dense"
      columns={{
        device: {
          render: (row) => (
            <span className="ellipsis">
              {row.device}
              {row.current && <span className="label">（当前）</span>}
            </span>
          ),
        },
      }}
      {...(mayForce
        ? {
            actions: (row: OnlineRow) => [
              { label: '强退', danger: true, onClick: () => void ask([row]), blocked: unfit(row) },
            ],
            actionsWidth: 70,
            batch: [{ label: '强退', danger: true, unfit, onClick: (rows: readonly OnlineRow[]) => void ask(rows) }],
          }
        : {})}
    />
  );
}
