import { fbaTable, named, ofPresent } from './report-fba.ts';
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

/** Reports about the present state of Amazon's warehouses. */
export const stockTypes: Readonly<Record<string, ReportType>> = {
  GET_RESERVED_INVENTORY_DATA: ofPresent(reserved),
};
