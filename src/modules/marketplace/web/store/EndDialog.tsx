import { Input, Modal } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type AccountRow, bindSeller, deleteSeller, disableSeller } from '../../contract/stores.ts';

const WORDS = {
  disable: { verb: '停用', done: '已停用', ok: '停用店铺授权' },
  unbind: { verb: '解绑', done: '已解绑', ok: '解绑店铺' },
} as const;

interface Props {
  act: keyof typeof WORDS;
  account: AccountRow;
  onClose: () => void;
}

/** 停用 and 解绑: says what will happen; the seller id is typed again, so that nobody ends a store by a slip. */
export function EndDialog({ act, account, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const words = WORDS[act];
  const after = {
    refreshes: [bindSeller],
    onSuccess: () => {
      notice.success(`${account.gname} ${words.done}`);
      onClose();
    },
  };
  const disable = useSend(disableSeller, after);
  const unbind = useSend(deleteSeller, after);
  const input = { authid: account.authid, sellerid: typed.trim() };
  const sites = account.countrysList.length;
  return (
    <Modal
      open
      width={480}
      title={`${words.verb} ${account.gname}`}
      okText={words.ok}
      cancelText="取消"
      okButtonProps={{ danger: true, disabled: typed.trim() !== account.sellerid }}
      confirmLoading={disable.isPending || unbind.isPending}
      onCancel={onClose}
      onOk={() => (act === 'disable' ? disable.mutate({ query: input }) : unbind.mutate({ body: input }))}
    >
      <div className="dialog-form">
        <p className="note is-warning">
          <span>
            {act === 'disable'
              ? `停用后 ${sites} 个站点不再同步；已入库的数据保留，重新授权后补齐空缺。`
              : '解绑后令牌立即销毁，买家隐私立即清除，不能恢复；业务数据保留。'}
          </span>
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
