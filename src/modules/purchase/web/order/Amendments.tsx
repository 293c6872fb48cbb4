import { Button, Space } from 'antd';
import { useState } from 'react';
import { call, useCall } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { AmendmentRow, type AmendmentStep, amendmentSteps, orderAmendments } from '../../contract/amend.ts';
import { AMEND, APPROVE } from '../../contract/fields.ts';
import { refreshOrders } from '../choices.ts';

/** How an order was changed after it was placed, and the change that waits for approval. */
export function Amendments({ orderId }: { orderId: string }) {
  const { data } = useCall(orderAmendments, { params: { id: orderId } }, { staleTime: 0 });
  const mayDecide = useAllowed(APPROVE);
  const mayAmend = useAllowed(AMEND);
  const [refusing, setRefusing] = useState(false);
  const waiting = data?.find((row) => row.state === 'pending');
  const decide = async (name: AmendmentStep, reason?: string) => {
    if (!waiting) return;
    const body = { id: waiting.id, ...(reason ? { reason } : {}) };
    const done = await call(amendmentSteps[name], { body }, { quiet: reason !== undefined });
    notice.success(done.message);
    await refreshOrders();
  };
  return (
    <>
      <LineTable row={AmendmentRow} rows={data} label="变更" none="没有变更" />
      {waiting?.byFlow && (
        <p className="text2">{waiting.number} 在审批流程中，由审批人处理；申请人可在审批中心撤回。</p>
      )}
      {waiting && !waiting.byFlow && (mayDecide || mayAmend) && (
        <Space className="order-add">
          {mayDecide && (
            <Button type="primary" onClick={() => void decide('approve').catch(() => undefined)}>
              通过 {waiting.number}
            </Button>
          )}
          {mayDecide && <Button onClick={() => setRefusing(true)}>驳回</Button>}
          {mayAmend && <Button onClick={() => void decide('recall').catch(() => undefined)}>撤回</Button>}
        </Space>
      )}
      {refusing && waiting && (
        <ReasonDialog
          title={`驳回 ${waiting.number}`}
          okText="驳回"
          onSend={(reason) => decide('reject', reason)}
          onClose={() => setRefusing(false)}
        >
          采购单保持原样。
        </ReasonDialog>
      )}
    </>
  );
}
