import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Money, Product, Store } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { FIGURE_KEYS } from './figures.ts';
import { Month } from './period.ts';
import { VIEW } from './report.ts';

/** What one figure of a SKU's day came to differ by after its month was closed; costs are in CNY. */
export const LateRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  day: Day.meta({ title: '归属日', width: 104 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  sku: z.string().meta({ title: 'SKU', hidden: true }),
  storeKey: z.string().meta({ title: '店铺', hidden: true }),
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  figure: z.enum([...FIGURE_KEYS, 'cogs', 'fees']).meta({ title: '项目代码', hidden: true }),
  title: z.string().meta({ title: '项目', width: 110 }),
  month: Month.meta({ title: '入账月份', kind: 'month', width: 96 }),
  currency: Currency.meta({ hidden: true }),
  amount: Money.meta({ title: '差额', currency: 'currency', width: 120, good: 'up' }),
});
export type LateRow = z.infer<typeof LateRow>;

/** Money of a closed month that came after it was closed, the newest day first, in its own currencies. */
export const listLateMoney = endpoint({
  title: '关账后发生',
  method: 'POST',
  path: '/amazon/api/v1/profit/period/late',
  permission: VIEW,
  access: 'read',
  body: PageQuery(z.object({ month: Month })),
  sortable: ['day', 'amount'],
  reply: Page(LateRow),
});
