import { useCall } from '#kit/web/api/index.ts';
import { whenText } from '#kit/web/cells/index.ts';
import { Bars, Legend, LineTrend } from '#kit/web/charts/index.ts';
import { type FilterValue, ListChart, ListCharts } from '#kit/web/list/index.ts';
import { usageChart } from '../../contract/usage.ts';

/** From so much of the limit on there is little left for what is urgent. */
const CLOSE = 0.8;

/** Calls by hour under the filters in use, and which operations come closest to their limits. */
export function UsageCharts({ filter }: { filter: FilterValue }) {
  const { data } = useCall(usageChart, { body: { filter } }, { keep: true });
  if (!data) return null;
  const { hours, closest } = data;
  return (
    <ListCharts>
      <ListChart title="每小时调用">
        <Legend items={[{ name: '调用' }, { name: '限流' }, { name: '失败' }]} />
        <LineTrend
          label="每小时调用次数"
          labels={hours.map(({ hour }) => whenText(hour))}
          series={[
            { name: '调用', values: hours.map((one) => one.calls), shape: 'bar' },
            { name: '限流', values: hours.map((one) => one.throttled) },
            { name: '失败', values: hours.map((one) => one.failed) },
          ]}
          height={150}
          unfinished={1}
        />
      </ListChart>
      {closest.length > 0 && (
        <ListChart title="最接近每日上限的操作">
          <Bars
            label="占每日上限"
            measure={{ kind: 'percent' }}
            flat
            height={150}
            bars={closest.map(({ store, operation, share }) => ({
              name: `${operation} · ${store}`,
              value: share,
              tone: Number(share) >= CLOSE ? 'bad' : 'normal',
            }))}
          />
        </ListChart>
      )}
    </ListCharts>
  );
}
