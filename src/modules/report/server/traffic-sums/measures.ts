import type { ComparedList } from '#kit/server/list/compared/index.ts';

/** Measures of traffic: `column` of the sums, and `of` a row `f` of the days. */
export const MEASURES = {
  sessions: { column: 'sessions', of: 'f.sessions', kind: 'integer' },
  pageViews: { column: 'page_views', of: 'f.page_views', kind: 'integer' },
  units: { column: 'units', of: 'f.units', kind: 'integer' },
  items: { column: 'items', of: 'f.items', kind: 'integer' },
  trafficSales: { column: 'sales', of: 'f.sales', kind: 'money' },
  featuredViews: { column: 'featured_views', of: 'f.featured * f.page_views / 100', kind: 'decimal' },
  sharedViews: {
    column: 'shared_views',
    of: 'CASE WHEN f.featured IS NOT NULL THEN f.page_views ELSE 0 END',
    kind: 'integer',
  },
} as const satisfies ComparedList['measures'] & Record<string, { column: string }>;

/** Columns that a sum of products is of, beside company, account and marketplace. */
export const KEYS = ['seller_sku', 'asin', 'parent_asin', 'level', 'currency'];
