import { DownOutlined } from '@ant-design/icons';
import { Dropdown, type MenuProps } from 'antd';
import { call, queryClient, useCall } from '#kit/web/api/index.ts';
import { Disc } from '#kit/web/cells/Person.tsx';
import { notice } from '#kit/web/notice.tsx';
import { currentSession, endSession } from '#kit/web/session.ts';
import { cleanUserCache } from '#modules/identity/contract/menus.ts';
import { logout } from '#modules/identity/contract/session.ts';
import { userInfo } from '#modules/identity/contract/users.ts';
import { forgetTabs } from '../tabs.ts';

async function leave(): Promise<void> {
  const session = currentSession();
  if (session && session.loginType !== 'api') {
    const server = localStorage.getItem('authserver') ?? '';
    forgetTabs();
    endSession(`${server}/logout`);
    return;
  }
  try {
    await call(logout, {}, { quiet: true });
    notice.success('退出成功');
    // The word stays readable for a moment.
    await new Promise((resolve) => setTimeout(resolve, 500));
  } catch {
    notice.error('退出失败');
    return;
  }
  forgetTabs();
  endSession('/login');
}

async function cleanCache(): Promise<void> {
  await call(cleanUserCache, {});
  forgetTabs();
  queryClient.clear();
  notice.success('缓存已清除');
  setTimeout(() => window.location.assign('/home'), 300);
}

/** Who is logged in, and what concerns the account. */
export function AccountMenu() {
  const { data: user } = useCall(userInfo, {}, { staleTime: Number.POSITIVE_INFINITY });
  const name = user?.name ?? '';
  const items: MenuProps['items'] = [
    { key: 'company', label: user?.company ?? '', disabled: true },
    { type: 'divider' },
    { key: 'cache', label: '清除缓存', onClick: () => void cleanCache().catch(() => {}) },
    { type: 'divider' },
    { key: 'logout', label: '退出登录', onClick: () => void leave() },
  ];
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <button type="button" className="frame-account" aria-label="账号">
        <Disc name={name} size={28} />
        <span className="frame-account-text">
          <span className="ellipsis">{name}</span>
          <span className="ellipsis text3">{user?.company}</span>
        </span>
        <DownOutlined className="text3" />
      </button>
    </Dropdown>
  );
}
