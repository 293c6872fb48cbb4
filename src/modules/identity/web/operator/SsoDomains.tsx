import { Button, Input, Tag } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { addSsoDomain, removeSsoDomain, type SsoDomain, ssoDomains } from '../../contract/sso.ts';

function Given({ domain }: { domain: SsoDomain }) {
  const mayRemove = useAllowed('sys:sso:delete');
  const remove = useSend(removeSsoDomain, {
    refreshes: [ssoDomains],
    onSuccess: () => notice.success(`${domain.domain} 已移除`),
  });
  return (
    <Tag
      closable={mayRemove}
      onClose={(event) => {
        // It goes once the server has taken it away.
        event.preventDefault();
        remove.mutate({ params: { id: domain.id } });
      }}
    >
      {domain.domain}
      {domain.role ? ` · ${domain.role}` : ' · 无角色'}
    </Tag>
  );
}

function NewDomain({ companyId }: { companyId: string }) {
  const [domain, setDomain] = useState('');
  const [role, setRole] = useState('');
  const add = useSend(addSsoDomain, {
    refreshes: [ssoDomains],
    onSuccess: () => {
      notice.success('邮箱域名已添加');
      setDomain('');
      setRole('');
    },
  });
  const submit = () =>
    add.mutate({ body: { domain, companyId, ...(role.trim() === '' ? {} : { role: role.trim() }) } });
  return (
    <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr auto', gap: 8, marginTop: 8 }}>
      <Input
        aria-label="邮箱域名"
        placeholder="如 example.com"
        maxLength={253}
        value={domain}
        onChange={(event) => setDomain(event.target.value)}
      />
      <Input
        aria-label="默认角色名称"
        placeholder="默认角色名称（可不填）"
        maxLength={100}
        value={role}
        onChange={(event) => setRole(event.target.value)}
      />
      <Button disabled={domain.trim() === ''} loading={add.isPending} onClick={submit}>
        添加
      </Button>
    </div>
  );
}

/** Mail domains whose people come to this company by single sign-on; they count at once, without saving the drawer. */
export function SsoDomains({ companyId }: { companyId: string }) {
  const mayView = useAllowed('sys:sso:view');
  const mayAdd = useAllowed('sys:sso:add');
  const { data } = useCall(ssoDomains, {}, { enabled: mayView });
  if (!mayView) return null;
  const own = (data ?? []).filter((each) => each.companyId === companyId);
  return (
    <div className="drawer-section">
      <div className="field-label">单点登录邮箱域名</div>
      <p className="text3" style={{ margin: '4px 0 8px' }}>
        来自这些域名的邮箱首次单点登录时归入该公司，添加与移除立即生效。
      </p>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 6 }}>
        {own.map((each) => (
          <Given key={each.id} domain={each} />
        ))}
        {own.length === 0 && <span className="text3">暂无</span>}
      </div>
      {mayAdd && <NewDomain companyId={companyId} />}
    </div>
  );
}
