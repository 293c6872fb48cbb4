import { Skeleton } from 'antd';
import { type ReactNode, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { userDetail } from '../../contract/self.ts';
import { wechatBound } from '../../contract/wechat.ts';
import { BindTab } from '../self/BindTab.tsx';
import { CloseTab } from '../self/CloseTab.tsx';
import { Head } from '../self/Head.tsx';
import { SafetyTab } from '../self/SafetyTab.tsx';
import { SubscriptionTab } from '../self/SubscriptionTab.tsx';
import type { Detail } from '../self/types.ts';
import { WechatTab } from '../self/WechatTab.tsx';
import '../self/usercenter.css';

interface Tab {
  key: string;
  title: string;
  content: (user: Detail) => ReactNode;
}

const TABS: readonly Tab[] = [
  { key: 'safety', title: '账号安全', content: (user) => <SafetyTab user={user} /> },
  { key: 'wechat', title: '微信绑定', content: (user) => <WechatTab user={user} /> },
  { key: 'bind', title: '账号解绑', content: () => <BindTab /> },
  { key: 'subscription', title: '消息订阅', content: () => <SubscriptionTab /> },
  { key: 'close', title: '账号注销', content: (user) => <CloseTab user={user} /> },
];

function tabOf(address: string): string {
  return new URLSearchParams(address.split('?')[1] ?? '').get('tab') ?? 'safety';
}

/** /usercenter: the owner's own data, security and bindings. */
export default function UserCenter() {
  const { address } = useTab();
  const [active, setActive] = useState(() => tabOf(address));
  const detail = useCall(userDetail, {});
  const { data: wechat } = useCall(wechatBound, {});
  const user = detail.data;
  if (detail.isError) return <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />;
  const tabs = TABS.filter((tab) => tab.key !== 'wechat' || wechat?.available);
  const shown = tabs.find((tab) => tab.key === active) ?? tabs[0];
  return (
    <div className="self-page">
      {user ? <Head user={user} /> : <Skeleton className="self-head" avatar active paragraph={{ rows: 1 }} />}
      <div className="self-tabs" role="tablist" aria-label="个人中心">
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            className="self-tab"
            aria-selected={tab === shown}
            onClick={() => setActive(tab.key)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div className="self-body" role="tabpanel" aria-label={shown?.title}>
        {user && shown?.content(user)}
      </div>
    </div>
  );
}
