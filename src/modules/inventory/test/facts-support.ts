import { createHash, randomUUID } from 'node:crypto';
import type {
  AccountRef,
  AskedPeriod,
  LandCounts,
  ReportLoader,
  ReportSource,
} from '#modules/marketplace/server/index.ts';
import type { Person, World } from '#test/support/world.ts';
import { eventLoaders } from '../server/facts/events.ts';
import { feeLoaders } from '../server/facts/fees.ts';
import { ledgerLoaders } from '../server/facts/ledger.ts';
import { merchantReturnLoaders } from '../server/facts/merchant-returns.ts';
import { planningLoaders } from '../server/facts/planning.ts';
import { shipmentLoaders } from '../server/facts/shipments.ts';
import { stockReportLoaders } from '../server/facts/stock-reports.ts';
import { US } from './support.ts';

export type Cells = Record<string, string | number>;

export const tsv = (columns: readonly string[], rows: readonly Cells[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((row) => `${row.join('\t')}\n`)
    .join('');

const LOADERS = [
  ...ledgerLoaders,
  ...eventLoaders,
  ...feeLoaders,
  ...planningLoaders,
  ...shipmentLoaders,
  ...stockReportLoaders,
  ...merchantReturnLoaders,
];

export function loaderOf(type: string): ReportLoader {
  const found = LOADERS.find((loader) => loader.reportTypes.includes(type));
  if (!found) throw new Error(type);
  return found;
}

/** The period that the engine asks for: business days of Los Angeles, asked for at some moment. */
export function asked(from: string, to: string, at: string): AskedPeriod {
  return { from: `${from}T07:00:00.000Z`, to: `${to}T07:00:00.000Z`, at: `2026-07-01T${at}:00.000Z`, wholeDays: true };
}

export function source(
  account: AccountRef,
  type: string,
  text: string,
  period?: AskedPeriod,
  sites: readonly string[] = [US],
): ReportSource {
  const bytes = Buffer.from(text, 'utf8');
  return {
    account,
    reportType: type,
    marketplaceIds: sites,
    open: async function* () {
      for (let at = 0; at < bytes.length; at += 701) yield bytes.subarray(at, at + 701);
    },
    charset: 'UTF-8',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'report.txt',
    asked: period,
  };
}

/** Loads a report as the engine, or an upload where no period was asked for. */
export type Load = (
  account: AccountRef,
  type: string,
  text: string,
  period?: AskedPeriod,
  sites?: readonly string[],
) => Promise<LandCounts>;

/** The same in one product for one person's company. */
export function loading(world: World, owner: Person): Load {
  return (account, type, text, period, sites) =>
    world.as(owner, (ctx) => loaderOf(type).load(ctx, source(account, type, text, period, sites)));
}

export const DETAIL = [
  'Date',
  'FNSKU',
  'ASIN',
  'MSKU',
  'Title',
  'Event Type',
  'Reference ID',
  'Quantity',
  'Fulfillment Center',
  'Disposition',
  'Reason',
  'Country',
  'Reconciled Quantity',
  'Unreconciled Quantity',
];

export const move = (day: number, quantity: number, more: Cells = {}): Cells => ({
  Date: `06/${String(day).padStart(2, '0')}/2026`,
  FNSKU: 'X1',
  ASIN: 'B000000001',
  MSKU: 'A',
  'Event Type': quantity > 0 ? 'Receipts' : 'Shipments',
  'Reference ID': `R${day}${quantity}`,
  Quantity: quantity,
  'Fulfillment Center': 'ONT8',
  Disposition: 'SELLABLE',
  Country: 'US',
  ...more,
});

export const siteOf = (account: AccountRef) => ({ sites: [`${US}-${account.id}`] });

export const SUMMARY = [
  'Date',
  'FNSKU',
  'ASIN',
  'MSKU',
  'Title',
  'Disposition',
  'Starting Warehouse Balance',
  'In Transit Between Warehouses',
  'Receipts',
  'Customer Shipments',
  'Customer Returns',
  'Vendor Returns',
  'Warehouse Transfer In/Out',
  'Found',
  'Lost',
  'Damaged',
  'Disposed',
  'Other Events',
  'Ending Warehouse Balance',
  'Unknown Events',
  'Location',
];
export const balance = (day: number, starting: number, part: Cells, ending: number): Cells => ({
  ...move(day, 0),
  'Starting Warehouse Balance': starting,
  'Ending Warehouse Balance': ending,
  Location: 'US',
  ...Object.fromEntries(SUMMARY.slice(8, 18).map((column) => [column, 0])),
  ...part,
});
