import type { FbaBooks, SimAccount, SimMarketplace, SimProduct } from '../business/index.ts';
import { localDate } from '../business/marketplaces.ts';
import { titleIn } from './report-stock.ts';
import type { ReportTable } from './report-table.ts';
import type { ReportScope, ReportType } from './report-types.ts';
import type { World } from './world.ts';

/** Cells of a row by column; what is missing is blank. */
export type Cells = Record<string, string | number | undefined>;

/** The books of one marketplace of a report's scope, as of the end of its period. */
export interface Asked {
  world: World;
  account: SimAccount;
  market: SimMarketplace;
  books: FbaBooks;
  /** [from, until], epoch ms; nothing later than the asking. */
  from: number;
  until: number;
  /** When the report was asked for. */
  asOf: number;
}

/** A flat file over all marketplaces of a scope: one after the other, each with its rows in order. */
export function fbaTable(
  columns: readonly string[],
  rowsOf: (asked: Asked) => Cells[],
): (world: World, account: SimAccount, scope: ReportScope) => ReportTable {
  return (world, account, { marketplaceIds, from, to, asOf }) => {
    const until = Math.min(to === from ? asOf : to - 1, asOf);
    const rows = marketplaceIds.flatMap((id) =>
      rowsOf({
        world,
        account,
        market: world.marketplace(id),
        books: world.business.fba(account, id, until),
        from,
        until,
        asOf,
      }),
    );
    return {
      columns,
      rows: rows.map((cells) => columns.map((column) => String(cells[column] ?? ''))),
      pinned: 0,
      eol: '\n',
    };
  };
}

/** Minutes between two of a report that is made once or a few times a day. */
export const DAILY_MIN = 4 * 60;

/** A report about a period, and one about the present. */
export const overPeriod = (maxDays: number, table: ReturnType<typeof fbaTable>): ReportType => ({
  maxDays,
  intervalMin: DAILY_MIN,
  singleMarketplace: false,
  table,
});
export const ofPresent = (table: ReturnType<typeof fbaTable>): ReportType => ({ singleMarketplace: false, table });

/** "2026-06-15T18:20:00+00:00", as the warehouses' reports write instants. */
export function stamp(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, '+00:00');
}

/** Business day of a marketplace, "2026-06-15". */
export function dayIn(market: SimMarketplace, at: number): string {
  return localDate(market.timeZone, at);
}

/** How most of these reports name a product. */
export function named(product: SimProduct, market: SimMarketplace): Cells {
  return { sku: product.sku, fnsku: product.fnsku, asin: product.asin, 'product-name': titleIn(product, market) };
}
