import { Switch } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { REGION_NAMES } from '../../contract/marketplaces.ts';
import {
  listSubscriptions,
  NOTIFICATION_TYPES,
  type Subscription,
  subscribeTo,
  unsubscribeFrom,
} from '../../contract/notifications.ts';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** 订阅设置: what each seller account is told about, and what came of it. */
export function SubscriptionDrawer({ open, onClose }: Props) {
  const may = useAllowed('amz:notice:config');
  const { data = [] } = useCall(listSubscriptions, {}, { enabled: open, staleTime: 0 });
  const refreshes = [listSubscriptions];
  const begin = useSend(subscribeTo, { refreshes, onSuccess: () => notice.success('已订阅') });
  const end = useSend(unsubscribeFrom, { refreshes, onSuccess: () => notice.success('已取消订阅') });
  const busy = begin.isPending || end.isPending;
  const change = ({ authid, type }: Subscription, wanted: boolean) =>
    (wanted ? begin : end).mutate({ body: { authid, type } });
  return (
    <DetailDrawer open={open} onClose={onClose} title="订阅设置" subtitle="通知只让同步提前，不订阅也会按时同步">
      <div className="drawer-pad">
        {data.length === 0 && <p className="text3">还没有已授权的店铺</p>}
        {data.length > 0 && (
          <table className="account-table">
            <thead>
              <tr>
                <th>店铺账号</th>
                <th>类型</th>
                <th>订阅</th>
                <th>最近消息</th>
                <th className="right">24小时</th>
                <th className="right">失败</th>
              </tr>
            </thead>
            <tbody>
              {data.map((row) => (
                <tr key={`${row.authid} ${row.type}`}>
                  <td>
                    {row.store} · {REGION_NAMES[row.region]}
                  </td>
                  <td>{NOTIFICATION_TYPES[row.type]}</td>
                  <td>
                    <Switch
                      size="small"
                      checked={row.subscribedAt !== null}
                      disabled={!may || busy}
                      aria-label={`${row.store}${REGION_NAMES[row.region]} ${NOTIFICATION_TYPES[row.type]}`}
                      onChange={(wanted) => change(row, wanted)}
                    />
                  </td>
                  <td>{row.lastAt === null ? <span className="text3">—</span> : <When at={row.lastAt} />}</td>
                  <td className="right">{row.dayCount}</td>
                  <td className={row.failed > 0 ? 'right danger' : 'right'}>{row.failed}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </DetailDrawer>
  );
}
