import { LinkOutlined, SyncOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { State } from '#kit/web/cells/index.ts';
import { ObjectDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { type AccountRow, AccountStatus, bindSeller, refreshMarkets } from '../../contract/stores.ts';
import { accountHealth, syncNow } from '../../contract/sync.ts';
import { InfoTab, SitesTab, TasksTab } from './AccountTabs.tsx';
import { AdsTab } from './AdsTab.tsx';
import { HealthTab } from './HealthTab.tsx';
import { isLive } from './health.ts';

const TABS = [
  { key: 'health', title: '同步健康' },
  { key: 'info', title: '授权信息' },
  { key: 'sites', title: '站点' },
  { key: 'ads', title: '广告' },
  { key: 'tasks', title: '报表任务' },
];

interface Props {
  account: AccountRow | undefined;
  onClose: () => void;
  onRenew: (account: AccountRow) => void;
  onDisable: (account: AccountRow) => void;
  onUnbind: (account: AccountRow) => void;
  onAds: (account: AccountRow) => void;
}

function SyncButtons({ account }: { account: AccountRow }) {
  const sync = useSend(syncNow, {
    refreshes: [accountHealth, bindSeller],
    onSuccess: () => notice.success('已安排同步'),
  });
  const sites = useSend(refreshMarkets, {
    refreshes: [accountHealth, bindSeller],
    onSuccess: () => notice.success('正在读取站点'),
  });
  const { authid } = account;
  if (!isLive(account)) return null;
  return (
    <Allowed code="amz:store:sync">
      <Button icon={<SyncOutlined />} loading={sync.isPending} onClick={() => sync.mutate({ body: { authid } })}>
        立即同步
      </Button>
      <Button loading={sites.isPending} onClick={() => sites.mutate({ query: { authid } })}>
        刷新站点
      </Button>
    </Allowed>
  );
}

type ContentProps = Omit<Props, 'account' | 'onClose' | 'onRenew'> & { account: AccountRow; tab: string };

function Content({ account, tab, onDisable, onUnbind, onAds }: ContentProps) {
  if (tab === 'info') {
    return <InfoTab account={account} onDisable={() => onDisable(account)} onUnbind={() => onUnbind(account)} />;
  }
  if (tab === 'sites') return <SitesTab account={account} />;
  if (tab === 'ads') return <AdsTab account={account} onAuthorise={() => onAds(account)} />;
  if (tab === 'tasks') return <TasksTab account={account} />;
  return <HealthTab account={account} />;
}

/** Everything about one seller account, over the list; the next row can be opened while it stands. */
export function AccountDrawer({ account, onClose, onRenew, ...acts }: Props) {
  const [tab, setTab] = useState('health');
  return (
    <ObjectDrawer
      open={account !== undefined}
      onClose={onClose}
      title={
        account && (
          <>
            {account.gname} <State value={account.status} states={AccountStatus.meta()?.states} />
          </>
        )
      }
      subtitle={account?.sellerid}
      tabs={TABS}
      tab={tab}
      onTab={setTab}
      foot={account && <SyncButtons key={account.authid} account={account} />}
      actions={
        account && (
          <Allowed code="amz:store:authorize">
            <Button type="primary" icon={<LinkOutlined />} onClick={() => onRenew(account)}>
              {account.status === 'manual' ? '授权' : '续期授权'}
            </Button>
          </Allowed>
        )
      }
    >
      {account && (
        <div className="drawer-pad">
          <Content key={account.authid} account={account} tab={tab} {...acts} />
        </div>
      )}
    </ObjectDrawer>
  );
}
