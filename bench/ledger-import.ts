import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { extensionsOf } from '#kit/server/extension.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type AccountRef, type ReportSource, reportLoaders } from '#modules/marketplace/server/index.ts';
import { ASKED, type LedgerKind, ledgerFile, ledgerKinds } from './support/ledger-file.ts';
import { liveMemory, reportTimes, step, timed, withPeak } from './support/measure.ts';
import { copyBytes, plainCopy, textColumns } from './support/plain-copy.ts';
import type { BenchWorld } from './support/world.ts';

const TIMEOUT_MS = 60 * 60_000;
const DAY = `to_date("Date", 'MM/DD/YYYY')`;
const PRODUCT = '"MSKU", "FNSKU", "ASIN"';
const text = (...names: string[]) => names.map((name) => `coalesce("${name}", '')`).join(', ');
const counts = (...names: string[]) => names.map((name) => `coalesce("${name}"::int, 0)`).join(', ');

/** What each report becomes by hand: names and values of its columns, those of its key, and what may change. */
const BY_HAND: Record<string, { table: string; names: string; values: string; key: string; changing: string[] }> = {
  GET_LEDGER_DETAIL_VIEW_DATA: {
    table: 'inventory.ledger_event',
    names:
      'happened_at, seller_sku, fnsku, asin, event, reference, quantity, centre, disposition, reason, country, reconciled, unreconciled',
    values: `"Date and Time"::timestamptz, ${PRODUCT}, "Event Type", "Reference ID", "Quantity"::int, "Fulfillment Center",
      "Disposition", ${text('Reason', 'Country')}, "Reconciled Quantity"::int, "Unreconciled Quantity"::int`,
    key: '"Date", "Date and Time", "MSKU", "FNSKU", "Event Type", "Reference ID", "Quantity", "Fulfillment Center", "Disposition", "Reason", "Country"',
    changing: ['asin', 'reconciled', 'unreconciled'],
  },
  GET_LEDGER_SUMMARY_VIEW_DATA: {
    table: 'inventory.ledger_day',
    names: `seller_sku, fnsku, asin, disposition, location, starting, in_transit, receipts, shipments, customer_returns,
      vendor_returns, transfers, found, lost, damaged, disposed, other, unknown, ending`,
    values: `${PRODUCT}, "Disposition", "Location", ${counts(
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
      'Unknown Events',
      'Ending Warehouse Balance',
    )}`,
    key: '"Date", "MSKU", "FNSKU", "ASIN", "Disposition", "Location"',
    changing: ['starting', 'in_transit', 'receipts', 'shipments', 'customer_returns', 'other', 'unknown', 'ending'],
  },
};

/** By hand: COPY the bytes into text columns, then one INSERT … SELECT … ON CONFLICT; equal lines are numbered. */
async function byHand(world: BenchWorld, account: AccountRef, kind: LedgerKind, open: ReportSource['open']) {
  const { admin } = world;
  const made = BY_HAND[kind.type];
  if (!made) throw new Error(kind.type);
  await admin.query('BEGIN');
  await admin.query(`CREATE TEMP TABLE raw (${textColumns(kind.columns)}) ON COMMIT DROP`);
  await copyBytes(admin, 'raw', kind.columns, open);
  const assigned = made.changing.map((name) => `${name} = excluded.${name}`).join(', ');
  const of = (prefix: string) => made.changing.map((name) => `${prefix}.${name}`).join(', ');
  await admin.query(
    `INSERT INTO ${made.table} AS f (company_id, account_id, stock, marketplace_id, document_id, day, row_id, ${made.names})
     SELECT $1, $2, 'US', 'ATVPDKIKX0DER', $3, ${DAY},
            md5(concat_ws('|', ${made.key}, row_number() OVER (PARTITION BY ${made.key})))::uuid, ${made.values}
       FROM raw
     ON CONFLICT (company_id, account_id, day, row_id) DO UPDATE SET ${assigned}
      WHERE (${of('f')}) IS DISTINCT FROM (${of('excluded')})`,
    [account.companyId, account.id, randomUUID()],
  );
  await admin.query('COMMIT');
}

async function storedFile(world: BenchWorld, account: AccountRef, kind: LedgerKind, lines: number) {
  const stored = await world.runtime.files.put(account.companyId, Readable.from(ledgerFile(kind, lines)));
  const source: ReportSource = {
    account,
    reportType: kind.type,
    marketplaceIds: account.marketplaceIds,
    open: () => world.runtime.files.open(account.companyId, stored.sha256),
    charset: 'UTF-8',
    sha256: stored.sha256,
    documentId: randomUUID(),
    fileName: 'bench.txt',
    asked: ASKED,
  };
  return { source, size: stored.size };
}

/** Import of one report of the ledger against COPY plus INSERT … SELECT … ON CONFLICT of the same bytes. */
async function importOf(world: BenchWorld, kind: LedgerKind, lines: number): Promise<void> {
  const loader = extensionsOf(world.runtime.modules, reportLoaders).find((l) => l.reportTypes.includes(kind.type));
  if (!loader) throw new Error('no loader');
  const principal = await world.company();
  const account = await world.account(principal);
  const other = await world.account(await world.company());
  const load = (source: ReportSource) => () =>
    inTenant(world.runtime, principal, (ctx) => loader.load(ctx, source), { timeoutMs: TIMEOUT_MS });
  const used: string[] = [];
  for (const part of [200, 20]) {
    const small = await storedFile(world, await world.account(principal), kind, lines / part);
    used.push(
      `+${await step(`memory at ${lines / part}`, () => liveMemory(load(small.source)))} MB at ${lines / part}`,
    );
  }
  const { source, size } = await storedFile(world, account, kind, lines);
  const plain = await step('plain COPY', () => timed(world, () => plainCopy(world.admin, kind.columns, source.open)));
  const baseline = await step('by hand', () => timed(world, () => byHand(world, other, kind, source.open)));
  const { result: ours, peak } = await step('product', () => withPeak(() => timed(world, load(source))));
  const again = await step('the same again', () => timed(world, load(source)));
  const name = `${kind.title}, ${lines} lines, ${(size / 1e6).toFixed(0)} MB`;
  reportTimes(name, ours, baseline, '<= 2', `${peak}; memory in use ${used.join(', ')} lines`);
  reportTimes('  against COPY into a plain table', ours, plain, '<= 3');
  reportTimes('  the same file again', again, baseline, '<= 0.05');
}

/** Both reports of the FBA ledger. */
export async function ledgerImport(world: BenchWorld, lines: number): Promise<void> {
  const { detail, summary } = ledgerKinds(lines);
  await importOf(world, detail, lines);
  await importOf(world, summary, lines);
}
