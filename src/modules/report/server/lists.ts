import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { among, type FactList, factsOf, withText } from '#modules/inventory/server/index.ts';
import {
  type FeedbackFilter,
  FeedbackRow,
  type TermFilter,
  TermRow,
  type TrafficFilter,
  TrafficRow,
  type VatFilter,
  VatRow,
} from '../contract/reports.ts';

/** part / whole as an exact text of four decimals; null without a whole. */
function ratio(part: number, whole: number): string | null {
  return whole === 0 ? null : new Decimal(part).div(whole).toFixed(4);
}

/** Percent as the report writes it as a ratio. */
const ofPercent = (value: string | null): string | null =>
  value === null ? null : new Decimal(value).div(100).toString();

interface Traffic {
  level: TrafficRow['level'];
  parent_asin: string;
  currency: string;
  sales: string;
  sales_b2b: string;
  units: number;
  units_b2b: number;
  items: number;
  sessions: number;
  browser_sessions: number;
  page_views: number;
  featured: string | null;
}

/** Visits and sales by day. Figures of one level only: those of a parent hold those of its children. */
export const trafficList = (
  ctx: Ctx,
  { level = 'sku', view: _, ...filter }: TrafficFilter,
): FactList<Traffic, TrafficRow> => ({
  title: '流量报表',
  resource: 'report.traffic',
  row: TrafficRow,
  query: among(factsOf(ctx, 'report.traffic', filter, 'f.seller_sku, f.asin, f.parent_asin'), 'level', level),
  sort: {
    day: 'f.day',
    sessions: 'f.sessions',
    pageViews: 'f.page_views',
    featured: 'f.featured',
    units: 'f.units',
    items: 'f.items',
    trafficSales: 'f.sales',
    conversion: 'f.units::numeric / nullif(f.sessions, 0)',
  },
  sums: { sessions: 'sessions', pageViews: 'page_views', units: 'units', unitsB2B: 'units_b2b', items: 'items' },
  map: (row, goods) => ({
    ...goods,
    level: row.level,
    sessions: row.sessions,
    browserSessions: row.browser_sessions,
    appSessions: row.sessions - row.browser_sessions,
    pageViews: row.page_views,
    featured: ofPercent(row.featured),
    units: row.units,
    unitsB2B: row.units_b2b,
    items: row.items,
    conversion: ratio(row.units, row.sessions),
    trafficSales: row.sales,
    salesB2B: row.sales_b2b,
    currency: row.currency,
    parentAsin: row.parent_asin,
  }),
});

interface Feedback {
  order_id: string;
  rating: number;
  comments: string;
  response: string;
}

/** What buyers say about the seller; three stars and fewer count as bad. */
export function feedbackList(ctx: Ctx, { bad, ...filter }: FeedbackFilter): FactList<Feedback, FeedbackRow> {
  const query = factsOf(ctx, 'report.feedback', filter, 'f.order_id, f.comments');
  return {
    title: '卖家反馈',
    resource: 'report.feedback',
    row: FeedbackRow,
    query: bad ? query.where(sql<boolean>`f.rating <= 3`) : query,
    sort: { day: 'f.day', rating: 'f.rating' },
    sums: {},
    map: (row, { id, day, store }) => ({
      id,
      day,
      store,
      rating: row.rating,
      orderId: row.order_id,
      comments: row.comments,
      response: row.response,
    }),
  };
}

interface Vat {
  title: string;
  kind: string;
  order_id: string;
  quantity: number;
  net: string | null;
  vat: string | null;
  gross: string | null;
  rate: string | null;
  currency: string;
  from_country: string;
  to_country: string;
  jurisdiction: string;
  responsibility: string;
  invoice: string;
  program: string;
}

/** Taxable movements. Amounts of different currencies are not added up. */
export const vatList = (ctx: Ctx, { kinds, ...filter }: VatFilter): FactList<Vat, VatRow> => ({
  title: 'VAT交易',
  resource: 'report.vat',
  row: VatRow,
  query: among(factsOf(ctx, 'report.vat_line', filter, 'f.seller_sku, f.asin, f.order_id'), 'kind', kinds),
  sort: { day: 'f.day', quantity: 'f.quantity', net: 'f.net', vat: 'f.vat', gross: 'f.gross' },
  sums: { quantity: 'quantity' },
  map: (row, goods) => ({
    ...goods,
    kind: row.kind,
    orderId: row.order_id,
    quantity: row.quantity,
    net: row.net,
    vatRate: row.rate,
    vat: row.vat,
    gross: row.gross,
    currency: row.currency,
    from: row.from_country,
    to: row.to_country,
    jurisdiction: row.jurisdiction,
    collector: row.responsibility,
    invoice: row.invoice,
    program: row.program,
  }),
});

interface Term {
  department: string;
  term: string;
  rank: number;
  title: string;
  click_rank: number;
  click_share: string;
  conversion_share: string;
  mine: boolean;
}

/** Whether we sell the product that is clicked on. */
const MINE = sql<boolean>`EXISTS (SELECT FROM listing.product AS p
  WHERE p.company_id = f.company_id AND p.marketplace_id = f.marketplace_id AND p.asin = f.asin)`;

/** What is searched for, and what is clicked on then. */
export function termList(ctx: Ctx, { term, asin, mine, ...filter }: TermFilter): FactList<Term, TermRow> {
  let query = withText(factsOf(ctx, 'report.search_term', filter), 'term', term);
  if (asin?.trim()) query = among(query, 'asin', asin.trim().toUpperCase());
  if (mine) query = query.where(MINE);
  return {
    title: '品牌分析搜索词',
    resource: 'report.searchTerm',
    row: TermRow,
    query: query.select(MINE.as('mine')),
    order: [
      ['f.day', 'desc'],
      ['f.rank', 'asc'],
      ['f.click_rank', 'asc'],
    ],
    sort: { day: 'f.day', rank: 'f.rank', clickShare: 'f.click_share', conversionShare: 'f.conversion_share' },
    sums: {},
    map: (row, { id, day, store }) => ({
      id,
      day,
      store,
      term: row.term,
      rank: row.rank,
      clickRank: row.click_rank,
      asin: row.asin ?? '',
      mine: row.mine,
      itemName: row.title,
      clickShare: row.click_share,
      conversionShare: row.conversion_share,
      department: row.department,
    }),
  };
}
