import { LinkOutlined, SyncOutlined } from '@ant-design/icons';
import { Button, Drawer, Tabs } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useSend } from '#kit/web/api/index.ts';
import { State } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type AccountRow, AccountStatus, bindSeller, refreshMarkets } from '../../contract/stores.ts';
import { accountHealth, syncNow } from '../../contract/sync.ts';
import { InfoTab, SitesTab, TasksTab } from './AccountTabs.tsx';
import { HealthTab } from './HealthTab.tsx';
import { isLive } from './health.ts';

interface Props {
  account: AccountRow | undefined;
  onClose: () => void;
  onRenew: (account: AccountRow) => void;
  onDisable: (account: AccountRow) => void;
}

function Foot({ account, onRenew }: { account: AccountRow; onRenew: () => void }) {
  const sync = useSend(syncNow, {
    refreshes: [accountHealth, bindSeller],
    onSuccess: () => notice.success('已安排同步'),
  });
  const sites = useSend(refreshMarkets, {
    refreshes: [accountHealth, bindSeller],
    onSuccess: () => notice.success('正在读取站点'),
  });
  const live = isLive(account);
  const { authid } = account;
  return (
    <div className="drawer-foot">
      {live && (
        <Allowed code="amz:store:sync">
          <Button icon={<SyncOutlined />} loading={sync.isPending} onClick={() => sync.mutate({ body: { authid } })}>
            立即同步
          </Button>
          <Button loading={sites.isPending} onClick={() => sites.mutate({ query: { authid } })}>
            刷新站点
          </Button>
        </Allowed>
      )}
      <span className="spring" />
      <Allowed code="amz:store:authorize">
        <Button type="primary" icon={<LinkOutlined />} onClick={onRenew}>
          {account.status === 'manual' ? '授权' : '续期授权'}
        </Button>
      </Allowed>
    </div>
  );
}

/** Everything about one seller account, over the list; the next row can be opened while it stands. */
export function AccountDrawer({ account, onClose, onRenew, onDisable }: Props) {
  const [tab, setTab] = useState('health');
  return (
    <Drawer
      className="account-drawer"
      size={452}
      mask={false}
      closable={{ placement: 'end' }}
      open={account !== undefined}
      onClose={onClose}
      title={
        account && (
          <>
            {account.gname} <State value={account.status} states={AccountStatus.meta()?.states} />
          </>
        )
      }
      footer={account && <Foot key={account.authid} account={account} onRenew={() => onRenew(account)} />}
    >
      {account && (
        <Tabs
          activeKey={tab}
          onChange={setTab}
          destroyOnHidden
          items={[
            { key: 'health', label: '同步健康', children: <HealthTab account={account} /> },
            {
              key: 'info',
              label: '授权信息',
              children: <InfoTab account={account} onDisable={() => onDisable(account)} />,
            },
            { key: 'sites', label: '站点', children: <SitesTab account={account} /> },
            { key: 'tasks', label: '报表任务', children: <TasksTab account={account} /> },
          ]}
        />
      )}
    </Drawer>
  );
}
