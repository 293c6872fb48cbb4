import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORPUS } from '#test/support/corpus.ts';
import type { ByteSource } from '../server/files/index.ts';
import {
  allOrdersByUpdate,
  customerReturns,
  feePreviews,
  inventoryByCountry,
  ledgerDetail,
  listingsAll,
  readMapped,
  readTable,
  settlementV1,
  settlementV2,
  sniff,
  suggestMapping,
} from '../server/files/index.ts';
import { collect, encode } from './fixtures/build.ts';

/** Real files of real sellers. They may be read where they lie and never be copied, so they are not in the repository. */
const present = existsSync(CORPUS);
if (!present) console.error(`real files are not tested: ${CORPUS} is not there (set CORPUS_DIR)`);

const at = (path: string) => join(CORPUS, path);
const source =
  (path: string): ByteSource =>
  () =>
    createReadStream(at(path));
const head = async (path: string) => (await readFile(at(path))).subarray(0, 65_536);

describe.skipIf(!present)('real files', () => {
  it.each([
    ['v1-flat-file-ca-2025-07-31.txt', '-62.31', 15, 15, 2, 2],
    ['v1-flat-file-ca-2025-08-14.txt', '1016.08', 189, 153, 35, 36],
  ])('settlement %s adds up to %s', async (file, total, detailRows, amounts, ids, pairs) => {
    const path = `settlements/${file}`;
    expect(await sniff(await head(path))).toMatchObject({ kind: 'report', type: settlementV1.type });
    const reading = settlementV1.read(source(path), { marketplaceId: 'A2EUQ1WTGCTBG2' });
    expect(await reading.header).toMatchObject({
      totalAmount: total,
      lineSum: total,
      currency: 'CAD',
      detailRows,
      warnings: [],
    });
    const lines = await collect(reading.rows);
    expect(lines).toHaveLength(amounts);
    expect(lines.every((line) => line.postedAt !== null && line.amountDescription !== '')).toBe(true);
    const orders = lines.filter((line) => line.orderId !== '');
    const postings = new Set(orders.map((line) => `${line.transactionType} ${line.orderId}`));
    expect([new Set(orders.map((line) => line.orderId)).size, postings.size]).toEqual([ids, pairs]);
  });

  it('a settlement with any single amount changed by a cent is refused', async () => {
    const text = await readFile(at('settlements/v1-flat-file-ca-2025-07-31.txt'), 'utf8');
    const amounts = [...text.matchAll(/(?<=\t)-?\d+\.\d\d(?= *[\t\n])/g)];
    expect(amounts.length).toBeGreaterThan(14);
    for (const match of amounts) {
      const cent = match[0].endsWith('9') ? '8' : '9';
      const changed =
        text.slice(0, match.index) + match[0].slice(0, -1) + cent + text.slice(match.index + match[0].length);
      await expect(settlementV1.read(() => [encode(changed)]).header).rejects.toMatchObject({ code: 'UNBALANCED' });
    }
  });

  it('a settlement cut at any byte is refused or has all its lines', async () => {
    const bytes = await readFile(at('settlements/v1-flat-file-ca-2025-07-31.txt'));
    const whole = await collect(settlementV1.read(() => [bytes]).rows);
    const lengths: number[] = [];
    for (let cut = 0; cut < bytes.length; cut++) {
      const reading = settlementV1.read(() => [bytes.subarray(0, cut)]);
      const lines = await collect(reading.rows).catch((error: unknown) => error);
      if (!Array.isArray(lines)) expect(lines).toMatchObject({ name: 'FileRefused' });
      else {
        lengths.push(cut);
        expect(lines).toEqual(whole);
      }
    }
    expect(lengths.length).toBeGreaterThan(0);
  });

  it('the Indian order list gives its control figures', async () => {
    const path = 'orders/amazon-in-sale-report-1001.csv';
    const { headers } = await readTable(source(path));
    const { facts } = await readMapped(source(path), { mapping: suggestMapping(headers), timeZone: 'Asia/Kolkata' });
    expect(facts).toMatchObject({
      rows: 1001,
      goodRows: 1001,
      units: '916',
      amounts: [{ currency: 'INR', lines: 931, amount: '585972.22' }],
      dayOrder: 'month-first',
      firstDay: '2022-03-31',
      lastDay: '2022-06-29',
      errorCount: 0,
    });
  });

  it.each([
    ['amazon-in-sale-report-30-original-headers.csv', 30, 12],
    ['amazon-in-sale-report-first-2500-narrow.csv', 2500, 7],
  ])('the order list %s is read whole, %d lines', async (file, rows, fields) => {
    const path = `orders/${file}`;
    expect(await sniff(await head(path))).toMatchObject({ kind: 'table', format: 'text' });
    const mapping = suggestMapping((await readTable(source(path))).headers);
    expect(Object.keys(mapping)).toHaveLength(fields);
    const { facts } = await readMapped(source(path), { mapping, defaultCurrency: 'INR' });
    expect(facts).toMatchObject({ rows, goodRows: rows, errorCount: 0, dayOrder: 'month-first' });
  });

  it('every known header is recognised as what it is', async () => {
    const known = JSON.parse(await readFile(at('headers/report-headers.json'), 'utf8')) as Record<
      string,
      { columns?: string[] }
    >;
    const kinds: Record<string, string> = {};
    for (const [name, entry] of Object.entries(known)) {
      if (!entry.columns) continue;
      const found = await sniff(encode(`${entry.columns.join('\t')}\n`));
      kinds[name.replace(/ .*/, '')] = found.kind === 'report' ? found.type : found.reason;
    }
    expect(kinds).toMatchObject({
      GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE: settlementV1.type,
      GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2: settlementV2.type,
      GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL: allOrdersByUpdate.type,
      GET_MERCHANT_LISTINGS_ALL_DATA: listingsAll.type,
      GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: customerReturns.type,
      GET_LEDGER_DETAIL_VIEW_DATA: ledgerDetail.type,
      GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: feePreviews.type,
      GET_AFN_INVENTORY_DATA_BY_COUNTRY: inventoryByCountry.type,
    });
    const foreign = Object.entries(kinds).filter(([, kind]) => !kind.startsWith('GET_'));
    expect(foreign).toHaveLength(2);
    for (const [, reason] of foreign) expect(reason).toMatch(/^这是.*不支持在此导入$/);
  });

  it('the known headers of orders and listings have no column that would be called new', async () => {
    const known = JSON.parse(await readFile(at('headers/report-headers.json'), 'utf8')) as Record<
      string,
      { columns?: string[] }
    >;
    for (const reader of [allOrdersByUpdate, listingsAll]) {
      const columns = Object.entries(known).find(([name]) => name.startsWith(`${reader.type} `))?.[1].columns ?? [];
      const facts = await reader.read(() => [encode(`${columns.join('\t')}\n`)]).header;
      expect([columns.length > 28, facts.extraHeaders, facts.warnings]).toEqual([true, [], []]);
    }
  });

  it('the encoded files decode, by declaration and by marketplace', async () => {
    const last = async (path: string, options: object) =>
      (await collect((await readTable(source(path), options)).rows()))[0]?.values;
    const japanese = ['こんにちは世界', 'こんにちは世界', 'こんにちは世界'];
    expect(await last('wire/CP932EncodedFile.txt', { charset: 'text/plain; charset=Shift_JIS' })).toEqual(japanese);
    expect(await last('wire/CP932EncodedFile.txt', { marketplaceId: 'A1VC38T7YXB528' })).toEqual(japanese);
    const german = ['Gähnen', 'Löwe', 'Straße'];
    expect(await last('wire/ISO-8859-1EncodedFile.txt', { charset: 'ISO-8859-1' })).toEqual(german);
    expect(await last('wire/ISO-8859-1EncodedFile.txt', { marketplaceId: 'A1PA6795UKMFR9' })).toEqual(german);
    await expect(readTable(source('wire/CP932EncodedFile.txt'))).rejects.toMatchObject({ code: 'CHARSET' });
  });

  it('nothing else on the wire or among the transcribed tables is taken for a report', async () => {
    for (const folder of ['wire', 'wire/spapi-client-metadata', 'headers', 'transactions']) {
      const entries = await readdir(at(folder), { withFileTypes: true });
      for (const entry of entries.filter((one) => one.isFile() && /\.(json|gz|md)$/.test(one.name))) {
        expect([entry.name, (await sniff(await head(`${folder}/${entry.name}`))).kind]).toEqual([entry.name, 'none']);
      }
    }
  });

  it('workbooks of the advertising console are read cell by cell', async () => {
    const table = await readTable(source('ads/in-2020-02-sp-search-term-daily.xlsx'));
    const rows = await collect(table.rows());
    expect(rows).toHaveLength(923);
    expect(rows[0]?.values.slice(0, 3)).toEqual(['2020-02-01 00:00:00', 'Not grouped', 'INR']);
    const spend = table.headers.indexOf('Spend');
    const cents = rows.reduce((sum, row) => sum + BigInt(Math.round(Number(row.values[spend]) * 100)), 0n);
    expect(cents).toBe(4_710_812n);
  });
});
