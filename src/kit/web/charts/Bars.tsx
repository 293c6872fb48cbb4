import { useMemo } from 'react';
import { useTheme } from '../theme/preference.ts';
import { Chart } from './Chart.tsx';
import { axisFormat, exactFormat, largestOf, type Measure } from './format.ts';
import { base, type ChartStyle, categoryAxis, chartStyle, tooltip, valueAxis } from './style.ts';
import { tipElement } from './tip.ts';

/** A colour only where the bar's meaning has one: out of stock, too much. */
export type BarTone = 'normal' | 'good' | 'warning' | 'bad' | 'off';

export interface Bar {
  name: string;
  value: string | number;
  tone?: BarTone;
}

interface Props {
  bars: readonly Bar[];
  label: string;
  measure?: Measure;
  /** Lying bars, for long names. */
  flat?: boolean;
  height?: number;
  onPick?: (index: number) => void;
}

const INTEGER: Measure = { kind: 'integer' };

function colorOf(tone: BarTone | undefined, { palette, series }: ChartStyle): string {
  const colors = {
    normal: series[0] ?? palette.accentSolid,
    good: palette.success,
    warning: series[1] ?? palette.warningSolid,
    bad: palette.dangerSolid,
    off: palette.text3,
  };
  return colors[tone ?? 'normal'];
}

/** Bars over categories with their figures at the ends. */
export function Bars({ bars, label, measure = INTEGER, flat = false, height, onPick }: Props) {
  const theme = useTheme();
  const option = useMemo(() => {
    const style = chartStyle(theme);
    const names = categoryAxis(
      style,
      bars.map((bar) => bar.name),
    );
    const values = valueAxis(style, axisFormat(measure, largestOf(bars.map((bar) => Number(bar.value)))));
    return {
      ...base(style),
      xAxis: flat ? values : names,
      yAxis: flat ? { ...names, inverse: true } : values,
      tooltip: {
        ...tooltip(style),
        formatter: ({ dataIndex }: { dataIndex: number }) => {
          const bar = bars[dataIndex];
          const line = {
            color: colorOf(bar?.tone, style),
            name: label,
            value: exactFormat(measure, bar?.value ?? null),
          };
          return tipElement(bar?.name ?? '', [line]);
        },
      },
      series: [
        {
          type: 'bar',
          barMaxWidth: 36,
          data: bars.map((bar) => ({
            value: Number(bar.value),
            itemStyle: { color: colorOf(bar.tone, style), borderRadius: flat ? [0, 2, 2, 0] : [2, 2, 0, 0] },
          })),
          label: {
            show: true,
            position: flat ? 'right' : 'top',
            color: style.palette.text2,
            formatter: ({ dataIndex }: { dataIndex: number }) =>
              axisFormat(measure, 0)(Number(bars[dataIndex]?.value ?? 0)),
          },
        },
      ],
    };
  }, [theme, bars, measure, flat, label]);
  const table = useMemo(
    () => ({ head: ['类别', label], rows: bars.map((bar) => [bar.name, exactFormat(measure, bar.value)]) }),
    [bars, label, measure],
  );
  return <Chart option={option} label={label} table={table} height={height} onPick={onPick} />;
}
