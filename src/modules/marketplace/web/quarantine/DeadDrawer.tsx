import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { DeadKind, type DeadRow, listDead, retryDead } from '../../contract/quarantine.ts';
import { IgnoreDead } from './IgnoreDead.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** 失败任务: whatever was given up, each with another try; what brings no facts may be left as it is. */
export function DeadDrawer({ open, onClose }: Props) {
  const [ignoring, setIgnoring] = useState<DeadRow>();
  const { data = [] } = useCall(listDead, {}, { enabled: open, staleTime: 0 });
  const send = useSend(retryDead, {
    refreshes: [listDead],
    onSuccess: ({ count }) => notice.success(`已重新安排 ${count} 个任务`),
  });
  const retry = (rows: readonly DeadRow[]) =>
    send.mutate({ body: { items: rows.map(({ kind, id }) => ({ kind, id })).slice(0, 200) } });
  return (
    <DetailDrawer
      open={open}
      onClose={onClose}
      title="失败任务"
      subtitle="多次重试后放弃"
      actions={
        data.length > 0 && (
          <Allowed code="amz:store:sync">
            <Button type="primary" loading={send.isPending} onClick={() => retry(data)}>
              全部重试
            </Button>
          </Allowed>
        )
      }
    >
      <div className="drawer-pad">
        {data.length === 0 && <p className="text3">没有失败的任务</p>}
        {data.length > 0 && (
          <table className="account-table">
            <thead>
              <tr>
                <th>类型</th>
                <th>任务</th>
                <th>失败时间</th>
                <th>原因</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {data.map((row) => (
                <tr key={`${row.kind} ${row.id}`}>
                  <td>
                    <State value={row.kind} states={DeadKind.meta()?.states} />
                  </td>
                  <td>
                    {row.title}
                    <div className="text3">{row.store}</div>
                  </td>
                  <td>
                    <When at={row.failedAt} />
                  </td>
                  <td className="danger">{row.error}</td>
                  <td className="right">
                    <Allowed code="amz:store:sync">
                      <button type="button" className="link" onClick={() => retry([row])}>
                        重试
                      </button>{' '}
                      {(row.kind === 'feed' || row.kind === 'notice') && (
                        <button type="button" className="link" onClick={() => setIgnoring(row)}>
                          忽略
                        </button>
                      )}
                    </Allowed>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {ignoring && <IgnoreDead row={ignoring} onClose={() => setIgnoring(undefined)} />}
    </DetailDrawer>
  );
}
