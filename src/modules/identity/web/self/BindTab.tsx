import { PlusOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type BoundAccount, findBindList, unbindAccount } from '../../contract/bind.ts';
import { BindDialog } from '../bind/BindDialog.tsx';

/** Accounts of the same person, and the way to part them. */
export function BindTab() {
  const list = useCall(findBindList, {});
  const [adding, setAdding] = useState(false);
  const { modal } = App.useApp();
  const unbind = useSend(unbindAccount, {
    refreshes: [findBindList],
    onSuccess: () => notice.success('账号已解绑'),
  });
  const ask = (account: BoundAccount) =>
    modal.confirm({
      title: `解绑「${account.companyname}」的账号？`,
      content: account.isactive ? '解绑后，其他账号不能再切换到当前账号。' : '解绑后须使用密码登录该账号。',
      okText: '解绑',
      okButtonProps: { danger: true },
      onOk: () => unbind.mutateAsync({ body: { id: account.id } }).catch(() => {}),
    });
  const accounts = list.data ?? [];
  return (
    <div className="self-list">
      <div className="self-list-head">
        <p className="text2">绑定后可在右上角头像菜单中一键切换账号，无需再次输入密码。</p>
        <Button size="small" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
          添加账号
        </Button>
      </div>
      {list.data && accounts.length === 0 ? (
        <div className="line-table-none">还没有绑定其它账号</div>
      ) : (
        <div className="line-table">
          <table>
            <thead>
              <tr>
                <th>公司名称</th>
                <th>用户账号</th>
                <th>用户名称</th>
                <th aria-label="操作" />
              </tr>
            </thead>
            <tbody>
              {accounts.map((account) => (
                <tr key={account.id}>
                  <td>
                    {account.companyname} {account.isactive && <span className="label">当前</span>}
                  </td>
                  <td>{account.account}</td>
                  <td>{account.name}</td>
                  <td className="is-right">
                    <button type="button" className="link" onClick={() => ask(account)}>
                      解绑
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <BindDialog open={adding} onClose={() => setAdding(false)} onBound={() => void list.refetch()} />
    </div>
  );
}
