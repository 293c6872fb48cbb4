import { useMemo } from 'react';
import { useTheme } from '../theme/preference.ts';
import { Chart } from './Chart.tsx';
import { axisFormat, exactFormat, largestOf, type Measure } from './format.ts';
import { base, chartStyle, seriesColor, tooltip, valueAxis } from './style.ts';
import { tipElement } from './tip.ts';

/** One point; decimal text stays exact in tooltip and table. */
export interface CurvePoint {
  x: string;
  y: string;
}

interface Props {
  /** Ascending by `x`; between two of them the line is straight. */
  points: readonly CurvePoint[];
  /** Names of both numbers. */
  names: readonly [x: string, y: string];
  measures: readonly [x: Measure, y: Measure];
  /** Vertical lines with their names. */
  marks?: readonly { x: string; name: string }[];
  label: string;
  height?: number;
}

/** One number over another that is not time: profit over price. The zero of the upright axis is drawn through. */
export function Curve({ points, names, measures, marks = [], label, height }: Props) {
  const theme = useTheme();
  const [xMeasure, yMeasure] = measures;
  const option = useMemo(() => {
    const style = chartStyle(theme);
    const color = seriesColor(style, 0);
    const of = (key: keyof CurvePoint) => largestOf(points.map((point) => Number(point[key])));
    const common = { silent: true, symbol: 'none' };
    return {
      ...base(style),
      grid: { left: 8, right: 24, top: 32, bottom: 4, outerBoundsMode: 'same' },
      xAxis: {
        ...valueAxis(style, axisFormat(xMeasure, of('x'))),
        splitLine: { show: false },
        axisLine: { show: false },
        min: Number(points[0]?.x ?? 0),
        max: Number(points.at(-1)?.x ?? 0),
      },
      yAxis: valueAxis(style, axisFormat(yMeasure, of('y'))),
      tooltip: {
        ...tooltip(style),
        trigger: 'axis',
        axisPointer: { lineStyle: { color: style.palette.borderStrong } },
        formatter: (hits: { dataIndex: number }[]) => {
          const point = points[hits[0]?.dataIndex ?? 0];
          if (!point) return '';
          return tipElement(`${names[0]} ${exactFormat(xMeasure, point.x)}`, [
            { color, name: names[1], value: exactFormat(yMeasure, point.y) },
          ]);
        },
      },
      series: [
        {
          type: 'line',
          name: names[1],
          showSymbol: false,
          data: points.map(({ x, y }) => [Number(x), Number(y)]),
          lineStyle: { color, width: 2 },
          itemStyle: { color },
          markLine: {
            ...common,
            data: [
              { yAxis: 0, lineStyle: { color: style.palette.text3, type: 'solid', width: 1 }, label: { show: false } },
              ...marks.map(({ x, name }, at) => ({
                xAxis: Number(x),
                lineStyle: { color: seriesColor(style, at + 1), type: 'dashed', width: 1.5 },
                label: { show: true, formatter: name, color: style.palette.text2, distance: [0, 4 + 14 * at] },
              })),
            ],
          },
        },
      ],
    };
  }, [theme, points, names, xMeasure, yMeasure, marks]);
  const table = useMemo(
    () => ({
      head: names,
      rows: points.map(({ x, y }) => [exactFormat(xMeasure, x), exactFormat(yMeasure, y)]),
    }),
    [points, names, xMeasure, yMeasure],
  );
  return <Chart option={option} label={label} table={table} {...(height === undefined ? {} : { height })} />;
}
