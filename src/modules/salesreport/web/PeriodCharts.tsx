import { State } from '#kit/web/cells/index.ts';
import { Legend, LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import { ListChart, ListCharts } from '#kit/web/list/index.ts';
import { Fullness, type SalesChart } from '../contract/summary.ts';
import { Scope } from './Scope.tsx';

interface Props {
  chart: SalesChart | undefined;
  /** 「周」: what one period is called. */
  unit: string;
  /** What sold as bars with its amount, in one chart; else units and orders beside what they are held against. */
  bars?: boolean;
  /** Opens what stands behind a period. */
  onPick?: (from: string, to: string) => void;
}

const HEIGHT = 200;

interface OneProps extends Props {
  chart: SalesChart;
  of: 'units' | 'orders';
  title: string;
  mean: string | null;
}

function One({ chart, unit, of, title, bars = false, mean, onPick }: OneProps) {
  const { points, before, currency } = chart;
  const sales = bars && points.some(({ netSales }) => netSales !== null);
  const series: TrendSeries[] = [
    { name: title, values: points.map((point) => point[of]), ...(bars ? { shape: 'bar' as const } : {}) },
    ...(sales
      ? [
          {
            name: '净销售额',
            values: points.map(({ netSales }) => netSales),
            measure: { kind: 'money' as const, currency },
            axis: 'right' as const,
          },
        ]
      : []),
    ...(before
      ? [
          {
            name: '对比期',
            values: points.map((point) => (of === 'units' ? point.unitsBefore : point.ordersBefore)),
            role: 'previous' as const,
          },
        ]
      : []),
  ];
  const pick = (index: number) => {
    const point = points[index];
    if (point) onPick?.(point.from, point.to);
  };
  return (
    <ListChart title={mean === null ? title : `${title} · ${unit}均 ${mean}`} wide={bars}>
      <Legend items={series.map(({ name, role }) => (role ? { name, line: 'dashed' as const } : { name }))} />
      <LineTrend
        labels={points.map((point) => point.title)}
        series={series}
        label={`${title}走势`}
        unfinished={points.at(-1)?.partial ? 1 : 0}
        level={mean ?? undefined}
        height={HEIGHT}
        onPick={pick}
      />
    </ListChart>
  );
}

/** What all of a filter sold by period, with its mean, beside what it is held against. */
export function PeriodCharts({ chart, ...props }: Props) {
  if (!chart) return null;
  return (
    <>
      <Scope {...chart} compares={!props.bars} />
      <ListCharts>
        <One chart={chart} {...props} of="units" title="销量" mean={chart.meanUnits} />
        {!props.bars && <One chart={chart} {...props} of="orders" title="订单数" mean={chart.meanOrders} />}
      </ListCharts>
    </>
  );
}

/** 未满, and nothing where a period is full. */
export const FULLNESS = {
  render: ({ fullness }: { fullness: string }) =>
    fullness === 'partial' && <State value={fullness} states={Fullness.meta()?.states} />,
};
