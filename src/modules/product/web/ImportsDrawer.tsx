import { Input, Modal } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Person, State, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { costHistory, costImport, countCosts, listCostImports, listCosts, reverseCostImport } from '../contract.ts';

type Batch = { id: string; number: string; rows: number };

/** Asks why before an import is taken back. */
function ReverseDialog({ batch, onClose }: { batch: Batch | undefined; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const close = () => {
    setReason('');
    onClose();
  };
  const reverse = useSend(reverseCostImport, {
    refreshes: [listCostImports, listCosts, countCosts, costHistory],
    onSuccess: ({ number }) => {
      notice.success(`${number} 已撤销，恢复导入前的成本`);
      close();
    },
  });
  return (
    <Modal
      title={`撤销导入 ${batch?.number ?? ''}`}
      open={batch !== undefined}
      okText="撤销导入"
      okButtonProps={{ danger: true, disabled: reason.trim() === '' }}
      confirmLoading={reverse.isPending}
      onOk={() => batch && reverse.mutate({ params: { id: batch.id }, body: { reason } })}
      onCancel={close}
    >
      <p>恢复该批 {formatInteger(batch?.rows ?? 0)} 行导入前的成本，相关利润会重新计算。</p>
      <Input.TextArea
        aria-label="原因"
        placeholder="请填写原因"
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Modal>
  );
}

/** 导入记录: the last imports; a written one can be taken back. */
export function ImportsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [batch, setBatch] = useState<Batch>();
  const { data, isError, error, refetch } = useCall(listCostImports, {}, { enabled: open, staleTime: 0 });
  return (
    <DetailDrawer open={open} onClose={onClose} title="导入记录" subtitle="最近 50 次">
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="line-table is-dense">
          <table aria-label="导入记录">
            <thead>
              <tr>
                <th>单号</th>
                <th>状态</th>
                <th>文件</th>
                <th className="is-right">行数</th>
                <th>操作人</th>
                <th>时间</th>
                <th />
              </tr>
            </thead>
            <tbody>
              {data?.map((one) => (
                <tr key={one.id}>
                  <td className="code">{one.number}</td>
                  <td>
                    <State value={one.state} states={costImport.states} />
                  </td>
                  <td title={one.fileName}>{one.fileName}</td>
                  <td className="is-right num">{formatInteger(one.rows)}</td>
                  <td>
                    <Person name={one.by} />
                  </td>
                  <td>
                    <When at={one.at} />
                  </td>
                  <td>
                    {one.state === 'posted' && (
                      <button type="button" className="link" onClick={() => setBatch(one)}>
                        撤销
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data?.length === 0 && <div className="line-table-none">还没有导入过采购成本</div>}
        </div>
      )}
      <ReverseDialog batch={batch} onClose={() => setBatch(undefined)} />
    </DetailDrawer>
  );
}
