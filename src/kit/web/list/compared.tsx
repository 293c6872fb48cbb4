import type { ComparedTrend, Period } from '../../contract/compare.ts';
import { NOT_APPLICABLE } from '../../contract/format.ts';
import { Trend } from '../cells/index.ts';
import type { RowData } from '../cells/Value.tsx';
import { LineTrend, type Measure } from '../charts/index.ts';
import type { ColumnOverrides } from '../grid/columns.ts';
import { useTab } from '../tabs/scope.ts';
import { ListChart, ListCharts } from './ListCharts.tsx';

/** A change in its cell: without anything told before 「—」, without a base and with something now 「新增」. */
function changeNode(row: RowData, key: string, good: 'up' | 'down' | undefined) {
  const [now, before, change] = [row[key], row[`${key}Before`], row[`${key}Change`]];
  const isNew = change == null && before != null && now != null && Number(before) === 0 && Number(now) !== 0;
  if (change == null && !isNew) return <span className="text3">{NOT_APPLICABLE}</span>;
  return <Trend change={change as string | null} good={good} />;
}

/** Draws the change columns of measures that `compared()` made; `good` says which direction is, grey without. */
export function changeColumns<Row>(keys: readonly string[], good?: 'up' | 'down'): ColumnOverrides<Row> {
  const columns = keys.map((key) => [
    `${key}Change`,
    {
      render: (row: Row) => changeNode(row as RowData, key, good),
      total: (totals: RowData) => changeNode(totals, key, good),
      text: (row: Row) => String((row as RowData)[`${key}Change`] ?? ''),
    },
  ]);
  return Object.fromEntries(columns) as ColumnOverrides<Row>;
}

const words = ({ from, to }: Period): string => (from === to ? from : `${from} 至 ${to}`);

/** A measure of a compared report. */
export interface ComparedMeasure {
  key: string;
  title: string;
  kind: 'integer' | 'money' | 'percent';
}

interface ChartProps {
  trend: ComparedTrend | undefined;
  /** What is drawn, each in a chart of its own; amounts only where all are of one currency. */
  measures: readonly ComparedMeasure[];
  step: 'day' | 'month';
  /** Opens the rows of a day or month. */
  onDay?: (day: string) => void;
}

const HEIGHT = 170;

/** A period and the one that it is held against, line by line; what nobody told is a gap. */
export function CompareCharts({ trend, measures, step, onDay }: ChartProps) {
  if (!trend || trend.told.now + trend.told.before === 0) return null;
  const { points, currency } = trend;
  const cut = (day: string | null): string => (day === null ? '' : step === 'day' ? day.slice(5) : day.slice(0, 7));
  const told = points.filter(({ dayBefore }) => dayBefore !== null).length;
  const shown = measures.filter(({ kind }) => kind !== 'money' || currency !== null);
  const measureOf = (kind: ComparedMeasure['kind']): Measure =>
    kind === 'money' ? { kind, currency: currency ?? '' } : { kind };
  return (
    <>
      <ListCharts>
        {shown.map(({ key, title, kind }) => (
          <ListChart key={key} title={title}>
            <LineTrend
              label={`${title}：${words(trend.period)}，对比 ${words(trend.before)}`}
              labels={points.map(({ day, dayBefore }) => cut(day ?? dayBefore))}
              series={[
                { name: '本期', values: points.map(({ now }) => now[key] ?? null), measure: measureOf(kind) },
                {
                  name: '对比期',
                  values: points.map(({ before }) => before[key] ?? null),
                  measure: measureOf(kind),
                  role: 'previous',
                },
              ]}
              height={HEIGHT}
              {...(onDay
                ? {
                    onPick: (index: number) => {
                      const day = points[index]?.day;
                      if (day) onDay(day);
                    },
                  }
                : {})}
            />
          </ListChart>
        ))}
      </ListCharts>
      <p className="text3 compare-note">
        本期 {words(trend.period)}，对比期 {words(trend.before)}
        {trend.told.before === 0 && '：对比期没有数据，不作比较'}
        {trend.told.before > 0 &&
          trend.told.before < told &&
          `：对比期只有 ${trend.told.before} ${step === 'day' ? '天' : '个月'}有数据`}
        {currency === null && '；多个币种的金额不相加，请选择站点查看金额走势'}
      </p>
    </>
  );
}

/** The view of a list that its address names, and a way to another view with other filters beside those in use. */
export function useView(usual: string): [string, (view: string, filters: Readonly<Record<string, string>>) => void] {
  const { address, rewrite } = useTab();
  const [path = '', query = ''] = address.split('?');
  const search = new URLSearchParams(query);
  const go = (view: string, filters: Readonly<Record<string, string>>) => {
    for (const name of ['page', 'sort', 'f.compare']) search.delete(name);
    for (const [key, value] of Object.entries({ view, ...filters })) search.set(`f.${key}`, value);
    rewrite(`${path}?${search}`);
  };
  return [search.get('f.view') ?? usual, go];
}
