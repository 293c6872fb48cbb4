import { Button, Switch } from 'antd';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Copy, Country, State, When } from '#kit/web/cells/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { marketplaceOf } from '../../contract/marketplaces.ts';
import { ReportStatus, reportTasks } from '../../contract/report-tasks.ts';
import { type AccountRow, AccountStatus, bindSeller, changeSite } from '../../contract/stores.ts';
import { daysLeft } from './columns.tsx';
import { inSiteOrder, isLive, isNew } from './health.ts';
import { ReportForm } from './ReportForm.tsx';

const LIVE = 2_000;
const CALM = 30_000;
const NEWEST = 50;

function expiryText(at: string | null): string {
  if (!at) return '—';
  const days = daysLeft(at);
  return `${at.slice(0, 10)}（${days < 0 ? `已过期 ${-days} 天` : `剩 ${days} 天`}）`;
}

interface InfoProps {
  account: AccountRow;
  onDisable: () => void;
  onUnbind: () => void;
}

/** 授权信息, with the dangerous act last. */
export function InfoTab({ account, onDisable, onUnbind }: InfoProps) {
  return (
    <>
      <dl className="account-facts">
        <dt>店铺账号</dt>
        <dd>{account.gname}</dd>
        <dt>卖家ID</dt>
        <dd className="code">
          {account.sellerid} <Copy text={account.sellerid} label="复制卖家ID" />
        </dd>
        <dt>区域</dt>
        <dd>{account.regionname}</dd>
        <dt>店铺授权</dt>
        <dd>
          <State value={account.status} states={AccountStatus.meta()?.states} />
        </dd>
        <dt>授权日期</dt>
        <dd className="num">{account.time?.slice(0, 10) ?? '—'}</dd>
        <dt>过期日期</dt>
        <dd className="num">{expiryText(account.expireTime)}</dd>
        <dt>最近同步</dt>
        <dd>
          <When at={account.lastSyncAt} />
        </dd>
        {account.problem && (
          <>
            <dt>异常原因</dt>
            <dd className="danger">{account.problem}</dd>
          </>
        )}
      </dl>
      {account.status !== 'disabled' && (
        <Allowed code="amz:store:delete">
          <div className="account-section">
            <h3>停用</h3>
            <p className="text2" style={{ marginBottom: 8 }}>
              停用后不再同步该账号的任何数据，已入库的数据保留；重新授权后恢复并补齐空缺。
            </p>
            <Button danger onClick={onDisable}>
              停用店铺授权
            </Button>
          </div>
        </Allowed>
      )}
      {account.status === 'disabled' && (
        <Allowed code="amz:store:delete">
          <div className="account-section">
            <h3>解绑</h3>
            <p className="text2" style={{ marginBottom: 8 }}>
              停用满 30 天后，公司主账号可以解绑：令牌立即销毁，买家隐私立即清除，业务数据保留。
            </p>
            <Button danger onClick={onUnbind}>
              解绑店铺
            </Button>
          </div>
        </Allowed>
      )}
    </>
  );
}

/** 站点: every marketplace of the account; what is off is neither read nor offered. */
export function SitesTab({ account }: { account: AccountRow }) {
  const mayEdit = useAllowed('amz:store:edit');
  const send = useSend(changeSite, { refreshes: [bindSeller] });
  const change = (marketplaceid: string, on: boolean) =>
    send.mutate({ query: { authid: account.authid, marketplaceid, enabled: on ? '1' : '0' } });
  if (account.countrysList.length === 0) return <p className="text3">还没有读到站点</p>;
  return (
    <table className="account-table">
      <thead>
        <tr>
          <th>站点</th>
          <th>站点编号</th>
          <th>币种</th>
          <th className="right">启用</th>
        </tr>
      </thead>
      <tbody>
        {inSiteOrder(account.countrysList).map((site) => {
          const known = marketplaceOf(site.marketplaceId);
          return (
            <tr key={site.marketplaceId} title={known ? `时区 ${known.timeZone}` : undefined}>
              <td>
                {known?.name ?? site.country} <Country code={site.country} off={!site.enabled} />
              </td>
              <td className="code">{site.marketplaceId}</td>
              <td>{known?.currency ?? '—'}</td>
              <td className="right">
                <Switch
                  size="small"
                  aria-label={`${known?.name ?? site.country} 启用`}
                  checked={site.enabled}
                  disabled={!mayEdit}
                  loading={send.isPending && send.variables?.query.marketplaceid === site.marketplaceId}
                  onChange={(on) => change(site.marketplaceId, on)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** 报表任务: reports asked for or found, newest first. */
export function TasksTab({ account }: { account: AccountRow }) {
  const body = { currentpage: 1, pagesize: NEWEST, filter: { authid: [account.authid] } };
  const { data, error, refetch } = useCall(
    reportTasks,
    { body },
    { every: isNew(account) ? LIVE : CALM, staleTime: 0, keep: true },
  );
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const form = isLive(account) && (
    <Allowed code="amz:report:run">
      <ReportForm account={account} />
    </Allowed>
  );
  if (data.records.length === 0) {
    return (
      <>
        {form}
        <p className="text3">还没有报表任务</p>
      </>
    );
  }
  return (
    <>
      {form}
      <table className="account-table">
        <thead>
          <tr>
            <th>报表</th>
            <th>区间</th>
            <th>状态</th>
            <th className="right">行数</th>
          </tr>
        </thead>
        <tbody>
          {data.records.map((task) => (
            <tr key={task.id} title={`${task.reportType}${task.error ? `：${task.error}` : ''}`}>
              <td>{task.title}</td>
              <td className="num">
                {task.dataFrom && task.dataTo ? `${task.dataFrom.slice(5, 10)} 至 ${task.dataTo.slice(5, 10)}` : '—'}
              </td>
              <td>
                <State value={task.status} states={ReportStatus.meta()?.states} reason={task.error ?? undefined} />
              </td>
              <td className="right num">{formatInteger(task.rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.total > NEWEST && <p className="text3">只显示最近 {NEWEST} 个</p>}
    </>
  );
}
