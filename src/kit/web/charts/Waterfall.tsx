import { useMemo } from 'react';
import { round } from '../../contract/decimal.ts';
import { formatInteger, formatMoney } from '../../contract/format.ts';
import { useTheme } from '../theme/preference.ts';
import { Chart } from './Chart.tsx';
import { base, type ChartStyle, categoryAxis, chartStyle, tooltip } from './style.ts';
import { tipElement } from './tip.ts';
import { type PlacedStep, placeSteps, type WaterfallStep } from './waterfall-steps.ts';

interface Props {
  steps: readonly WaterfallStep[];
  currency: string;
  label: string;
  height?: number;
  onPick?: (index: number) => void;
}

function colorOf(step: PlacedStep, { palette, series }: ChartStyle): string {
  if (step.kind === 'total') return series[0] ?? palette.accentSolid;
  if (step.kind === 'change') return palette.text3;
  return step.amount.startsWith('-') ? palette.dangerSolid : palette.success;
}

/** Figure above a bar: whole units, so that all of them fit beside one another; the exact one is in the tooltip. */
const shortOf = (amount: string): string => formatInteger(round(amount, 0));

function bodyOf(placed: readonly PlacedStep[], style: ChartStyle) {
  const step = (at: number) => placed[at];
  return {
    // Invisible bars carry the visible ones to their level; bars that reach across zero need both sides.
    type: 'bar' as const,
    stack: 'level',
    barMaxWidth: 44,
    data: placed.map((each) => ({
      value: Math.max(0, each.high) - Math.max(0, each.low),
      itemStyle: { color: colorOf(each, style), borderRadius: 2 },
    })),
    label: {
      show: true,
      position: 'top' as const,
      color: style.palette.text2,
      formatter: ({ dataIndex }: { dataIndex: number }) => shortOf(step(dataIndex)?.amount ?? '0'),
    },
  };
}

/** From a total through its changes to the result: profit from revenue. Totals blue, costs grey, the result by its sign. */
export function Waterfall({ steps, currency, label, height, onPick }: Props) {
  const theme = useTheme();
  const option = useMemo(() => {
    const style = chartStyle(theme);
    const placed = placeSteps(steps);
    const clear = { itemStyle: { color: 'transparent' }, silent: true, tooltip: { show: false } };
    return {
      ...base(style),
      grid: { left: 0, right: 0, top: 24, bottom: 4, outerBoundsMode: 'same' },
      xAxis: {
        ...categoryAxis(
          style,
          steps.map((step) => step.name),
        ),
        axisLabel: { color: style.palette.text2, interval: 0, fontSize: 12 },
      },
      yAxis: { type: 'value', show: false },
      tooltip: {
        ...tooltip(style),
        formatter: ({ dataIndex }: { dataIndex: number }) => {
          const step = placed[dataIndex];
          if (!step) return '';
          return tipElement(step.name, [
            { color: colorOf(step, style), name: '金额', value: formatMoney(step.amount, currency) },
          ]);
        },
      },
      series: [
        { type: 'bar', stack: 'level', data: placed.map((step) => Math.max(0, step.low)), ...clear },
        bodyOf(placed, style),
        { type: 'bar', stack: 'level', data: placed.map((step) => Math.min(0, step.high)), ...clear },
        {
          type: 'bar',
          stack: 'level',
          data: placed.map((step) => ({
            value: Math.min(0, step.low) - Math.min(0, step.high),
            itemStyle: { color: colorOf(step, style), borderRadius: 2 },
          })),
        },
        {
          type: 'line',
          step: 'end',
          symbol: 'none',
          silent: true,
          data: placed.map((step) => step.level),
          lineStyle: { color: style.palette.borderStrong, width: 1 },
          tooltip: { show: false },
          z: 0,
        },
      ],
    };
  }, [theme, steps, currency]);
  const table = useMemo(
    () => ({ head: ['项目', '金额'], rows: steps.map((step) => [step.name, formatMoney(step.amount, currency)]) }),
    [steps, currency],
  );
  return <Chart option={option} label={label} table={table} height={height} onPick={onPick} />;
}
