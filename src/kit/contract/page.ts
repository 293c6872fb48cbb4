import { z } from 'zod';
import { Instant } from './field.ts';

export const PAGE_SIZES = [10, 20, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 20;

/**
 * Query of a paged list. `page`/`limit` are accepted for `currentpage`/`pagesize`. `loadType` "refreshTable" asks for
 * the totals again, "loadTable" may leave them out.
 */
export function PageQuery<F extends z.ZodObject>(filter: F) {
  return z.preprocess(
    (raw) => {
      if (typeof raw !== 'object' || raw === null) return raw ?? {};
      const { page, limit, ...rest } = raw as Record<string, unknown>;
      return {
        ...(page === undefined ? {} : { currentpage: page }),
        ...(limit === undefined ? {} : { pagesize: limit }),
        ...rest,
      };
    },
    z.object({
      currentpage: z.coerce.number().int().min(1).max(100_000).default(1).meta({ title: '页码' }),
      pagesize: z.coerce.number().int().min(1).max(100).default(DEFAULT_PAGE_SIZE).meta({ title: '每页条数' }),
      sort: z.string().max(60).optional().meta({ title: '排序字段' }),
      order: z.enum(['asc', 'desc']).optional().meta({ title: '排序方向' }),
      loadType: z.enum(['loadTable', 'refreshTable']).optional(),
      filter: filter.partial().prefault({}),
    }),
  );
}
export type PageRequest<F = unknown> = {
  currentpage: number;
  pagesize: number;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  loadType?: 'loadTable' | 'refreshTable' | undefined;
  filter: F;
};

/** Sums over a whole filter, by field of the row; see mixedOf() for several currencies. */
export const ListTotals = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Answer of a paged list; `totals` covers the whole filter, `asOf` says how fresh the rows are. */
export function Page<R extends z.ZodType>(row: R) {
  return z.object({
    records: z.array(row),
    total: z.int(),
    totals: ListTotals.optional(),
    asOf: Instant.nullable().optional(),
  });
}

export interface PageOf<R> {
  records: R[];
  total: number;
  totals?: Record<string, string | number | null> | undefined;
  asOf?: string | null | undefined;
}

/** Body of an export call: the same filter and order, the columns as the user sees them. */
export function ExportQuery<F extends z.ZodObject>(filter: F) {
  return z.object({
    sort: z.string().max(60).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    filter: filter.partial().prefault({}),
    columns: z.array(z.string().max(60)).max(200).optional(),
    format: z.enum(['xlsx', 'csv']).default('xlsx'),
  });
}

/** What an export call asks for, as the server reads it. */
export interface ExportRequest<F = unknown> {
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  filter: F;
  columns?: readonly string[] | undefined;
  format: 'xlsx' | 'csv';
}
