import { Checkbox } from 'antd';
import { Fragment } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { CHANNELS, type Channel, saveSubscription, subscriptions } from '../../contract/self.ts';

/** Channels by which something is delivered; a tick that nobody acts on would be a broken promise. */
const DELIVERED: readonly Channel[] = ['site', 'email', 'sms'];
const ALL = DELIVERED.map((channel) => [channel, CHANNELS[channel]] as const);

/** Which events reach the owner by which channels. */
export function SubscriptionTab() {
  const { data } = useCall(subscriptions, {});
  const save = useSend(saveSubscription, { refreshes: [subscriptions] });
  const groups = [...new Set((data ?? []).map((row) => row.group))];
  return (
    <div className="line-table self-subscriptions">
      <table>
        <thead>
          <tr>
            <th>消息</th>
            {ALL.map(([channel, title]) => (
              <th key={channel} className="is-centre">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group}>
              <tr className="self-group">
                <td colSpan={ALL.length + 1}>{group}</td>
              </tr>
              {(data ?? [])
                .filter((row) => row.group === group)
                .map((row) => (
                  <tr key={row.event}>
                    <td>{row.title}</td>
                    {ALL.map(([channel, title]) => (
                      <td key={channel} className="is-centre">
                        <Checkbox
                          aria-label={`${row.title}：${title}`}
                          checked={row.channels[channel]}
                          onChange={(event) =>
                            save.mutate({ body: { event: row.event, channel, wanted: event.target.checked } })
                          }
                        />
                      </td>
                    ))}
                  </tr>
                ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}
