import type { SimStock } from '../business/index.ts';
import { DAY } from '../business/marketplaces.ts';
import { type Asked, type Cells, DAILY_MIN, dayIn, fbaTable, named, ofPresent } from './report-fba.ts';
import type { ReportType } from './report-types.ts';

const RESERVED = [
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'reserved_qty',
  'reserved_customerorders',
  'reserved_fc-transfers',
  'reserved_fc-processing',
  'reserved_staging',
  'program',
];

const BY_COUNTRY = [
  'seller-sku',
  'fulfillment-channel-sku',
  'asin',
  'condition-type',
  'country',
  'quantity-for-local-fulfillment',
];

const REMOVAL = [
  'snapshot-date',
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'condition',
  'sellable-quantity',
  'sellable-271-365-days',
  'sellable-365+-days',
  'sellable-removal-quantity',
  'unsellable-quantity',
  'unsellable-0-7-days',
  'unsellable-8-60-days',
  'unsellable-61-90-days',
  'sellable-121-180-days',
  'sellable-181-270-days',
];

/** Ages of goods in whole days: [column, first day, first day of the next]. */
const SELLABLE: readonly [column: string, from: number, to: number][] = [
  ['sellable-121-180-days', 121, 181],
  ['sellable-181-270-days', 181, 271],
  ['sellable-271-365-days', 271, 366],
  ['sellable-365+-days', 366, Number.POSITIVE_INFINITY],
];
const UNSELLABLE: typeof SELLABLE = [
  ['unsellable-0-7-days', 0, 8],
  ['unsellable-8-60-days', 8, 61],
  ['unsellable-61-90-days', 61, 91],
];

const reserved = fbaTable(RESERVED, ({ world, account, market, until }) =>
  world.business.stock(account, market.marketplaceId, until).map((stock) => ({
    ...named(stock.product, market),
    reserved_qty: stock.reservedCustomerOrders + stock.reservedTransfers + stock.reservedProcessing,
    reserved_customerorders: stock.reservedCustomerOrders,
    'reserved_fc-transfers': stock.reservedTransfers,
    'reserved_fc-processing': stock.reservedProcessing,
    reserved_staging: 0,
  })),
);

/** Pieces for sale in each European country; countries without any of a product are left out, and so are other regions. */
const byCountry = fbaTable(BY_COUNTRY, ({ world, account, market, until }) => {
  if (market.region !== 'eu') return [];
  return world.business
    .stock(account, market.marketplaceId, until)
    .filter(({ product, fulfillable }) => product.fulfilment === 'AFN' && fulfillable > 0)
    .map(
      (stock): Cells => ({
        'seller-sku': stock.product.sku,
        'fulfillment-channel-sku': stock.product.fnsku,
        asin: stock.product.asin,
        'condition-type': 'NewItem',
        country: market.countryCode,
        'quantity-for-local-fulfillment': stock.fulfillable,
      }),
    );
});

interface Arrival {
  /** Days since. */
  age: number;
  pieces: number;
}

/** `total` pieces by age: what came last still lies there. What nothing tells the age of is in none of the columns. */
function agesOf(columns: typeof SELLABLE, total: number, arrivals: readonly Arrival[]): Cells {
  const cells: Record<string, number> = Object.fromEntries(columns.map(([column]) => [column, 0]));
  let left = total;
  for (const { age, pieces } of arrivals.toSorted((a, b) => a.age - b.age)) {
    const [column] = columns.find(([, from, to]) => age >= from && age < to) ?? [];
    const lying = Math.min(left, pieces);
    if (column !== undefined) cells[column] = (cells[column] ?? 0) + lying;
    left -= lying;
  }
  return cells;
}

/** When the pieces of a product came into the warehouses, as what can be sold or as what cannot. */
function arrivalsOf({ books, market, until }: Asked, stock: SimStock, isSellable: boolean): Arrival[] {
  const today = Date.parse(dayIn(market, until));
  return books.movements
    .filter(
      ({ product, quantity, disposition, event }) =>
        product.sku === stock.product.sku &&
        quantity > 0 &&
        (disposition === 'SELLABLE') === isSellable &&
        (event === 'Receipts' || !isSellable),
    )
    .map(({ at, quantity }) => ({ age: (today - Date.parse(dayIn(market, at))) / DAY, pieces: quantity }));
}

/** Goods that Amazon would have taken away: what cannot be sold, and what lies for more than a year. */
const removal = fbaTable(REMOVAL, (asked) => {
  const { world, account, market, until } = asked;
  return world.business.stock(account, market.marketplaceId, until).flatMap((stock): Cells[] => {
    if (stock.product.fulfilment !== 'AFN') return [];
    const sellable = agesOf(SELLABLE, stock.fulfillable, arrivalsOf(asked, stock, true));
    const old = Number(sellable['sellable-365+-days']);
    if (old + stock.unsellable === 0) return [];
    return [
      {
        ...named(stock.product, market),
        'snapshot-date': dayIn(market, until),
        condition: 'New',
        'sellable-quantity': stock.fulfillable,
        ...sellable,
        'sellable-removal-quantity': old,
        'unsellable-quantity': stock.unsellable,
        ...agesOf(UNSELLABLE, stock.unsellable, arrivalsOf(asked, stock, false)),
      },
    ];
  });
});

/** Reports about the present state of Amazon's warehouses. */
export const stockTypes: Readonly<Record<string, ReportType>> = {
  GET_RESERVED_INVENTORY_DATA: ofPresent(reserved),
  GET_AFN_INVENTORY_DATA_BY_COUNTRY: ofPresent(byCountry),
  GET_FBA_RECOMMENDED_REMOVAL_DATA: { ...ofPresent(removal), intervalMin: DAILY_MIN },
};
