import { LinkOutlined, PlusOutlined, SearchOutlined, SettingOutlined } from '@ant-design/icons';
import { Button, Input, Select } from 'antd';
import { type ComponentProps, useMemo, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { ColumnsDrawer } from '#kit/web/grid/ColumnsDrawer.tsx';
import { DataGrid } from '#kit/web/grid/index.ts';
import { useColumns } from '#kit/web/grid/use-columns.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { usePermissions } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { REGION_NAMES } from '../../contract/marketplaces.ts';
import { type AccountRow, AccountStatus, bindSeller } from '../../contract/stores.ts';
import { AccountDrawer } from '../store/AccountDrawer.tsx';
import { AdsDialog } from '../store/AdsDialog.tsx';
import { AuthoriseDialog, type ConsentTarget } from '../store/AuthoriseDialog.tsx';
import { accountColumns } from '../store/columns.tsx';
import { EndDialog } from '../store/EndDialog.tsx';
import { accountsOf, countsOf, isNew } from '../store/health.ts';
import { RenewDialog } from '../store/RenewDialog.tsx';
import { SortDialog } from '../store/SortDialog.tsx';
import { StoreDialog } from '../store/StoreDialog.tsx';
import { StoreEdit } from '../store/StoreEdit.tsx';
import { StoreMenu } from '../store/StoreMenu.tsx';
import { StoreRail } from '../store/StoreRail.tsx';
import '../store/store.css';

const LIVE = 3_000;
const CALM = 60_000;

function Counts({ accounts }: { accounts: readonly AccountRow[] }) {
  const counts = countsOf(accounts);
  const parts: [number, string, string][] = [
    [counts.all, '授权账号', ''],
    [counts.good, '正常', 'success'],
    [counts.expiring, '30 天内到期', 'warning'],
    [counts.trouble, '失效或过期', 'danger'],
    [counts.disabled, '停用', ''],
    [counts.manual, '手工', ''],
  ];
  return (
    <div className="stores-counts">
      {parts
        .filter(([count, title]) => title !== '手工' || count > 0)
        .map(([count, title, tone]) => (
          <span key={title} className={count > 0 ? tone : ''}>
            <b className="num">{count}</b>
            {title}
          </span>
        ))}
    </div>
  );
}

interface Filter {
  store?: string | undefined;
  region?: string | undefined;
  status?: string | undefined;
  word: string;
}

function fits(account: AccountRow, filter: Filter): boolean {
  const word = filter.word.trim().toLowerCase();
  return (
    (filter.store === undefined || account.storeId === filter.store) &&
    (filter.region === undefined || account.region === filter.region) &&
    (filter.status === undefined || account.status === filter.status) &&
    (word === '' || `${account.gname} ${account.sellerid}`.toLowerCase().includes(word))
  );
}

interface FiltersProps {
  filter: Filter;
  onChange: (filter: Filter) => void;
  /** Name of the arrangement of columns in use. */
  columns: string;
  onColumns: () => void;
}

function Filters({ filter, onChange, columns, onColumns }: FiltersProps) {
  const states = Object.entries(AccountStatus.meta()?.states ?? {}).filter(
    ([key]) => !['none', 'deleted'].includes(key),
  );
  const label = (text: string) => <span className="filter-label">{text}</span>;
  return (
    <div className="filter-bar">
      <Select
        size="small"
        style={{ width: 120 }}
        prefix={label('区域')}
        placeholder="全部"
        aria-label="区域"
        allowClear
        options={Object.entries(REGION_NAMES).map(([value, title]) => ({ value, label: title }))}
        onChange={(region) => onChange({ ...filter, region })}
      />
      <Select
        size="small"
        style={{ width: 170 }}
        prefix={label('店铺授权')}
        placeholder="全部"
        aria-label="店铺授权"
        allowClear
        options={states.map(([value, { title }]) => ({ value, label: title }))}
        onChange={(status) => onChange({ ...filter, status })}
      />
      <Input
        size="small"
        style={{ width: 230 }}
        prefix={<SearchOutlined className="text3" />}
        placeholder="店铺名、卖家 ID"
        aria-label="店铺名、卖家 ID"
        allowClear
        value={filter.word}
        onChange={(event) => onChange({ ...filter, word: event.target.value })}
      />
      <span className="spring" />
      <button type="button" className="tool" onClick={onColumns}>
        <SettingOutlined />
        列设置 · {columns}
      </button>
    </div>
  );
}

/** A new consent would help these. */
const RENEWABLE: readonly AccountRow['status'][] = ['expiring', 'expired', 'revoked'];

/** What stands over the page: nothing, one of the dialogs. */
type Dialog =
  | { kind: 'store' | 'sort' }
  | { kind: 'edit'; store: ComponentProps<typeof StoreEdit>['store'] }
  | { kind: 'consent'; target: ConsentTarget }
  | { kind: 'ads'; account?: AccountRow }
  | { kind: 'renew'; authids: readonly string[] }
  | { kind: 'disable' | 'unbind'; account: AccountRow };

/** 店铺管理: the company's stores, their seller accounts, how their synchronisation goes, and their consents. */
export default function StoreAuth() {
  const { active } = useTab();
  const permissions = usePermissions();
  const [filter, setFilter] = useState<Filter>({ word: '' });
  const [opened, setOpened] = useState<string>();
  const [dialog, setDialog] = useState<Dialog>();
  const { data, error, refetch } = useCall(bindSeller, {}, { every: active ? CALM : false, staleTime: 0 });
  const stores = data?.stores ?? [];
  const accounts = accountsOf(stores);
  // While a first synchronisation runs the times of the accounts are followed closely.
  useCall(bindSeller, {}, { every: LIVE, enabled: active && accounts.some((account) => isNew(account)) });
  const columns = useMemo(() => accountColumns(permissions), [permissions]);
  const arranged = useColumns('marketplace/accounts', columns);
  const [arranging, setArranging] = useState(false);
  const rows = data && accounts.filter((account) => fits(account, filter));
  const current = accounts.find((account) => account.authid === opened);
  const consent = (target: ConsentTarget = { storeId: filter.store }) => setDialog({ kind: 'consent', target });
  const close = () => setDialog(undefined);

  const overlay = () => {
    if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!rows || rows.length > 0) return null;
    if (accounts.length > 0) return <Empty title="没有符合条件的账号" />;
    return (
      <Empty
        title="还没有授权的店铺"
        text="授权后自动同步订单、库存、商品与结算。"
        steps={[
          {
            title: '新增店铺',
            done: stores.length > 0,
            action: { label: '新增店铺', onClick: () => setDialog({ kind: 'store' }) },
          },
          { title: '授权亚马逊账号', action: { label: '店铺授权', onClick: () => consent() } },
        ]}
      />
    );
  };

  return (
    <div className="page-list">
      <ListHead title="店铺管理" tabs={data ? <Counts accounts={accounts} /> : null}>
        <StoreMenu
          stores={stores}
          chosen={filter.store}
          soon={rows?.filter((row) => RENEWABLE.includes(row.status)).map((row) => row.authid) ?? []}
          onDialog={setDialog}
          onGone={() => setFilter({ ...filter, store: undefined })}
        />
        <Allowed code="adv:store:authorize">
          <Button onClick={() => setDialog({ kind: 'ads' })}>广告授权</Button>
        </Allowed>
        <Allowed code="amz:store:edit">
          <Button icon={<PlusOutlined />} onClick={() => setDialog({ kind: 'store' })}>
            新增店铺
          </Button>
        </Allowed>
        <Allowed code="amz:store:authorize">
          <Button type="primary" icon={<LinkOutlined />} onClick={() => consent()}>
            店铺授权
          </Button>
        </Allowed>
      </ListHead>
      <div className="stores-body">
        <StoreRail stores={stores} value={filter.store} onChange={(store) => setFilter({ ...filter, store })} />
        <div className="stores-main">
          <Filters filter={filter} onChange={setFilter} columns={arranged.title} onColumns={() => setArranging(true)} />
          <DataGrid<AccountRow>
            columns={columns}
            layout={arranged.layout}
            onLayout={arranged.setLayout}
            rows={rows}
            rowId={(row) => row.authid}
            density="picture"
            onOpen={(row) => setOpened(row.authid)}
            current={opened}
            overlay={overlay()}
          />
        </div>
      </div>
      <ColumnsDrawer
        title="店铺管理"
        catalogue={columns}
        control={arranged}
        open={arranging}
        onClose={() => setArranging(false)}
      />
      <AccountDrawer
        account={active ? current : undefined}
        onClose={() => setOpened(undefined)}
        onRenew={(account) => consent({ account })}
        onDisable={(account) => setDialog({ kind: 'disable', account })}
        onUnbind={(account) => setDialog({ kind: 'unbind', account })}
        onAds={(account) => setDialog({ kind: 'ads', account })}
      />
      {dialog?.kind === 'store' && (
        <StoreDialog onClose={close} onDone={(storeId, manual) => (manual ? close() : consent({ storeId }))} />
      )}
      {dialog?.kind === 'consent' && (
        <AuthoriseDialog
          key={dialog.target.storeId ?? dialog.target.account?.authid ?? ''}
          target={dialog.target}
          stores={stores}
          onClose={close}
          onNewStore={() => setDialog({ kind: 'store' })}
        />
      )}
      {dialog?.kind === 'ads' && <AdsDialog account={dialog.account} stores={stores} onClose={close} />}
      {dialog?.kind === 'renew' && <RenewDialog authids={dialog.authids} onClose={close} />}
      {dialog?.kind === 'sort' && <SortDialog stores={stores} onClose={close} />}
      {dialog?.kind === 'edit' && <StoreEdit store={dialog.store} onClose={close} />}
      {(dialog?.kind === 'disable' || dialog?.kind === 'unbind') && (
        <EndDialog act={dialog.kind} account={dialog.account} onClose={close} />
      )}
    </div>
  );
}
