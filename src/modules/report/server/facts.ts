import { day, type FactDef, factLoader, int, money, type RowOf, text } from '#modules/inventory/server/index.ts';
import {
  type FileReader,
  type ReportPlan,
  searchTerms,
  sellerFeedback,
  vatTransactions,
} from '#modules/marketplace/server/index.ts';

const feedback: FactDef<RowOf<typeof sellerFeedback>> = {
  reader: sellerFeedback,
  table: 'report.feedback',
  mode: 'period',
  about: 'site',
  day: (row) => row.day,
  isNamed: () => true,
  problem: (row) => (row.rating === null || row.rating < 1 || row.rating > 5 ? '星级应为 1 至 5' : undefined),
  pieces: () => 1,
  columns: [
    text('order_id', (row) => row.orderId, true),
    int('rating', (row) => row.rating),
    text('comments', (row) => row.comments),
    text('response', (row) => row.response),
  ],
};

/** Countries whose sellers get the report. */
const VAT_COUNTRIES = ['UK', 'DE', 'FR', 'IT', 'ES'];
const SITES: Readonly<Record<string, string>> = { 'amazon.co.uk': 'GB', 'amazon.com.be': 'BE', 'amazon.ie': 'IE' };

const vat: FactDef<RowOf<typeof vatTransactions>> = {
  reader: vatTransactions,
  table: 'report.vat_line',
  mode: 'period',
  about: 'account',
  day: (row) => row.completeDay,
  dayOrder: 'day-first',
  country: ({ marketplace }) => SITES[marketplace] ?? marketplace.split('.').at(-1) ?? '',
  isNamed: (row) => row.activityId !== '',
  problem: (row) => (/^[A-Za-z]{3}$/.test(row.currency) || row.gross === null ? undefined : '币种无法识别'),
  pieces: (row) => row.quantity,
  columns: [
    text('activity_id', (row) => row.activityId, true),
    text('kind', (row) => row.transaction.toUpperCase(), true),
    text('order_id', (row) => row.orderId, true),
    text('seller_sku', (row) => row.sku, true),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    text('period', (row) => row.period),
    text('channel', (row) => row.channel),
    text('program', (row) => row.program),
    day('tax_day', (row) => row.taxDay),
    day('depart_day', (row) => row.departDay),
    int('quantity', (row) => row.quantity),
    money('net', (row) => row.net),
    money('vat', (row) => row.vat),
    money('gross', (row) => row.gross),
    money('rate', (row) => row.rate),
    text('currency', (row) => row.currency.toUpperCase()),
    text('from_country', (row) => row.from),
    text('to_country', (row) => row.to),
    text('invoice', (row) => row.invoice),
    text('jurisdiction', (row) => row.jurisdiction),
    text('responsibility', (row) => row.responsibility),
  ],
};

type TermRow = typeof searchTerms extends FileReader<infer R> ? R : never;

const terms: FactDef<TermRow> = {
  reader: searchTerms,
  table: 'report.search_term',
  mode: 'period',
  about: 'site',
  day: (row) => row.day,
  isNamed: () => true,
  pieces: () => 0,
  columns: [
    text('department', (row) => row.department, true),
    text('term', (row) => row.term, true),
    int('click_rank', (row) => row.clickRank, true),
    int('rank', (row) => row.rank),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    money('click_share', (row) => row.clickShare),
    money('conversion_share', (row) => row.conversionShare),
  ],
};

export const factLoaders = [factLoader(feedback), factLoader(vat), factLoader(terms)];

const DAY_SEC = 24 * 3600;
const COMMON = { inBackground: true, how: 'window', priority: 64 } as const;

export const factPlans: ReportPlan[] = [
  {
    ...COMMON,
    code: 'report.feedback',
    title: '卖家反馈',
    reportType: sellerFeedback.type,
    per: 'site',
    windowDays: 90,
    historyDays: 90,
    overlapDays: 30,
    cadenceSec: DAY_SEC,
    sloMin: 26 * 60,
  },
  {
    ...COMMON,
    code: 'report.vat',
    title: 'VAT交易',
    reportType: vatTransactions.type,
    countries: VAT_COUNTRIES,
    byMonth: true,
    windowDays: 31,
    historyDays: 60,
    overlapDays: 31,
    cadenceSec: 3 * DAY_SEC,
    sloMin: 4 * 24 * 60,
  },
  {
    ...COMMON,
    code: 'report.searchTerms',
    title: '品牌分析搜索词',
    reportType: searchTerms.type,
    per: 'site',
    byWeek: true,
    windowDays: 7,
    historyDays: 21,
    overlapDays: 7,
    cadenceSec: 3 * DAY_SEC,
    sloMin: 9 * 24 * 60,
  },
];
