import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { extensionsOf } from '#kit/server/extension.ts';
import {
  type AccountRef,
  type ReportLoader,
  type ReportSource,
  reportLoaders,
} from '#modules/marketplace/server/index.ts';
import type { BenchWorld } from './world.ts';

export const TYPE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
export const COLUMNS = [
  'amazon-order-id',
  'merchant-order-id',
  'purchase-date',
  'last-updated-date',
  'order-status',
  'fulfillment-channel',
  'sales-channel',
  'order-channel',
  'ship-service-level',
  'product-name',
  'sku',
  'asin',
  'item-status',
  'quantity',
  'currency',
  'item-price',
  'item-tax',
  'shipping-price',
  'shipping-tax',
  'gift-wrap-price',
  'gift-wrap-tax',
  'item-promotion-discount',
  'ship-promotion-discount',
  'ship-city',
  'ship-state',
  'ship-postal-code',
  'ship-country',
  'promotion-ids',
  'is-business-order',
  'purchase-order-number',
  'price-designation',
];

interface Content {
  month: string;
  /** First group of the order numbers: reports with another one tell of other orders. */
  seller: string;
}

/** Nine lines of ten are an order of their own, every tenth belongs to the order before it. */
function line(index: number, { month, seller }: Content): string {
  const order = index - (index % 10 === 9 ? 1 : 0);
  const id = `${seller}-${String(1_000_000 + (order % 9_000_000))}-${String(1_000_000 + Math.floor(order / 9_000_000))}`;
  const day = String(2 + (index % 27)).padStart(2, '0');
  const hour = String(index % 24).padStart(2, '0');
  const at = `${month}-${day}T${hour}:15:00+00:00`;
  const price = (10 + (index % 90) + 0.99).toFixed(2);
  return `${id}\t${id}\t${at}\t${at}\tShipped\tAmazon\tAmazon.com\t\tExpedited\tProduct ${index % 500}\tSKU-${index % 500}\tB0${String(index % 500).padStart(8, '0')}\tShipped\t1\tUSD\t${price}\t0.80\t\t\t\t\t\t\tSeattle\tWA\t98101\tUS\t\tfalse\t\t`;
}

/** An all-orders report of `lines` lines, made while it is read; bytes of a month ("yyyy-MM"), UTF-8. */
export function* orderFile(lines: number, content: Content = { month: '2026-06', seller: '113' }): Generator<Buffer> {
  yield Buffer.from(`${COLUMNS.join('\t')}\n`);
  for (let from = 0; from < lines; from += 2000) {
    let chunk = '';
    for (let index = from; index < Math.min(lines, from + 2000); index += 1) chunk += `${line(index, content)}\n`;
    yield Buffer.from(chunk);
  }
}

/** What the product's loader gets when such a report has been fetched. */
export async function storedReport(world: BenchWorld, account: AccountRef, bytes: Iterable<Buffer>) {
  const stored = await world.runtime.files.put(account.companyId, Readable.from(bytes));
  const source: ReportSource = {
    account,
    reportType: TYPE,
    marketplaceIds: account.marketplaceIds,
    open: () => world.runtime.files.open(account.companyId, stored.sha256),
    charset: 'UTF-8',
    sha256: stored.sha256,
    documentId: randomUUID(),
    fileName: 'bench.txt',
  };
  return { source, size: stored.size };
}

/** The product's own loader of such reports. */
export function orderLoader(world: BenchWorld): ReportLoader {
  const loader = extensionsOf(world.runtime.modules, reportLoaders).find((one) => one.reportTypes.includes(TYPE));
  if (!loader) throw new Error('no loader');
  return loader;
}
