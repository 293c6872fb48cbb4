import { useMemo } from 'react';
import { LineTrend, type TrendSeries } from '#kit/web/charts/index.ts';
import type { CashDay } from '../contract/forecast.ts';
import { daysOf, weeksOf } from './weeks.ts';

const CNY = { kind: 'money', currency: 'CNY' } as const;

interface Props {
  days: readonly CashDay[];
  floor: string;
  by: 'day' | 'week';
}

/** The balance as a line with the floor, and behind it what comes in and goes out. */
export function CashChart({ days, floor, by }: Props) {
  const steps = useMemo(() => (by === 'week' ? weeksOf(days) : daysOf(days)), [days, by]);
  const series = useMemo(
    (): TrendSeries[] => [
      { name: '余额', values: steps.map(({ balance }) => balance), measure: CNY },
      { name: '流入', values: steps.map(({ inflow }) => inflow), measure: CNY, shape: 'bar', axis: 'right' },
      { name: '流出', values: steps.map(({ outflow }) => outflow), measure: CNY, shape: 'bar', axis: 'right' },
    ],
    [steps],
  );
  const labels = useMemo(() => steps.map(({ label }) => label), [steps]);
  return <LineTrend labels={labels} series={series} label="现金流预测" level={floor} height={240} />;
}
