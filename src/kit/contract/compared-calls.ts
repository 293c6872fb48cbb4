import { z } from 'zod';
import { ComparedTrend, Comparison } from './compare.ts';
import { endpoint } from './endpoint.ts';
import { States } from './field.ts';
import { ExportQuery, Page, PageQuery } from './page.ts';

/** Views of a report: its rows as they are, or products with a period held against another one. */
export const ReportView = States(
  { rows: { title: '明细', tone: 'off' }, compare: { title: '汇总对比', tone: 'off' } },
  '视图',
);

/** The filters that a compared report has beside its own, and that its rows only carry along. */
export const comparing = { view: ReportView, compare: Comparison.meta({ title: '对比' }) };

interface Compared<R extends z.ZodObject, F extends z.ZodObject> {
  title: string;
  path: `/${string}`;
  /** Columns by `compared()`: these it can be ordered by, and by its `product` where it has one. */
  row: R;
  /** With `dates` and `comparing`. */
  filter: F;
  may: { view: string; export: string };
}

/** A report's products with two periods side by side: list, export and chart. */
export function comparedCalls<R extends z.ZodObject, F extends z.ZodObject>(report: Compared<R, F>) {
  const { title, path, row, filter, may } = report;
  const fields = Object.keys(row.shape).filter((key) => `${key}Change` in row.shape);
  return {
    list: endpoint({
      title: `${title}列表`,
      method: 'POST',
      path: `${path}/list`,
      permission: may.view,
      access: 'read',
      body: PageQuery(filter),
      sortable: [
        ...('product' in row.shape ? ['product'] : []),
        ...fields.flatMap((key) => [key, `${key}Before`, `${key}Change`]),
      ],
      reply: Page(row),
    }),
    export: endpoint({
      title: `导出${title}`,
      method: 'POST',
      path: `${path}/export`,
      permission: may.export,
      file: true,
      body: ExportQuery(filter),
      reply: z.unknown(),
    }),
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
