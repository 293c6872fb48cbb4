import { z } from 'zod';
import { choice, code, goods, goodsFilter, listOf, pieces, word } from './facts.ts';

/** Countries of Europe in which Amazon keeps goods, as reports write them; another one is shown as it is written. */
export const STOCK_COUNTRIES = {
  GB: choice('英国'),
  DE: choice('德国'),
  FR: choice('法国'),
  IT: choice('意大利'),
  ES: choice('西班牙'),
  NL: choice('荷兰'),
  BE: choice('比利时'),
  IE: choice('爱尔兰'),
  SE: choice('瑞典'),
  PL: choice('波兰'),
  CZ: choice('捷克'),
};

const condition = z.string().meta({ title: '商品状况', width: 100, optional: true });
const fnsku = code('FNSKU', 120).meta({ optional: true });

export const CountryStockRow = z.object({
  ...goods,
  country: word('所在国家', STOCK_COUNTRIES, 90).meta({ tip: '库存所在的国家，与店铺站点可能不同' }),
  localQuantity: pieces('本地可售', 90).meta({ tip: '该国仓库中可直接配送的件数' }),
  condition,
  fnsku,
});
export type CountryStockRow = z.infer<typeof CountryStockRow>;

export const CountryStockFilter = z.object({
  ...goodsFilter,
  countries: z.array(z.string().max(2)).max(20).meta({ title: '所在国家', kind: 'choice' }),
});
const AnyCountryStockFilter = CountryStockFilter.partial();
export type CountryStockFilter = z.infer<typeof AnyCountryStockFilter>;

export const countryStock = listOf({
  title: '欧洲各国库存',
  path: '/amazon/api/v1/inventory/country',
  row: CountryStockRow,
  filter: CountryStockFilter,
  sortable: ['day', 'product', 'country', 'localQuantity'],
});

const age = (title: string, group: string) => pieces(title, 84).meta({ group });

export const RemovalAdviceRow = z.object({
  ...goods,
  sellable: pieces('可售'),
  sellable121: age('121–180', '可售库龄（天）'),
  sellable181: age('181–270', '可售库龄（天）'),
  sellable271: age('271–365', '可售库龄（天）'),
  sellable365: age('365+', '可售库龄（天）'),
  sellableRemoval: pieces('建议移除（可售）', 130),
  unsellable: pieces('不可售'),
  unsellable0: age('0–7', '不可售库龄（天）'),
  unsellable8: age('8–60', '不可售库龄（天）'),
  unsellable61: age('61–90', '不可售库龄（天）'),
  condition,
  fnsku,
});
export type RemovalAdviceRow = z.infer<typeof RemovalAdviceRow>;

export const RemovalAdviceFilter = z.object(goodsFilter);
const AnyRemovalAdviceFilter = RemovalAdviceFilter.partial();
export type RemovalAdviceFilter = z.infer<typeof AnyRemovalAdviceFilter>;

export const removalAdvice = listOf({
  title: '建议移除',
  path: '/amazon/api/v1/inventory/removalAdvice',
  row: RemovalAdviceRow,
  filter: RemovalAdviceFilter,
  sortable: ['day', 'product', 'sellable', 'sellable365', 'sellableRemoval', 'unsellable'],
});
