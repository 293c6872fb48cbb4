import { z } from 'zod';
import { Day, Money, OptionalText, Quantity, Rate, Store } from '#kit/contract/field.ts';
import { code, goodsFilter, listOf, RowKey } from '#modules/inventory/contract/facts.ts';

const count = (title: string, tip?: string) => Quantity.meta({ title, width: 110, ...(tip ? { tip } : {}) });
const share = (title: string) => Rate.nullable().meta({ title, width: 110, tip: '本ASIN ÷ 总数，按亚马逊给出的数值' });
const price = (title: string, tip: string, optional = true) =>
  Money.nullable().meta({ title, currency: 'currency', width: 130, tip, optional });

export const SearchQueryRow = z.object({
  id: RowKey,
  day: Day.meta({ title: '周（周日起）', width: 110 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  asin: code('ASIN', 120),
  itemName: z.string().meta({ title: '商品名称', width: 220 }),
  query: z.string().meta({ title: '搜索查询', width: 220 }),
  score: count('搜索查询分数', '该查询在此ASIN所有查询中的表现排名，1为最好'),
  volume: count('搜索查询量', '本周买家搜索该查询的次数'),
  shownTotal: count('展示量：总数', '搜索结果页中所有ASIN的展示次数'),
  shownOwn: count('展示量：本ASIN'),
  shownShare: share('展示量：占比'),
  clicksTotal: count('点击量：总数'),
  clicksOwn: count('点击量：本ASIN'),
  clicksShare: share('点击量：占比'),
  clicksTotalPrice: price('点击：中位价格', '被点击的所有ASIN的价格中位数'),
  clicksOwnPrice: price('点击：本ASIN中位价格', '没有点击时为空'),
  cartsTotal: count('加购量：总数'),
  cartsOwn: count('加购量：本ASIN'),
  cartsShare: share('加购量：占比'),
  cartsTotalPrice: price('加购：中位价格', '被加购的所有ASIN的价格中位数'),
  cartsOwnPrice: price('加购：本ASIN中位价格', '没有加购时为空'),
  boughtTotal: count('购买量：总数'),
  boughtOwn: count('购买量：本ASIN'),
  boughtShare: share('购买量：占比'),
  boughtTotalPrice: price('购买：中位价格', '被购买的所有ASIN的价格中位数', false),
  boughtOwnPrice: price('购买：本ASIN中位价格', '没有购买时为空', false),
  currency: z.string().meta({ title: '币种', hidden: true }),
});
export type SearchQueryRow = z.infer<typeof SearchQueryRow>;

export const SearchQueryFilter = z.object({
  dates: goodsFilter.dates.meta({ title: '周（周日起）' }),
  sites: goodsFilter.sites,
  asin: OptionalText(20, 'ASIN'),
  query: OptionalText(100, '搜索查询'),
});
const AnyFilter = SearchQueryFilter.partial();
export type SearchQueryFilter = z.infer<typeof AnyFilter>;

/** 搜索词表现: what came of each search query for each product of a brand, by week. */
export const searchQueries = listOf({
  title: '搜索词表现',
  path: '/amazon/api/v1/report/searchQuery',
  row: SearchQueryRow,
  filter: SearchQueryFilter,
  may: { view: 'amz:traffic:view', export: 'amz:traffic:export' },
  sortable: [
    'day',
    'score',
    'volume',
    'shownTotal',
    'shownOwn',
    'shownShare',
    'clicksTotal',
    'clicksOwn',
    'clicksShare',
    'cartsTotal',
    'cartsOwn',
    'cartsShare',
    'boughtTotal',
    'boughtOwn',
    'boughtShare',
  ],
});
