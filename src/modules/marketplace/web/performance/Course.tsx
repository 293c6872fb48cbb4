import { Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Card } from '#kit/web/cards/index.ts';
import { Legend, LineTrend } from '#kit/web/charts/index.ts';
import { METRICS, performanceTrend } from '../../contract/performance.ts';

const SPANS = [
  { value: 30, label: '近30天' },
  { value: 90, label: '近90天' },
  { value: 365, label: '近一年' },
];

interface Props {
  site: { groupid: string; marketplaceid: string };
  metric: string;
}

/** One figure day by day, with its target dashed. */
export function Course({ site, metric }: Props) {
  const [days, setDays] = useState(90);
  const query = useCall(performanceTrend, { query: { ...site, days } }, { keep: true });
  const { data } = query;
  const def = METRICS.find((one) => one.key === metric);
  const target = data?.targets[metric];
  const rate = def?.kind === 'rate';
  const measure = rate ? { kind: 'percent' as const } : { kind: 'integer' as const };
  const withTarget = rate && target !== undefined;
  return (
    <Card
      title={`${def?.title ?? ''} 走势`}
      scope={data ? `${data.days.length} 天有数据` : undefined}
      span={12}
      height={300}
      query={query}
      extra={
        <>
          <Legend
            items={[{ name: def?.title ?? '' }, ...(withTarget ? [{ name: '目标', line: 'dashed' as const }] : [])]}
          />
          <Segmented size="small" options={SPANS} value={days} onChange={setDays} />
        </>
      }
    >
      {data && data.days.length < 2 && (
        <p className="text3 health-none">
          {data.days[0]
            ? `从 ${data.days[0]} 开始记录，每天一次，有两天的数据后显示走势。`
            : '还没有每日快照，报告每天获取一次。'}
        </p>
      )}
      {data && data.days.length > 1 && (
        <LineTrend
          label={`${def?.title ?? ''} 走势`}
          labels={data.days.map((day) => day.slice(5))}
          series={[
            { name: def?.title ?? '', values: data.series[metric] ?? [], measure },
            ...(withTarget
              ? [{ name: '目标', values: data.days.map(() => target), measure, role: 'previous' as const }]
              : []),
          ]}
        />
      )}
    </Card>
  );
}
