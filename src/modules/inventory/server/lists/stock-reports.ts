import type { Ctx } from '#kit/server/context.ts';
import {
  type CountryStockFilter,
  CountryStockRow,
  type RemovalAdviceFilter,
  RemovalAdviceRow,
} from '../../contract/stock-reports.ts';
import { among, type FactList } from './base.ts';
import { newestOf } from './newest.ts';

interface CountryStock {
  country: string;
  quantity: number;
  condition: string;
}

/** Where in Europe the goods lie. */
export const countryStockList = (
  ctx: Ctx,
  { countries, ...filter }: CountryStockFilter,
): FactList<CountryStock, CountryStockRow> => ({
  title: '欧洲各国库存',
  resource: 'inventory.countryStock',
  row: CountryStockRow,
  query: among(
    newestOf(ctx, 'inventory.country_day', 'GET_AFN_INVENTORY_DATA_BY_COUNTRY', filter),
    'country',
    countries,
  ),
  sort: { day: 'f.day', country: 'f.country', localQuantity: 'f.quantity' },
  sums: { localQuantity: 'quantity' },
  map: (row, goods) => ({
    ...goods,
    country: row.country,
    localQuantity: row.quantity,
    condition: row.condition,
    fnsku: row.fnsku,
  }),
});

interface Advice {
  title: string;
  condition: string;
  sellable: number;
  sellable_121: number;
  sellable_181: number;
  sellable_271: number;
  sellable_365: number;
  sellable_removal: number;
  unsellable: number;
  unsellable_0: number;
  unsellable_8: number;
  unsellable_61: number;
}

const ADVICE_SUMS = {
  sellable: 'sellable',
  sellable121: 'sellable_121',
  sellable181: 'sellable_181',
  sellable271: 'sellable_271',
  sellable365: 'sellable_365',
  sellableRemoval: 'sellable_removal',
  unsellable: 'unsellable',
  unsellable0: 'unsellable_0',
  unsellable8: 'unsellable_8',
  unsellable61: 'unsellable_61',
};

/** What Amazon would have taken away. */
export const removalAdviceList = (ctx: Ctx, filter: RemovalAdviceFilter): FactList<Advice, RemovalAdviceRow> => ({
  title: '建议移除',
  resource: 'inventory.removalAdvice',
  row: RemovalAdviceRow,
  query: newestOf(ctx, 'inventory.removal_advice_day', 'GET_FBA_RECOMMENDED_REMOVAL_DATA', filter),
  sort: {
    day: 'f.day',
    sellable: 'f.sellable',
    sellable365: 'f.sellable_365',
    sellableRemoval: 'f.sellable_removal',
    unsellable: 'f.unsellable',
  },
  sums: ADVICE_SUMS,
  map: (row, goods) => ({
    ...goods,
    sellable: row.sellable,
    sellable121: row.sellable_121,
    sellable181: row.sellable_181,
    sellable271: row.sellable_271,
    sellable365: row.sellable_365,
    sellableRemoval: row.sellable_removal,
    unsellable: row.unsellable,
    unsellable0: row.unsellable_0,
    unsellable8: row.unsellable_8,
    unsellable61: row.unsellable_61,
    condition: row.condition,
    fnsku: row.fnsku,
  }),
});
