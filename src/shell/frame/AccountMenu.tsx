import { DownOutlined, PlusOutlined } from '@ant-design/icons';
import { Dropdown, type MenuProps } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { call, queryClient, useCall } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { beginLeaving, currentSession, endSession } from '#kit/web/session.ts';
import { tabAddress } from '#kit/web/tabs/scope.ts';
import { findBindList } from '#modules/identity/contract/bind.ts';
import { cleanUserCache } from '#modules/identity/contract/menus.ts';
import { logout } from '#modules/identity/contract/session.ts';
import { userInfo } from '#modules/identity/contract/users.ts';
import { BindDialog, knownAuthServer, Portrait, useSwitch } from '#modules/identity/web/index.ts';
import { forgetTabs } from '../tabs.ts';
import { useFrame } from './frame-context.ts';
import { forgetPlaces } from './recent.ts';
import { useShellSettings } from './use-open-link.ts';

/** Who did not come in by a password leaves the auth server too: it would let him in again at once. */
async function leave(): Promise<void> {
  const server = currentSession()?.loginType === 'api' ? undefined : knownAuthServer();
  const stay = beginLeaving();
  try {
    await call(logout, {}, { quiet: true });
  } catch {
    if (!server) {
      stay();
      notice.error('退出失败');
      return;
    }
    // The auth server knows the session by the browser's cookie and ends it in any case.
  }
  forgetTabs();
  if (server) endSession(`${server}/logout`);
  else endSession('/login', '退出成功');
}

async function cleanCache(): Promise<void> {
  await call(cleanUserCache, {});
  forgetTabs();
  forgetPlaces();
  queryClient.clear();
  notice.success('缓存已清除');
  setTimeout(() => window.location.assign('/home'), 300);
}

type Items = NonNullable<MenuProps['items']>;

/** 切换账号: the accounts of the same person, and the way to add one. */
function useAccounts(open: boolean) {
  const { data, refetch } = useCall(findBindList, {}, { enabled: open });
  const [adding, setAdding] = useState(false);
  const { tabs } = useFrame();
  const { start, dialog: proof } = useSwitch(forgetTabs);
  const others = (data ?? []).filter((account) => !account.isactive);
  const items: Items = [
    ...others.map((account) => ({
      key: account.id,
      label: (
        <span className="frame-switch">
          <span className="ellipsis">{account.companyname}</span>
          <span className="ellipsis text3">
            {account.name} · {account.account}
          </span>
        </span>
      ),
      onClick: () => tabs.leave(() => void start(account)),
    })),
    ...(others.length > 0 ? [{ type: 'divider' as const }] : []),
    { key: 'add', label: '添加账号', icon: <PlusOutlined />, onClick: () => setAdding(true) },
  ];
  const dialog = (
    <>
      <BindDialog open={adding} onClose={() => setAdding(false)} onBound={() => void refetch()} />
      {proof}
    </>
  );
  return { items, dialog };
}

/** Who is logged in, and what concerns the account. */
export function AccountMenu() {
  const { data: user } = useCall(userInfo, {}, { staleTime: Number.POSITIVE_INFINITY });
  const [open, setOpen] = useState(false);
  const accounts = useAccounts(open);
  const navigate = useNavigate();
  const { tabs } = useFrame();
  const oldSystem = useShellSettings()?.oldSystem;
  const bySso = currentSession()?.loginType === 'sso';
  const name = user?.name ?? '';
  const items: Items = [
    { key: 'company', label: user?.company ?? '', disabled: true },
    { type: 'divider' },
    { key: 'self', label: '个人中心', onClick: () => void navigate(tabAddress('/usercenter', { title: '个人中心' })) },
    { key: 'switch', label: '切换账号', children: accounts.items },
    { key: 'cache', label: '清除缓存', onClick: () => tabs.leave(() => void cleanCache().catch(() => {})) },
    ...(bySso && oldSystem
      ? [{ key: 'old', label: '返回旧系统', onClick: () => tabs.leave(() => window.location.assign(oldSystem)) }]
      : []),
    { type: 'divider' },
    { key: 'logout', label: '退出登录', onClick: () => tabs.leave(() => void leave()) },
  ];
  return (
    <>
      <Dropdown
        // A pointer that crosses the edge of the list of accounts does not lose it at once.
        menu={{ items, subMenuCloseDelay: 0.4 }}
        trigger={['click']}
        placement="bottomRight"
        onOpenChange={setOpen}
      >
        <button type="button" className="frame-account" aria-label="账号">
          <Portrait image={user?.image ?? null} name={name} size={28} />
          <span className="frame-account-text">
            <span className="ellipsis">{name}</span>
            <span className="ellipsis text3">{user?.company}</span>
          </span>
          <DownOutlined className="text3" />
        </button>
      </Dropdown>
      {accounts.dialog}
    </>
  );
}
