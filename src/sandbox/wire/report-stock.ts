import type { SimAccount, SimListing, SimMarketplace, SimStock } from '../business/types.ts';
import type { ReportTable } from './report-table.ts';
import type { World } from './world.ts';

const stockColumns = [
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'condition',
  'your-price',
  'mfn-listing-exists',
  'mfn-fulfillable-quantity',
  'afn-listing-exists',
  'afn-warehouse-quantity',
  'afn-fulfillable-quantity',
  'afn-unsellable-quantity',
  'afn-reserved-quantity',
  'afn-total-quantity',
  'per-unit-volume',
  'afn-inbound-working-quantity',
  'afn-inbound-shipped-quantity',
  'afn-inbound-receiving-quantity',
  'afn-researching-quantity',
  'afn-reserved-future-supply',
  'afn-future-supply-buyable',
  'afn-fc-transfer-quantity',
  'afn-onhand-buyable-quantity',
  'store',
  'afn-fulfillable-quantity-local',
  'afn-fulfillable-quantity-remote',
] as const;

const listingColumns = [
  'item-name',
  'item-description',
  'listing-id',
  'seller-sku',
  'price',
  'quantity',
  'open-date',
  'image-url',
  'item-is-marketplace',
  'product-id-type',
  'item-note',
  'item-condition',
  'asin1',
  'asin2',
  'asin3',
  'will-ship-internationally',
  'expedited-shipping',
  'product-id',
  'add-delete',
  'pending-quantity',
  'fulfillment-channel',
  'merchant-shipping-group',
  'status',
] as const;

/** The product's title in the marketplace's language, else in English. */
export function titleIn(product: SimListing['product'], marketplace: SimMarketplace): string {
  const language = marketplace.language.slice(0, 2);
  return product.titles[language] ?? product.titles.en ?? product.sku;
}

/** Manage FBA inventory, unsuppressed: one row per FBA SKU of the marketplace, as of `asOf`. */
export function fbaInventoryTable(
  world: World,
  account: SimAccount,
  marketplace: SimMarketplace,
  asOf: number,
): ReportTable {
  const prices = new Map(
    world.business.listings(account, marketplace.marketplaceId, asOf).map((l) => [l.product.sku, l.price]),
  );
  const rows = world.business
    .stock(account, marketplace.marketplaceId, asOf)
    .filter((stock) => stock.product.fulfilment === 'AFN')
    .map((stock) => {
      const cells = stockCells(stock, marketplace, prices.get(stock.product.sku) ?? '');
      return stockColumns.map((column) => cells[column] ?? '');
    });
  return { columns: stockColumns, rows, pinned: 0, eol: '\r\n' };
}

function stockCells(
  stock: SimStock,
  marketplace: SimMarketplace,
  price: string,
): Partial<Record<(typeof stockColumns)[number], string>> {
  const { product, fulfillable, unsellable, researching } = stock;
  const reserved = stock.reservedCustomerOrders + stock.reservedTransfers + stock.reservedProcessing;
  const warehouse = fulfillable + unsellable + reserved + researching;
  const inbound = stock.inboundWorking + stock.inboundShipped + stock.inboundReceiving;
  return {
    sku: product.sku,
    fnsku: product.fnsku,
    asin: product.asin,
    'product-name': titleIn(product, marketplace),
    condition: 'New',
    'your-price': price,
    'mfn-listing-exists': 'No',
    'afn-listing-exists': 'Yes',
    'afn-warehouse-quantity': String(warehouse),
    'afn-fulfillable-quantity': String(fulfillable),
    'afn-unsellable-quantity': String(unsellable),
    'afn-reserved-quantity': String(reserved),
    'afn-total-quantity': String(warehouse + inbound),
    'per-unit-volume': volumeOf(product, marketplace),
    'afn-inbound-working-quantity': String(stock.inboundWorking),
    'afn-inbound-shipped-quantity': String(stock.inboundShipped),
    'afn-inbound-receiving-quantity': String(stock.inboundReceiving),
    'afn-researching-quantity': String(researching),
    'afn-reserved-future-supply': '0',
    'afn-future-supply-buyable': '0',
    'afn-fc-transfer-quantity': String(stock.reservedTransfers),
    'afn-onhand-buyable-quantity': String(fulfillable),
    'afn-fulfillable-quantity-local': marketplace.region === 'eu' ? String(fulfillable) : '',
    'afn-fulfillable-quantity-remote': marketplace.region === 'eu' ? '0' : '',
  };
}

/** Cubic feet in North America, litres elsewhere, two decimals. */
function volumeOf(product: SimStock['product'], marketplace: SimMarketplace): string {
  const cubicCm = product.lengthCm * product.widthCm * product.heightCm;
  return (cubicCm / (marketplace.region === 'na' ? 28_316.846592 : 1000)).toFixed(2);
}

/** Which listings a listings report holds. */
export type ListingFilter = 'all' | 'active' | 'inactive';

/** All listings of one marketplace with their state, as of `asOf`. */
export function listingsTable(
  world: World,
  account: SimAccount,
  marketplace: SimMarketplace,
  asOf: number,
  filter: ListingFilter = 'all',
): ReportTable {
  const rows = world
    .listings(account, marketplace.marketplaceId, asOf)
    .filter((listing) => filter === 'all' || (listing.status === 'ACTIVE') === (filter === 'active'))
    .map((listing) => {
      const cells = listingCells(world, listing, marketplace);
      return listingColumns.map((column) => cells[column] ?? '');
    });
  return { columns: listingColumns, rows, pinned: 0, eol: '\r\n' };
}

function listingCells(
  world: World,
  listing: SimListing,
  marketplace: SimMarketplace,
): Partial<Record<(typeof listingColumns)[number], string>> {
  const { product } = listing;
  return {
    'item-name': titleIn(product, marketplace),
    'listing-id': listing.listingId,
    'seller-sku': product.sku,
    price: listing.price,
    quantity: listing.quantity === undefined ? '' : String(listing.quantity),
    'open-date': localTime(product.openedAt, marketplace),
    'image-url': `${world.publicUrl}/images/${product.imageKey}.svg`,
    'item-is-marketplace': 'y',
    'product-id-type': '1',
    'item-condition': '11',
    asin1: product.asin,
    'product-id': product.asin,
    'pending-quantity': '0',
    'fulfillment-channel': product.fulfilment === 'MFN' ? 'DEFAULT' : amazonChannel(marketplace),
    'merchant-shipping-group': 'Migrated Template',
    status: `${listing.status.charAt(0)}${listing.status.slice(1).toLowerCase()}`,
  };
}

function amazonChannel(marketplace: SimMarketplace): string {
  if (marketplace.region === 'fe') return `AMAZON_${marketplace.countryCode}`;
  return marketplace.region === 'na' ? 'AMAZON_NA' : 'AMAZON_EU';
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** One formatter of a kind for all rows: each holds tens of kilobytes outside of the heap, until a collection frees it. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(key, known);
  return known;
}

/** "2026-01-15 09:21:31 PST" (slashes in Japan, day first in Europe), in the marketplace's own zone. */
function localTime(at: number, marketplace: SimMarketplace): string {
  const parts = formatterOf('en-US', {
    timeZone: marketplace.timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((p) => p.type === type)?.value ?? '';
  const time = `${part('hour')}:${part('minute')}:${part('second')} ${zoneName(at, marketplace)}`;
  if (marketplace.region === 'eu') return `${part('day')}/${part('month')}/${part('year')} ${time}`;
  const separator = marketplace.countryCode === 'JP' ? '/' : '-';
  return `${[part('year'), part('month'), part('day')].join(separator)} ${time}`;
}

function zoneName(at: number, marketplace: SimMarketplace): string {
  if (marketplace.countryCode === 'JP') return 'JST';
  const locale = marketplace.region === 'eu' ? 'en-GB' : 'en-US';
  const parts = formatterOf(locale, {
    timeZone: marketplace.timeZone,
    timeZoneName: 'short',
  }).formatToParts(at);
  return parts.find((p) => p.type === 'timeZoneName')?.value ?? 'UTC';
}
