import { useMemo } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import type { forecastSeries } from '../contract/forecast.ts';

type Series = Reply<typeof forecastSeries>;

/** Weeks of the past that are shown beside those to come. */
const WEEKS_BACK = 26;

interface Week {
  label: string;
  units: number;
  out: boolean;
}

/** The last weeks of seven whole days, the oldest first. */
function weeksBack(history: Series['history']): Week[] {
  const weeks: Week[] = [];
  for (let end = history.length; end >= 7 && weeks.length < WEEKS_BACK; end -= 7) {
    const days = history.slice(end - 7, end);
    weeks.unshift({
      label: days[0]?.day.slice(5) ?? '',
      units: days.reduce((sum, { units }) => sum + units, 0),
      out: days.some(({ out }) => out),
    });
  }
  return weeks;
}

/** Sales by week and what is expected of the weeks to come, with the bounds below which they stay eight or nine times out of ten. */
export function ForecastChart({ series: { history, weeks } }: { series: Series }) {
  const { labels, lines, events } = useMemo(() => {
    const past = weeksBack(history);
    const gap = past.map(() => null);
    const of = (
      name: string,
      key: 'published' | 'model' | 'p80' | 'p90',
      more: Partial<TrendSeries> = {},
    ): TrendSeries => ({
      name,
      values: [...gap, ...weeks.map((week) => week[key])],
      ...more,
    });
    const changed = weeks.some((week) => week.model !== week.published);
    const sold: TrendSeries = {
      name: '实际',
      values: [...past.map(({ units }) => units), ...weeks.map(() => null)],
      shape: 'bar',
    };
    return {
      labels: [...past.map(({ label }) => label), ...weeks.map(({ from }) => from.slice(5))],
      lines: [
        of('预测', 'published'),
        sold,
        of('P80', 'p80'),
        of('P90', 'p90'),
        ...(changed ? [of('模型', 'model', { role: 'previous' as const })] : []),
      ],
      events: past.filter(({ out }) => out).map(({ label }) => ({ from: label, to: label, name: '断货' })),
    };
  }, [history, weeks]);
  return (
    <div className="drawer-section">
      <Legend items={lines.map(({ name, role }) => (role ? { name, line: 'dashed' as const } : { name }))} />
      <LineTrend labels={labels} series={lines} label="每周销量与预测" events={events} height={260} />
    </div>
  );
}
