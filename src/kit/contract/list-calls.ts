import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { ExportQuery, Page, PageQuery } from './page.ts';

export interface ListOf<R extends z.ZodObject, F extends z.ZodObject> {
  title: string;
  path: `/${string}`;
  row: R;
  filter: F;
  /** Fields that the list can be ordered by. */
  sortable: readonly string[];
  may: { view: string; export: string };
}

/** The list of a report and its export. */
export function listCalls<R extends z.ZodObject, F extends z.ZodObject>(list: ListOf<R, F>) {
  const { title, path, row, filter, sortable, may } = list;
  return {
    list: endpoint({
      title: `${title}列表`,
      method: 'POST',
      path: `${path}/list`,
      permission: may.view,
      access: 'read',
      body: PageQuery(filter),
      sortable,
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
  };
}
