import { useMemo } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import type { listingTrend, TrendDay } from '../contract/trend.ts';

type Trend = Reply<typeof listingTrend>;

interface ChartProps {
  days: readonly TrendDay[];
  series: readonly TrendSeries[];
  label: string;
  /** What it says where nothing of it is known. */
  none: string;
  inverted?: boolean;
}

function Chart({ days, series, label, none, inverted = false }: ChartProps) {
  const labels = useMemo(() => days.map((one) => one.day.slice(5)), [days]);
  // A price has a band of its day: the chart says when it changed, the table to what.
  const events = useMemo(
    () =>
      days.flatMap((one) =>
        one.price === null ? [] : [{ from: one.day.slice(5), to: one.day.slice(5), name: '改价' }],
      ),
    [days],
  );
  const known = series.some(({ values }) => values.some((value) => value !== null));
  return (
    <div className="drawer-section">
      <Legend items={series.map(({ name }) => ({ name }))} />
      {known ? (
        <LineTrend labels={labels} series={series} label={label} events={events} inverted={inverted} height={220} />
      ) : (
        <p className="label">{none}</p>
      )}
    </div>
  );
}

/** How a listing went by day: sales and visits, price and Buy Box, ranks, stock and ads. */
export function TrendCharts({ trend: { days, groupTitle, classTitle } }: { trend: Trend }) {
  const of = useMemo(() => {
    const money = { kind: 'money' as const, currency: days[0]?.currency ?? '' };
    const series = (name: string, key: keyof TrendDay, more: Partial<TrendSeries> = {}): TrendSeries => ({
      name,
      values: days.map((one) => one[key]),
      ...more,
    });
    return {
      sold: [series('销量', 'units'), series('访问次数', 'sessions', { axis: 'right' })],
      offers: [
        series('本店售价', 'ownPrice', { measure: money, sparse: true }),
        series('购物车价', 'featuredPrice', { measure: money, sparse: true }),
        series('最低价', 'lowestPrice', { measure: money, sparse: true }),
        series('购物车比例', 'featuredShare', { measure: { kind: 'percent' }, axis: 'right', shape: 'bar' }),
      ],
      ranks: [
        series(classTitle ? `小类 ${classTitle}` : '小类排名', 'classRank', { sparse: true }),
        series(groupTitle ? `大类 ${groupTitle}` : '大类排名', 'groupRank', { sparse: true, axis: 'right' }),
      ],
      spent: [
        series('可售库存', 'fulfillable'),
        series('广告花费', 'adSpend', { measure: money, axis: 'right', shape: 'bar' }),
      ],
    };
  }, [days, groupTitle, classTitle]);
  return (
    <div className="trend-charts">
      <Chart days={days} series={of.sold} label="销量与访问趋势" none="这段时间没有销量与访问" />
      <Chart days={days} series={of.offers} label="购物车与价格趋势" none="还没有读取过竞争报价与购物车比例" />
      <Chart days={days} series={of.ranks} label="排名趋势" none="还没有读取过排名，每日读取两次" inverted />
      <Chart days={days} series={of.spent} label="库存与广告趋势" none="这段时间没有库存与广告" />
    </div>
  );
}
