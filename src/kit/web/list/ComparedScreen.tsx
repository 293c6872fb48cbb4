import type { z } from 'zod';
import type { ComparedTrend } from '../../contract/compare.ts';
import type { EndpointDef } from '../../contract/endpoint.ts';
import { useCall } from '../api/index.ts';
import { CompareCharts, type ComparedMeasure, changeColumns, useView } from './compared.tsx';
import type { FilterValue } from './fields.ts';
import { ListScreen, type ListScreenProps } from './ListScreen.tsx';

/** A report's rows as they are, or its products with a period held against another one. */
interface Props<R extends z.ZodObject, F extends z.ZodObject, S extends z.ZodObject, G extends z.ZodObject> {
  /** With tabs of their own the view is chosen among the filters. */
  rows: Omit<ListScreenProps<R, F>, 'modes' | 'defaults'>;
  /** Columns by `compared()`; `drill` are the filters of the rows behind one of its products. */
  sums: Pick<ListScreenProps<S, G>, 'name' | 'endpoint' | 'exportEndpoint' | 'row' | 'filter'> & {
    unit: string;
    trend: EndpointDef;
    /** All measures; those with `chart` are drawn. */
    measures: readonly (ComparedMeasure & { chart?: boolean; good?: 'up' | 'down' })[];
    step: 'day' | 'month';
    drill: (row: z.output<S>) => Readonly<Record<string, string>>;
  };
}

const TABS = { field: 'view', apart: true };
const MODES = ['view', 'compare'];

interface ChartsProps {
  endpoint: EndpointDef;
  filter: FilterValue;
  measures: readonly ComparedMeasure[];
  step: 'day' | 'month';
  onDay?: (day: string) => void;
}

function Charts({ endpoint, filter, ...props }: ChartsProps) {
  const { data } = useCall(endpoint, { body: { filter } } as never, { keep: true });
  return <CompareCharts trend={data as ComparedTrend | undefined} {...props} />;
}

/** A report with two views: its rows, and its products with two periods side by side, charts above and the rows behind each. */
export function ComparedScreen<
  R extends z.ZodObject,
  F extends z.ZodObject,
  S extends z.ZodObject,
  G extends z.ZodObject,
>({ rows, sums }: Props<R, F, S, G>) {
  const [view, go] = useView('rows');
  if (view !== 'compare') {
    return <ListScreen key="rows" {...rows} tabs={rows.tabs ?? TABS} modes={MODES} defaults={{ view: 'rows' }} />;
  }
  const { trend, measures, step, drill, ...list } = sums;
  const columns = Object.assign({}, ...measures.map(({ key, good }) => changeColumns<z.output<S>>([key], good)));
  return (
    <ListScreen
      key="compare"
      title={rows.title}
      {...(rows.options ? { options: rows.options } : {})}
      empty={rows.empty}
      {...list}
      tabs={TABS}
      modes={MODES}
      defaults={{ view: 'rows', compare: 'previous' }}
      columns={columns}
      above={(filter) => (
        <Charts
          endpoint={trend}
          filter={filter}
          measures={measures.filter(({ chart }) => chart)}
          step={step}
          {...('dates' in rows.filter.shape ? { onDay: (day) => go('rows', { dates: `${day}~${day}` }) } : {})}
        />
      )}
      onOpen={(row) => go('rows', drill(row))}
    />
  );
}
