import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Money, Product, Rate } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, DayRange, PRICE } from './fields.ts';

const REPORT = 'erp:report:purchase:view';
const price = (title: string, tip?: string) =>
  Money.nullable().meta({ title, currency: 'currency', width: 110, permission: PRICE, ...(tip ? { tip } : {}) });
const share = (title: string, tip: string) =>
  Rate.nullable().meta({ title, width: 100, permission: PRICE, good: 'down', tip });

/** Prices of a product at one supplier in one currency: purchases that were placed in the period, gifts left out. */
export const PriceRow = z.object({
  id: z.string().meta({ hidden: true }),
  product: Product.meta({ title: '商品', kind: 'product', width: 240, pinned: 'left' }),
  sku: z.string().meta({ title: 'SKU', kind: 'code', width: 140, optional: true }),
  supplier: z.string().meta({ title: '供应商', width: 150 }),
  currency: Currency.meta({ title: '币种', width: 70 }),
  orders: z.int().meta({ title: '采购次数', kind: 'integer', width: 90 }),
  qty: z.int().meta({ title: '采购数量', kind: 'integer', width: 100 }),
  first: price('期初单价', '期间内第一次采购的含税单价'),
  last: price('最近单价', '期间内最后一次采购的含税单价'),
  lowest: price('最低'),
  highest: price('最高'),
  mean: price('加权均价', '金额 ÷ 数量'),
  change: share('期间涨幅', '最近单价比期初单价'),
  lastChange: share('最近涨幅', '最近单价比前一次采购'),
  spread: share('波动', '（最高 − 最低）÷ 加权均价'),
  lastOn: Day.meta({ title: '最近采购', width: 110 }),
});
export type PriceRow = z.infer<typeof PriceRow>;

export const PriceFilter = z.object({
  placed: DayRange('下单日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  sku: z.array(z.string().max(100)).max(200).meta({ title: 'SKU', kind: 'code' }),
  rose: z.boolean().meta({ title: '最近涨价' }),
});
const AnyPrice = PriceFilter.partial();
export type PriceFilter = z.infer<typeof AnyPrice>;

const at = <const S extends string>(part: S) => `${base}/purchaseReport/priceTrend${part}` as const;

export const priceTrends = endpoint({
  title: '采购价格走势',
  method: 'POST',
  path: at(''),
  permission: REPORT,
  access: 'read',
  body: PageQuery(PriceFilter),
  sortable: ['sku', 'supplier', 'orders', 'qty', 'change', 'lastChange', 'spread', 'lastOn'],
  reply: Page(PriceRow),
});

export const exportPriceTrends = endpoint({
  title: '导出采购价格走势',
  method: 'POST',
  path: at('/export'),
  permission: REPORT,
  access: 'read',
  file: true,
  body: ExportQuery(PriceFilter),
  reply: z.unknown(),
});

/** Mean price of one product month by month, one line for each supplier; CNY at the rates of the orders. */
export const priceChart = endpoint({
  title: '商品采购价走势',
  method: 'POST',
  path: at('/chart'),
  permission: REPORT,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyPrice.default({}) }),
  reply: z
    .object({
      sku: z.string(),
      months: z.array(z.string()),
      suppliers: z.array(
        z.object({
          name: z.string(),
          prices: z.array(Money.nullable().meta({ currency: 'CNY', permission: PRICE })),
        }),
      ),
    })
    .nullable(),
});
