import { LockOutlined } from '@ant-design/icons';

/** Not allowed: what is missing and whom to ask. */
export function NoPermission({ code }: { code?: string | undefined }) {
  return (
    <div className="state">
      <LockOutlined className="state-icon" />
      <h2>没有查看权限</h2>
      <p>请联系公司管理员在「角色权限」中开通{code ? '：' : '。'}</p>
      {code && <span className="code text3">{code}</span>}
    </div>
  );
}
