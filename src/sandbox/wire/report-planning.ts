import type { FbaDay, SimStock } from '../business/index.ts';
import { DAY } from '../business/marketplaces.ts';
import { type Asked, type Cells, DAILY_MIN, dayIn, fbaTable, named, ofPresent } from './report-fba.ts';
import type { ReportType } from './report-types.ts';

/** Age of goods in whole days, as the report groups it: [name, first day, first day of the next]. */
const AGES: readonly [name: string, from: number, to: number][] = [
  ['0-to-90', 0, 91],
  ['91-to-180', 91, 181],
  ['181-to-270', 181, 271],
  ['271-to-365', 271, 366],
  ['366-to-455', 366, 456],
  ['456-plus', 456, Number.POSITIVE_INFINITY],
];

const SOLD_DAYS = [7, 30, 60, 90] as const;

const PLANNING = [
  'snapshot-date',
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'condition',
  'available',
  'pending-removal-quantity',
  ...AGES.map(([name]) => `inv-age-${name}-days`),
  'currency',
  ...SOLD_DAYS.map((days) => `units-shipped-t${days}`),
  'alert',
  'your-price',
  'sales-price',
  'lowest-price-new-plus-shipping',
  'recommended-action',
  'sell-through',
  'item-volume',
  'volume-unit-measurement',
  'storage-type',
  'storage-volume',
  'marketplace',
  'product-group',
  'sales-rank',
  'days-of-supply',
  'estimated-excess-quantity',
  'weeks-of-cover-t30',
  'weeks-of-cover-t90',
  'featuredoffer-price',
  ...SOLD_DAYS.map((days) => `sales-shipped-last-${days}-days`),
  'estimated-storage-cost-next-month',
  'inbound-quantity',
  'inbound-working',
  'inbound-shipped',
  'inbound-received',
  'Total Reserved Quantity',
  'unfulfillable-quantity',
  'historical-days-of-supply',
  'fba-minimum-inventory-level',
  'fba-inventory-level-health-status',
  'Recommended ship-in quantity',
  'Recommended ship-in date',
];

const STRANDED = [
  'primary-action',
  'date-stranded',
  'Date-classified-as-unsellable',
  'status-primary',
  'status-secondary',
  'error-message',
  'stranded-reason',
  'asin',
  'sku',
  'fnsku',
  'product-name',
  'condition',
  'fulfilled-by',
  'fulfillable-qty',
  'your-price',
  'unfulfillable-qty',
  'reserved-quantity',
  'inbound-shipped-qty',
];

/** Pieces for sale by age: what came last still lies there, as Amazon assumes (first in, first out). */
function agesOf(asked: Asked, stock: SimStock, days: readonly FbaDay[]): Cells {
  let left = stock.fulfillable;
  const byAge = new Map<string, number>(AGES.map(([name]) => [name, 0]));
  const today = Date.parse(dayIn(asked.market, asked.until));
  const arrivals = days.filter(({ disposition, receipts }) => disposition === 'SELLABLE' && receipts > 0);
  for (const { day, receipts } of arrivals.toSorted((a, b) => (a.day < b.day ? 1 : -1))) {
    const age = Math.max(0, (today - Date.parse(day)) / DAY);
    const [name] = AGES.find(([, from, to]) => age >= from && age < to) ?? ['456-plus'];
    const pieces = Math.min(left, receipts);
    byAge.set(name, (byAge.get(name) ?? 0) + pieces);
    left -= pieces;
  }
  // What was never received, such as goods that came back, is young.
  byAge.set('0-to-90', (byAge.get('0-to-90') ?? 0) + left);
  return Object.fromEntries([...byAge].map(([name, pieces]) => [`inv-age-${name}-days`, pieces]));
}

/** Pieces that left by days back from now. */
function shippedOf({ market, until }: Asked, days: readonly FbaDay[]): number[] {
  const today = Date.parse(dayIn(market, until));
  return SOLD_DAYS.map((back) =>
    days
      .filter(({ day }) => Date.parse(day) > today - back * DAY)
      .reduce((sum, { shipments }) => sum - Math.min(0, shipments), 0),
  );
}

const planning = fbaTable(PLANNING, (asked) => {
  const { world, account, market, until, books } = asked;
  const daysOf = Map.groupBy(books.days, ({ product }) => product.sku);
  const prices = new Map(
    world.business.listings(account, market.marketplaceId, until).map((one) => [one.product.sku, one.price]),
  );
  return world.business.stock(account, market.marketplaceId, until).map((stock): Cells => {
    const days = daysOf.get(stock.product.sku) ?? [];
    const shipped = shippedOf(asked, days);
    const [t7 = 0, t30 = 0, , t90 = 0] = shipped;
    const price = prices.get(stock.product.sku);
    const supply = t30 === 0 ? '' : Math.round((stock.fulfillable * 30) / t30);
    const inbound = stock.inboundWorking + stock.inboundShipped + stock.inboundReceiving;
    const excess = t90 === 0 ? 0 : Math.max(0, stock.fulfillable - t90);
    return {
      ...named(stock.product, market),
      'snapshot-date': dayIn(market, until),
      condition: 'New',
      available: stock.fulfillable,
      'pending-removal-quantity': 0,
      ...agesOf(asked, stock, days),
      currency: market.currency,
      ...Object.fromEntries(SOLD_DAYS.map((back, index) => [`units-shipped-t${back}`, shipped[index]])),
      alert: stock.fulfillable === 0 ? 'Out of stock' : supply !== '' && supply < 14 ? 'Low stock' : '',
      'your-price': price,
      'sales-price': price,
      'recommended-action': excess > 0 ? 'Create sale' : t7 * 2 > stock.fulfillable ? 'Restock' : 'No Action Required',
      'sell-through': stock.fulfillable === 0 ? '' : (t90 / stock.fulfillable).toFixed(2),
      'storage-type': 'Other',
      marketplace: market.countryCode,
      'product-group': stock.product.productType,
      'days-of-supply': supply,
      'estimated-excess-quantity': excess,
      'weeks-of-cover-t30': t30 === 0 ? '' : Math.round((stock.fulfillable * 30) / t30 / 7),
      'weeks-of-cover-t90': t90 === 0 ? '' : Math.round((stock.fulfillable * 90) / t90 / 7),
      'inbound-quantity': inbound,
      'inbound-working': stock.inboundWorking,
      'inbound-shipped': stock.inboundShipped,
      'inbound-received': stock.inboundReceiving,
      'Total Reserved Quantity': stock.reservedCustomerOrders + stock.reservedTransfers + stock.reservedProcessing,
      'unfulfillable-quantity': stock.unsellable,
      'historical-days-of-supply': supply,
      'fba-inventory-level-health-status': supply === '' || supply >= 28 ? 'Healthy' : 'Low',
      'Recommended ship-in quantity':
        supply !== '' && supply < 28 ? Math.max(0, t30 - stock.fulfillable - inbound) : '',
    };
  });
});

/** Goods that lie in the warehouse while nobody can buy them: their offers are not active. */
const stranded = fbaTable(STRANDED, ({ world, account, market, until }) => {
  const stocks = new Map(
    world.business.stock(account, market.marketplaceId, until).map((stock) => [stock.product.sku, stock]),
  );
  return world.business.listings(account, market.marketplaceId, until).flatMap((listing): Cells[] => {
    const stock = stocks.get(listing.product.sku);
    const [issue] = listing.issues;
    if (!stock || listing.status === 'ACTIVE' || stock.fulfillable + stock.unsellable === 0 || !issue) return [];
    return [
      {
        ...named(listing.product, market),
        'primary-action': 'Edit listing',
        'date-stranded': dayIn(market, listing.lastUpdatedAt),
        'status-primary': 'Inactive',
        'status-secondary': 'Search Suppressed',
        'error-message': issue.message,
        'stranded-reason': 'Search suppressed',
        condition: 'New',
        'fulfilled-by': 'Amazon',
        'fulfillable-qty': stock.fulfillable,
        'your-price': listing.price,
        'unfulfillable-qty': stock.unsellable,
        'reserved-quantity': stock.reservedCustomerOrders + stock.reservedTransfers + stock.reservedProcessing,
        'inbound-shipped-qty': stock.inboundShipped,
      },
    ];
  });
});

/** What to do about goods in Amazon's warehouses, and goods that nobody can buy. */
export const planningTypes: Readonly<Record<string, ReportType>> = {
  GET_FBA_INVENTORY_PLANNING_DATA: { ...ofPresent(planning), intervalMin: DAILY_MIN },
  GET_STRANDED_INVENTORY_UI_DATA: { ...ofPresent(stranded), intervalMin: DAILY_MIN },
};
