import { useMemo } from 'react';
import { useTheme } from '../theme/preference.ts';
import { Chart } from './Chart.tsx';
import { axisFormat, exactFormat, largestOf, type Measure } from './format.ts';
import { base, type ChartStyle, categoryAxis, chartStyle, seriesColor, tooltip, valueAxis } from './style.ts';
import { tipElement } from './tip.ts';

export interface Stack {
  name: string;
  /** One per label; null where there is nothing. */
  values: readonly (string | number | null)[];
  /** A colour only where the part has a meaning: what is late. */
  tone?: 'bad';
}

interface Props {
  /** Along the axis: days, weeks. */
  labels: readonly string[];
  stacks: readonly Stack[];
  label: string;
  measure?: Measure;
  height?: number;
  onPick?: (index: number) => void;
}

const INTEGER: Measure = { kind: 'integer' };

function colorOf(stack: Stack, stacks: readonly Stack[], style: ChartStyle): string {
  const plain = stacks.filter((one) => one.tone === undefined);
  return stack.tone === 'bad' ? style.palette.dangerSolid : seriesColor(style, plain.indexOf(stack));
}

function Names({ stacks, style }: { stacks: readonly Stack[]; style: ChartStyle }) {
  return (
    <ul className="legend">
      {stacks.map((stack) => (
        <li key={stack.name}>
          <i style={{ color: colorOf(stack, stacks, style) }} aria-hidden="true" />
          {stack.name}
        </li>
      ))}
    </ul>
  );
}

/** Bars over categories, each made of the parts that it consists of, with the names of the parts above. */
export function Stacks({ labels, stacks, label, measure = INTEGER, height, onPick }: Props) {
  const theme = useTheme();
  const option = useMemo(() => {
    const style = chartStyle(theme);
    const sums = labels.map((_, at) => stacks.reduce((total, stack) => total + Number(stack.values[at] ?? 0), 0));
    return {
      ...base(style),
      xAxis: categoryAxis(style, labels),
      yAxis: valueAxis(style, axisFormat(measure, largestOf(sums))),
      tooltip: {
        ...tooltip(style),
        trigger: 'axis',
        axisPointer: { type: 'shadow' },
        formatter: (points: readonly { dataIndex: number }[]) => {
          const at = points[0]?.dataIndex ?? 0;
          const lines = stacks
            .filter((stack) => Number(stack.values[at] ?? 0) !== 0)
            .map((stack) => ({
              color: colorOf(stack, stacks, style),
              name: stack.name,
              value: exactFormat(measure, stack.values[at] ?? null),
            }));
          return tipElement(labels[at] ?? '', lines);
        },
      },
      series: stacks.map((stack) => ({
        type: 'bar',
        name: stack.name,
        stack: 'all',
        barMaxWidth: 36,
        itemStyle: { color: colorOf(stack, stacks, style) },
        data: labels.map((_, at) => Number(stack.values[at] ?? 0)),
      })),
    };
  }, [theme, labels, stacks, measure]);
  const table = useMemo(
    () => ({
      head: ['类别', ...stacks.map((stack) => stack.name)],
      rows: labels.map((name, at) => [name, ...stacks.map((stack) => exactFormat(measure, stack.values[at] ?? 0))]),
    }),
    [labels, stacks, measure],
  );
  return (
    <>
      <Names stacks={stacks} style={chartStyle(theme)} />
      <Chart option={option} label={label} table={table} height={height} onPick={onPick} />
    </>
  );
}
