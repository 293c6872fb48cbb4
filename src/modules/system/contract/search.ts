import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base } from './shared.ts';

/** One thing that a search found. */
export const SearchHit = z.object({
  title: z.string(),
  /** What tells it from its neighbours: store, number of pieces. */
  subtitle: z.string(),
  /** Address of a picture; null where the group's icon stands. */
  image: z.string().nullable().optional(),
  /** State of the thing. */
  tag: z
    .object({ title: z.string(), tone: z.enum(['off', 'running', 'waiting', 'done', 'trouble', 'side']) })
    .optional(),
  /** Shown beside the hit that is chosen. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
  /** The screen that shows it, with its query, and the title of the tab. */
  path: z.string(),
  query: z.record(z.string(), z.string()).optional(),
  tabTitle: z.string(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchGroup = z.object({
  title: z.string(),
  icon: z.enum(['sku', 'order', 'document']),
  hits: z.array(SearchHit),
  /** There are more than these. */
  more: z.boolean(),
  /** This part of the search failed; the others stand. */
  failed: z.boolean(),
});
export type SearchGroup = z.infer<typeof SearchGroup>;

/** Groups with hits (and groups that failed), in the order of the modules; the caller's rights hold for each. */
export const searchAll = endpoint({
  title: '全局搜索',
  method: 'GET',
  path: `${base}/search`,
  permission: 'login',
  query: z.object({
    q: z.string().trim().min(2, '请至少输入2个字符').max(80, '不能超过80个字符').meta({ title: '搜索内容' }),
  }),
  reply: z.array(SearchGroup),
});
