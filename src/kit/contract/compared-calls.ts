import { z } from 'zod';
import { ComparedTrend, Comparison } from './compare.ts';
import { endpoint } from './endpoint.ts';
import { States } from './field.ts';
import { type ListOf, listCalls } from './list-calls.ts';

/** Views of a report: its rows as they are, or products with a period held against another one. */
export const ReportView = States(
  { rows: { title: '明细', tone: 'off' }, compare: { title: '汇总对比', tone: 'off' } },
  '视图',
);

/** The filters that a compared report has beside its own, and that its rows only carry along. */
export const comparing = { view: ReportView, compare: Comparison.meta({ title: '对比' }) };

/** With columns by `compared()`, by which it can be ordered, and by its `product` where it has one; the filter has `dates` and `comparing`. */
type Compared<R extends z.ZodObject, F extends z.ZodObject> = Omit<ListOf<R, F>, 'sortable'>;

/** A report's products with two periods side by side: list, export and chart. */
export function comparedCalls<R extends z.ZodObject, F extends z.ZodObject>(report: Compared<R, F>) {
  const { title, path, row, filter, may } = report;
  const fields = Object.keys(row.shape).filter((key) => `${key}Change` in row.shape);
  const sortable = [
    ...('product' in row.shape ? ['product'] : []),
    ...fields.flatMap((key) => [key, `${key}Before`, `${key}Change`]),
  ];
  return {
    ...listCalls({ ...report, sortable }),
    trend: endpoint({
      title: `${title}走势`,
      method: 'POST',
      path: `${path}/trend`,
      permission: may.view,
      access: 'read',
      concurrent: true,
      body: z.object({ filter: filter.partial().prefault({}) }),
      reply: ComparedTrend,
    }),
  };
}
