import { useMemo } from 'react';
import { useTheme } from '../theme/preference.ts';
import { Chart } from './Chart.tsx';
import { axisFormat, exactFormat, largestOf, type Measure } from './format.ts';
import { base, type ChartStyle, categoryAxis, chartStyle, seriesColor, tooltip, valueAxis } from './style.ts';
import { tipElement } from './tip.ts';

export interface TrendSeries {
  name: string;
  /** One per label; decimal text stays exact in tooltip and table. Null: no value. */
  values: readonly (string | number | null)[];
  measure?: Measure;
  /** 'previous' is the period before: dashed and grey, at the same places. */
  role?: 'current' | 'previous';
  shape?: 'line' | 'bar';
  /** Values are few and far between: points are drawn, and the line goes over what is missing. */
  sparse?: boolean;
  axis?: 'left' | 'right';
  /** Not drawn; the others keep their colours. */
  off?: boolean;
}

interface Props {
  /** Days or months along the axis. */
  labels: readonly string[];
  series: readonly TrendSeries[];
  label: string;
  /** The last so many labels are not over yet: dotted, with hollow points. */
  unfinished?: number;
  /** What is said of them; 未满 where left out. */
  unfinishedWord?: string;
  /** Grey bands with their names: sales events. */
  events?: readonly { from: string; to: string; name: string }[];
  /** A level that the first series is held against: its mean. What it is called stands in the chart's title. */
  level?: string | number | undefined;
  /** Low is good, as with ranks: the smallest value stands on top, and the axis shows only where values are. 'left': of that axis alone. */
  inverted?: boolean | 'left';
  height?: number;
  onPick?: (index: number) => void;
}

const INTEGER: Measure = { kind: 'integer' };
const number = (value: string | number | null): number | null => (value === null ? null : Number(value));

function lineOf(series: TrendSeries, color: string, first: boolean, open: number, style: ChartStyle) {
  const values = series.values.map(number);
  const previous = series.role === 'previous';
  const end = previous ? values.length : values.length - open;
  const common = {
    type: 'line' as const,
    yAxisIndex: series.axis === 'right' ? 1 : 0,
    showSymbol: series.sparse ?? false,
    connectNulls: series.sparse ?? false,
    symbol: 'circle',
    symbolSize: 6,
  };
  const solid = {
    ...common,
    name: series.name,
    data: values.map((value, index) => (index < end ? value : null)),
    lineStyle: { color, width: previous ? 1.2 : 2, type: previous ? ('dashed' as const) : ('solid' as const) },
    itemStyle: { color },
    ...(first && !previous ? { areaStyle: { color, opacity: 0.09 } } : {}),
    z: previous ? 1 : 3,
  };
  if (previous || open === 0) return [solid];
  const dotted = {
    ...common,
    name: series.name,
    showSymbol: true,
    data: values.map((value, index) => (index >= end - 1 ? value : null)),
    lineStyle: { color, width: 2, type: 'dotted' as const },
    itemStyle: { color: style.palette.card, borderColor: color, borderWidth: 2 },
    z: 3,
  };
  return [solid, dotted];
}

function barOf(series: TrendSeries, color: string) {
  return {
    type: 'bar' as const,
    name: series.name,
    yAxisIndex: series.axis === 'right' ? 1 : 0,
    data: series.values.map(number),
    itemStyle: { color, opacity: 0.75, borderRadius: [2, 2, 0, 0] },
    barMaxWidth: 16,
  };
}

function axesOf(series: readonly TrendSeries[], style: ChartStyle, inverted: boolean | 'left') {
  return (['left', 'right'] as const).map((side) => {
    const own = series.filter((each) => (each.axis ?? 'left') === side);
    const largest = largestOf(own.flatMap((each) => each.values.map(number)));
    const axis = {
      ...valueAxis(style, axisFormat(own[0]?.measure ?? INTEGER, largest)),
      ...(inverted === true || inverted === side ? { inverse: true, scale: true } : {}),
    };
    return side === 'right' ? { ...axis, show: own.length > 0, splitLine: { show: false } } : axis;
  });
}

function bands(events: Props['events'], style: ChartStyle) {
  if (!events || events.length === 0) return {};
  return {
    markArea: {
      silent: true,
      itemStyle: { color: style.palette.text3, opacity: 0.1 },
      label: { color: style.palette.text3, position: 'insideTop', fontSize: 12 },
      data: events.map(({ from, to, name }) => [{ name, xAxis: from }, { xAxis: to }]),
    },
  };
}

function lineAt(level: Props['level'], style: ChartStyle) {
  if (level === undefined) return {};
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: style.palette.text2, type: 'dashed' as const, width: 1 },
      label: { show: false },
      data: [{ yAxis: Number(level) }],
    },
  };
}

/** Lines, and bars behind them, over time. */
export function LineTrend(props: Props) {
  const {
    labels,
    series: all,
    label,
    unfinished = 0,
    unfinishedWord = '未满',
    events,
    level,
    inverted = false,
    height,
    onPick,
  } = props;
  const theme = useTheme();
  const series = useMemo(() => all.filter((each) => !each.off), [all]);
  const option = useMemo(() => {
    const style = chartStyle(theme);
    const current = all.filter((each) => each.role !== 'previous');
    const colorOf = (each: TrendSeries) =>
      each.role === 'previous' ? style.palette.text3 : seriesColor(style, current.indexOf(each));
    const drawn = series.flatMap<object>((each) =>
      each.shape === 'bar'
        ? [barOf(each, colorOf(each))]
        : lineOf(each, colorOf(each), each === series[0] && !inverted, unfinished, style),
    );
    const [first, ...others] = drawn;
    return {
      ...base(style),
      xAxis: {
        ...categoryAxis(style, labels, inverted !== false),
        boundaryGap: series.some((each) => each.shape === 'bar'),
      },
      yAxis: axesOf(series, style, inverted),
      tooltip: {
        ...tooltip(style),
        trigger: 'axis',
        axisPointer: { lineStyle: { color: style.palette.borderStrong } },
        formatter: (hits: { dataIndex: number }[]) => {
          const at = hits[0]?.dataIndex ?? 0;
          const lines = series.map((each) => ({
            color: colorOf(each),
            name: each.name,
            value: exactFormat(each.measure ?? INTEGER, each.values[at] ?? null),
          }));
          return tipElement(
            at >= labels.length - unfinished ? `${labels[at]}（${unfinishedWord}）` : (labels[at] ?? ''),
            lines,
          );
        },
      },
      series: first ? [{ ...first, ...bands(events, style), ...lineAt(level, style) }, ...others] : [],
    };
  }, [theme, labels, all, series, unfinished, unfinishedWord, events, level, inverted]);
  const table = useMemo(
    () => ({
      head: ['时间', ...series.map((each) => each.name)],
      rows: labels.map((name, at) => [
        name,
        ...series.map((each) => exactFormat(each.measure ?? INTEGER, each.values[at] ?? null)),
      ]),
    }),
    [labels, series],
  );
  return <Chart option={option} label={label} table={table} height={height} onPick={onPick} />;
}
