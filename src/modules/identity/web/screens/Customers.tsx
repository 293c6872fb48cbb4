import '../organisation/organisation.css';
import { Input, Modal } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import {
  CustomerFilter,
  CustomerRow,
  countCustomers,
  listCustomers,
  resumeCustomer,
  suspendCustomer,
} from '../../contract/operator.ts';
import { CustomerDrawer } from '../operator/CustomerDrawer.tsx';

const LISTS = [listCustomers, countCustomers];

/** Asks why before a whole company is locked out. */
function SuspendDialog({ row, onClose }: { row: CustomerRow | undefined; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const close = () => {
    setReason('');
    onClose();
  };
  const suspend = useSend(suspendCustomer, {
    refreshes: LISTS,
    onSuccess: () => {
      notice.success(`${row?.name ?? ''} 已停用`);
      close();
    },
  });
  return (
    <Modal
      title={`停用客户 ${row?.name ?? ''}`}
      open={row !== undefined}
      okText="停用"
      okButtonProps={{ danger: true, disabled: reason.trim() === '' }}
      confirmLoading={suspend.isPending}
      onOk={() => row && suspend.mutate({ params: { id: row.id }, body: { reason } })}
      onCancel={close}
    >
      <p>该公司的 {row?.users ?? 0} 个账号立即下线且不能登录，数据保留，可随时恢复。</p>
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

/** 客户 (operator): the companies on this product, how much they use, and their terms. */
export default function Customers() {
  const [opened, setOpened] = useState<CustomerRow>();
  const [suspending, setSuspending] = useState<CustomerRow>();
  const mayEdit = useAllowed('sys:customer:edit');
  const resume = useSend(resumeCustomer, { refreshes: LISTS, onSuccess: () => notice.success('已恢复') });
  const actions = (row: CustomerRow): RowAction[] => [
    { label: mayEdit ? '编辑' : '查看', onClick: () => setOpened(row) },
    ...(mayEdit && row.state === 'suspended'
      ? [{ label: '恢复', onClick: () => resume.mutate({ params: { id: row.id } }) }]
      : []),
    ...(mayEdit && (row.state === 'active' || row.state === 'expired')
      ? [{ label: '停用', danger: true, onClick: () => setSuspending(row) }]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="identity/customers"
        title="客户"
        unit="家公司"
        endpoint={listCustomers}
        row={CustomerRow}
        filter={CustomerFilter}
        tabs={{ field: 'state', counts: countCustomers }}
        density="two"
        actions={actions}
        onOpen={setOpened}
        current={opened?.id}
      />
      <CustomerDrawer row={opened} onClose={() => setOpened(undefined)} />
      <SuspendDialog row={suspending} onClose={() => setSuspending(undefined)} />
    </>
  );
}
