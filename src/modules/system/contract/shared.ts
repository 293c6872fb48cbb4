import { z } from 'zod';
import { States } from '#kit/contract/field.ts';

/** The operator's own company: its rows are everybody's to read. */
export const PLATFORM = '00000000-0000-0000-0000-000000000000';

export const base = '/admin/api/v1';

export const Status = States({
  active: { title: '启用', tone: 'done' },
  disabled: { title: '停用', tone: 'off' },
});

export const Sort = z.int().min(0).max(99_999).meta({ title: '排序' });

/** Page of a list that is asked for by GET: page/limit, or currentpage/pagesize. */
export const PageParams = {
  page: z.coerce.number().int().min(1).max(100_000).optional().meta({ title: '页码' }),
  limit: z.coerce.number().int().min(1).max(100).optional().meta({ title: '每页条数' }),
  currentpage: z.coerce.number().int().min(1).max(100_000).optional().meta({ title: '页码' }),
  pagesize: z.coerce.number().int().min(1).max(100).optional().meta({ title: '每页条数' }),
};

/** Rows to take and to skip. */
export function windowOf(query: {
  page?: number | undefined;
  limit?: number | undefined;
  currentpage?: number | undefined;
  pagesize?: number | undefined;
}): { limit: number; offset: number } {
  const limit = query.limit ?? query.pagesize ?? 20;
  return { limit, offset: ((query.page ?? query.currentpage ?? 1) - 1) * limit };
}
