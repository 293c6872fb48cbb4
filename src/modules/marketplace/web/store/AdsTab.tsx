import { Button, Popconfirm } from 'antd';
import { formatMoney } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Copy, Country, State } from '#kit/web/cells/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { type AdsProfileRow, AdsStatus, adsCapture, adsDisable, adsProfiles } from '../../contract/ads.ts';
import { type AccountRow, bindSeller } from '../../contract/stores.ts';

/** Amazon's way to say "no limit". */
const NO_LIMIT = 100_000_000;

function budgetText(row: AdsProfileRow): string {
  if (row.dailyBudget === null || Number(row.dailyBudget) >= NO_LIMIT) return '不限';
  return formatMoney(row.dailyBudget, row.currency);
}

function Profiles({ rows }: { rows: readonly AdsProfileRow[] }) {
  return (
    <table className="account-table">
      <thead>
        <tr>
          <th>国家</th>
          <th>Profile ID</th>
          <th>关联卖家</th>
          <th className="right">每日预算</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.profileId} title={`${row.name} · ${row.timeZone}${row.active ? '' : ' · 未使用'}`}>
            <td>
              <Country code={row.country} off={!row.active} />
            </td>
            <td className="code">
              {row.profileId} <Copy text={row.profileId} label="复制 Profile ID" />
            </td>
            <td className="code">{row.linked ?? <span className="text3">未关联</span>}</td>
            <td className="right num">{budgetText(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** 广告: the consent of the store's region, the profiles that it shows, and its end. */
export function AdsTab({ account, onAuthorise }: { account: AccountRow; onAuthorise: () => void }) {
  const { advid } = account;
  const { data, error, refetch } = useCall(
    adsProfiles,
    { query: advid ? { id: advid } : {} },
    { enabled: advid !== null },
  );
  const capture = useSend(adsCapture, {
    refreshes: [adsProfiles],
    onSuccess: ({ profiles, foreign }) => {
      const rest = foreign > 0 ? `，${foreign} 个属于其他公司未绑定` : '';
      notice.success(`已获取 ${profiles.length} 个广告配置${rest}`);
    },
  });
  const disable = useSend(adsDisable, {
    refreshes: [adsProfiles, bindSeller],
    onSuccess: () => notice.success('广告授权已停用'),
  });
  const works = account.adStatus === 'active';
  return (
    <>
      <dl className="account-facts">
        <dt>广告授权</dt>
        <dd>
          <State value={account.adStatus} states={AdsStatus.meta()?.states} />
        </dd>
        <dt>授权日期</dt>
        <dd className="num">{account.advtime?.slice(0, 10) ?? '—'}</dd>
      </dl>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && data.length > 0 && <Profiles rows={data} />}
      <div className="account-section account-actions">
        <Allowed code="adv:store:authorize">
          <Button type={works ? 'default' : 'primary'} onClick={onAuthorise}>
            {works ? '重新授权' : '广告授权'}
          </Button>
        </Allowed>
        {works && advid && (
          <>
            <Allowed code="adv:store:sync">
              <Button loading={capture.isPending} onClick={() => capture.mutate({ query: { id: advid } })}>
                重新获取配置
              </Button>
            </Allowed>
            <Allowed code="adv:store:delete">
              <Popconfirm
                title="停用后不再同步广告数据，已有数据保留。"
                okText="停用广告授权"
                cancelText="取消"
                okButtonProps={{ danger: true }}
                onConfirm={() => disable.mutate({ query: { id: advid } })}
              >
                <Button danger>停用广告授权</Button>
              </Popconfirm>
            </Allowed>
          </>
        )}
      </div>
    </>
  );
}
