import { z } from 'zod';
import { jsonReader } from './json-report.ts';

const Whole = z.int().min(0).default(0);
const Amount = z.object({ amount: z.number(), currencyCode: z.string() });
const Percent = z.number().nullish();

const Sales = z.object({
  orderedProductSales: Amount,
  orderedProductSalesB2B: Amount.nullish(),
  unitsOrdered: Whole,
  unitsOrderedB2B: Whole,
  totalOrderItems: Whole,
  totalOrderItemsB2B: Whole,
  unitsRefunded: Whole,
  unitsShipped: Whole,
});
const Traffic = z.object({
  browserPageViews: Whole,
  pageViews: Whole,
  browserSessions: Whole,
  sessions: Whole,
  buyBoxPercentage: Percent,
});
const DateItem = z.object({ date: z.iso.date(), salesByDate: Sales, trafficByDate: Traffic });
const AsinItem = z.object({
  parentAsin: z.string(),
  childAsin: z.string().nullish(),
  sku: z.string().nullish(),
  salesByAsin: Sales,
  trafficByAsin: Traffic,
});

/** Visits and sales of a day: of a whole marketplace ('site') or of one product ('sku', 'child', 'parent'). */
export interface TrafficRow {
  lineNo: number;
  problem: undefined;
  level: 'site' | 'sku' | 'child' | 'parent';
  day: string;
  parentAsin: string;
  asin: string;
  sku: string;
  currency: string;
  sales: string;
  salesB2B: string;
  units: number;
  unitsB2B: number;
  items: number;
  itemsB2B: number;
  refunded: number;
  shipped: number;
  sessions: number;
  browserSessions: number;
  pageViews: number;
  browserPageViews: number;
  /** Share of the page views that showed our offer first, percent. */
  featured: string | null;
}

/** Decimal text of a JSON number: its shortest form, which is what the report printed. */
const decimal = (value: number): string => String(value);

function figuresOf(sales: z.infer<typeof Sales>, traffic: z.infer<typeof Traffic>) {
  const { buyBoxPercentage } = traffic;
  return {
    lineNo: 0,
    problem: undefined,
    currency: sales.orderedProductSales.currencyCode,
    sales: decimal(sales.orderedProductSales.amount),
    salesB2B: decimal(sales.orderedProductSalesB2B?.amount ?? 0),
    units: sales.unitsOrdered,
    unitsB2B: sales.unitsOrderedB2B,
    items: sales.totalOrderItems,
    itemsB2B: sales.totalOrderItemsB2B,
    refunded: sales.unitsRefunded,
    shipped: sales.unitsShipped,
    sessions: traffic.sessions,
    browserSessions: traffic.browserSessions,
    pageViews: traffic.pageViews,
    browserPageViews: traffic.browserPageViews,
    featured: buyBoxPercentage === null || buyBoxPercentage === undefined ? null : decimal(buyBoxPercentage),
  };
}

/**
 * GET_SALES_AND_TRAFFIC_REPORT. The figures of products are sums over the whole period of the report, so they are taken
 * from reports of a single day only.
 */
export const salesAndTraffic = jsonReader<TrafficRow>({
  type: 'GET_SALES_AND_TRAFFIC_REPORT',
  title: '销售与流量报告',
  shapes: { salesAndTrafficByDate: DateItem, salesAndTrafficByAsin: AsinItem },
  items: {
    salesAndTrafficByDate: ({ date, salesByDate, trafficByDate }: z.infer<typeof DateItem>) => ({
      ...figuresOf(salesByDate, trafficByDate),
      level: 'site',
      day: date,
      parentAsin: '',
      asin: '',
      sku: '',
    }),
    salesAndTrafficByAsin: (item: z.infer<typeof AsinItem>, { dataStartTime, dataEndTime }) => {
      if (dataStartTime !== dataEndTime) return undefined;
      return {
        ...figuresOf(item.salesByAsin, item.trafficByAsin),
        level: item.sku ? 'sku' : item.childAsin ? 'child' : 'parent',
        day: dataStartTime,
        parentAsin: item.parentAsin,
        asin: item.childAsin ?? item.parentAsin,
        sku: item.sku ?? '',
      };
    },
  },
  warnings: ({ dataStartTime, dataEndTime }) =>
    dataStartTime === dataEndTime ? [] : ['报告跨多天，商品数据是整段合计，只导入每日合计；需要商品数据请按单日下载'],
});
