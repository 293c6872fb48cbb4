import { Input, Modal } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type AccountRow, bindSeller, disableSeller } from '../../contract/stores.ts';

/** 停用店铺授权: says what will happen; the seller id is typed again, so that nobody stops a store by a slip. */
export function DisableDialog({ account, onClose }: { account: AccountRow; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const send = useSend(disableSeller, {
    refreshes: [bindSeller],
    onSuccess: () => {
      notice.success(`${account.gname} 已停用`);
      onClose();
    },
  });
  return (
    <Modal
      open
      width={480}
      title={`停用 ${account.gname}`}
      okText="停用店铺授权"
      cancelText="取消"
      okButtonProps={{ danger: true, disabled: typed.trim() !== account.sellerid }}
      confirmLoading={send.isPending}
      onCancel={onClose}
      onOk={() => send.mutate({ query: { authid: account.authid, sellerid: typed.trim() } })}
    >
      <div className="dialog-form">
        <p className="note is-warning">
          <span>停用后 {account.countrysList.length} 个站点不再同步；已入库的数据保留，重新授权后补齐空缺。</span>
        </p>
        <div className="field">
          <span>
            请输入卖家ID <b className="code">{account.sellerid}</b> 以确认
          </span>
          <Input autoFocus aria-label="卖家ID" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </div>
      </div>
    </Modal>
  );
}
