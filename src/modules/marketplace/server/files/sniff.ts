import { constants, gunzipSync } from 'node:zlib';
import { allOrdersByDate, allOrdersByUpdate } from './all-orders.ts';
import type { Charset } from './charset.ts';
import { bomOf, charsetCandidates, charsetOf, decode } from './charset.ts';
import { coupons } from './coupons.ts';
import { customerReturns, reimbursements, removalOrders, removalShipments, reservedInventory } from './fba-events.ts';
import { agedFees, feePreviews, overageFees, storageFees } from './fba-fees.ts';
import { fbaInventory } from './fba-inventory.ts';
import { ledgerDetail, ledgerSummary } from './fba-ledger.ts';
import { inventoryPlanning, strandedInventory } from './fba-planning.ts';
import { fulfilledShipments } from './fba-shipments.ts';
import { inventoryByCountry, recommendedRemovals } from './fba-stock.ts';
import { sellerFeedback } from './feedback.ts';
import { headerKey } from './headers.ts';
import { JSON_HEADER } from './json-report.ts';
import { listingsActive, listingsAll, listingsInactive, listingsOpen } from './listings.ts';
import { merchantReturns } from './merchant-returns.ts';
import { promotions } from './promotions.ts';
import type { FileReader } from './reader.ts';
import type { RefusalCode } from './refusal.ts';
import { FileRefused } from './refusal.ts';
import { searchQueries } from './search-queries.ts';
import { searchTerms } from './search-terms.ts';
import { settlementV1 } from './settlement-v1.ts';
import { settlementV2 } from './settlement-v2.ts';
import { bytesSource, isGzip, isZip } from './source.ts';
import { openTextTable } from './text-table.ts';
import { salesAndTraffic } from './traffic.ts';
import { vatTransactions } from './vat.ts';
import { vatInvoiceData } from './vat-invoices.ts';

/** All readers, the more particular ones first: of two that fit equally well the first is taken. */
export const READERS = [
  settlementV2,
  settlementV1,
  allOrdersByUpdate,
  allOrdersByDate,
  fbaInventory,
  ledgerDetail,
  ledgerSummary,
  customerReturns,
  reimbursements,
  removalOrders,
  removalShipments,
  reservedInventory,
  inventoryPlanning,
  strandedInventory,
  sellerFeedback,
  vatTransactions,
  vatInvoiceData,
  salesAndTraffic,
  searchTerms,
  coupons,
  promotions,
  searchQueries,
  storageFees,
  agedFees,
  feePreviews,
  overageFees,
  fulfilledShipments,
  inventoryByCountry,
  recommendedRemovals,
  merchantReturns,
  listingsAll,
  listingsActive,
  listingsInactive,
  listingsOpen,
] as const satisfies readonly FileReader<unknown>[];

/** Reader of a report type, or undefined for a type that has none. */
export function readerOf(type: string): (typeof READERS)[number] | undefined {
  return READERS.find((reader) => reader.type === type);
}

/** What a file is, judged by its first bytes. */
export type Sniffed =
  | { kind: 'report'; type: string; title: string; charset: Charset; headers: string[] }
  /** A table that is no known report: an order list for a column mapping, perhaps. */
  | { kind: 'table'; format: 'text' | 'xlsx'; headers: string[]; reason: string }
  | { kind: 'none'; code: RefusalCode; reason: string };

/** Reports that exist but are not taken over here; recognised so that the user reads their name. */
const OTHERS: [title: string, columns: string[]][] = [
  ['FBA可售库存报告', ['Warehouse-Condition-code', 'Quantity Available']],
  ['FBA月度库存历史', ['average-quantity', 'end-quantity', 'month']],
  ['广告报告', ['Impressions', 'Clicks', 'Spend']],
];

/**
 * Says which report a file is, or why it is none.
 * @param firstBytes the beginning of the file, packed or not; 64 KB are plenty
 */
export async function sniff(
  firstBytes: Uint8Array,
  options: { charset?: string | undefined; marketplaceId?: string | undefined } = {},
): Promise<Sniffed> {
  if (firstBytes.length === 0) return { kind: 'none', code: 'EMPTY', reason: '文件为空' };
  if (isZip(firstBytes)) return { kind: 'table', format: 'xlsx', headers: [], reason: 'Excel 文件，请按列映射导入' };
  const plain = isGzip(firstBytes) ? unpackHead(firstBytes) : firstBytes;
  if (plain.length === 0) return { kind: 'none', code: 'DAMAGED', reason: '文件已损坏或不完整（gzip 校验失败）' };
  const json = judgeJson(plain);
  if (json) return json;
  const binary = binaryKind(plain);
  if (binary) return { kind: 'none', code: 'FOREIGN', reason: binary };
  // Without a marketplace every charset is tried: only the header has to make sense.
  const candidates = charsetCandidates(charsetOf(options.charset), options.marketplaceId);
  const charsets = [...new Set<Charset>([...candidates, 'cp932', 'windows-1252'])];
  return bestReading(headOf(plain), charsets);
}

async function bestReading(head: Uint8Array, charsets: readonly Charset[]): Promise<Sniffed> {
  let table: Sniffed | undefined;
  let refusal: FileRefused | undefined;
  for (const charset of charsets) {
    try {
      const headers = await headersOf(head, charset);
      const found = judge(headers, bomOf(head)?.charset ?? charset);
      if (found.kind === 'report') return found;
      if (found.kind === 'table' || !table) table = table?.kind === 'table' ? table : found;
    } catch (error) {
      if (error instanceof FileRefused) refusal ??= error;
    }
  }
  if (table) return table;
  return { kind: 'none', code: refusal?.code ?? 'CHARSET', reason: refusal?.message ?? '无法识别文件编码' };
}

/** Only whole lines: the cut at the end of the sample may go through a character. */
function headOf(bytes: Uint8Array): Uint8Array {
  if (bomOf(bytes)?.charset === 'utf-16le') return bytes.subarray(0, bytes.length & ~1);
  const last = Math.max(bytes.lastIndexOf(10), bytes.lastIndexOf(13));
  return last > 0 ? bytes.subarray(0, last + 1) : bytes;
}

async function headersOf(head: Uint8Array, charset: Charset): Promise<string[]> {
  // Decoded in full first, so that a charset which fails below the header is not taken.
  for await (const _ of decode(chunk(head), bomOf(head)?.charset ?? charset));
  return (await openTextTable(bytesSource(head), charset)).headers;
}

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function judge(headers: string[], charset: Charset): Sniffed {
  const reader = READERS.find((one) => one.matches(headers) === 1);
  if (reader) return { kind: 'report', type: reader.type, title: reader.title, charset, headers };
  const keys = new Set(headers.map(headerKey));
  const other = OTHERS.find(([, columns]) => columns.every((column) => keys.has(headerKey(column))));
  if (other) return { kind: 'none', code: 'FOREIGN', reason: `这是${other[0]}，不支持在此导入` };
  const near = nearest(headers);
  if (near) return { kind: 'none', code: 'COLUMNS', reason: near };
  if (headers.length >= 3 && headers.every((name) => name.length < 200)) {
    return { kind: 'table', format: 'text', headers, reason: '不是已知的亚马逊报表，可按列映射导入为订单列表' };
  }
  return { kind: 'none', code: 'FOREIGN', reason: '不是表格文件，也不是已知的亚马逊报表' };
}

/** A known report with a column missing: said so, with the names, instead of "unknown". */
function nearest(headers: string[]): string | undefined {
  const best = scores(headers)[0];
  if (!best || best.score < 0.7 || headers.length < 8) return undefined;
  return `文件列与报表类型不符（${best.title}）：缺少 ${best.missing.join('、')}`;
}

/** A report that is a JSON document says in its beginning which one it is. */
function judgeJson(head: Uint8Array): Sniffed | undefined {
  const start = Buffer.from(head.subarray(0, 8192))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const [, type] = /^\{[\s\S]*?"reportType"\s*:\s*"(GET_[A-Z0-9_]+)"/.exec(start) ?? [];
  if (type === undefined) return undefined;
  const headers = [JSON_HEADER, type];
  const reader = READERS.find((one) => one.matches(headers) === 1);
  if (!reader) return { kind: 'none', code: 'FOREIGN', reason: `暂不支持的报表类型：${type}` };
  return { kind: 'report', type, title: reader.title, charset: 'utf-8', headers };
}

function binaryKind(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.subarray(0, 512)).toString('latin1').trimStart();
  if (start.startsWith('%PDF')) return 'PDF 文件不能导入';
  if (start.startsWith('\u00d0\u00cf\u0011\u00e0')) return '旧版 Excel（.xls）不能导入，请另存为 .xlsx 或 CSV';
  if (start.startsWith('\u0089PNG') || start.startsWith('\u00ff\u00d8\u00ff') || start.startsWith('GIF8'))
    return '图片不能导入';
  if (start.startsWith('<')) return '网页或 XML 文件不能导入，请下载文本格式的报表';
  if (/^[{[]\s*["{[\]}]/.test(start)) return 'JSON 文件不能导入，请下载文本格式的报表';
  return undefined;
}

/** Unpacks what the sample holds: its end is cut, so it is flushed instead of finished. '' when nothing comes out. */
function unpackHead(packed: Uint8Array): Uint8Array {
  try {
    return gunzipSync(packed.subarray(0, 64 * 1024), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array(0);
  }
}

/** How well each reader fits a header, best first: for a page that explains why a file was not recognised. */
export function scores(
  headers: readonly string[],
): { type: string; title: string; score: number; missing: string[] }[] {
  return READERS.map((reader) => ({
    type: reader.type,
    title: reader.title,
    score: reader.matches(headers),
    missing: reader.missing(headers),
  })).sort((a, b) => b.score - a.score);
}
