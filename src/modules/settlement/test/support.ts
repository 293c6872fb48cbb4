import { createHash, randomUUID } from 'node:crypto';
import iconv from 'iconv-lite';
import type { Region } from '#modules/marketplace/contract/marketplaces.ts';
import type { AccountRef, ReportSource } from '#modules/marketplace/server/index.ts';
import type { Person, World } from '#test/support/world.ts';
import { worldClock } from '#test/support/world.ts';

export const US = 'ATVPDKIKX0DER';
export const CA = 'A2EUQ1WTGCTBG2';
export const DE = 'A1PA6795UKMFR9';
export const FR = 'A13V1IB3VIYZZH';
export const JP = 'A1VC38T7YXB528';

/** A seller account of somebody's company, as a consent would have left it. */
export async function makeAccount(
  world: World,
  person: Person,
  {
    region = 'na',
    marketplaceIds = [US, CA],
    name = '启航',
  }: { region?: Region; marketplaceIds?: string[]; name?: string } = {},
): Promise<AccountRef> {
  return world.as(person, async (ctx) => {
    const store = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id: ctx.companyId, name: `${name}-${randomUUID().slice(0, 6)}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    const sellingPartnerId = `A${randomUUID().replaceAll('-', '').slice(0, 13).toUpperCase()}`;
    const account = await ctx.db
      .insertInto('marketplace.seller_account')
      .values({
        company_id: ctx.companyId,
        store_id: store.id,
        selling_partner_id: sellingPartnerId,
        region,
        application_id: 'test',
        refresh_token_sealed: 'x',
        expires_at: new Date(worldClock().ms() + 86_400_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await ctx.db
      .insertInto('marketplace.seller_marketplace')
      .values(marketplaceIds.map((id) => ({ company_id: ctx.companyId, account_id: account.id, marketplace_id: id })))
      .execute();
    return {
      companyId: ctx.companyId,
      id: account.id,
      storeId: store.id,
      sellingPartnerId,
      region,
      marketplaceIds,
    };
  });
}

/** One amount of a settlement as the tests write it; everything but the names and the amount has a default. */
export interface FileLine {
  transactionType?: string;
  amountType: string;
  amountDescription: string;
  amount: string;
  orderId?: string;
  shipmentId?: string;
  marketplaceName?: string;
  postedAt?: string;
  orderItemCode?: string;
  sku?: string;
  quantity?: number;
}

export interface FileHead {
  settlementId?: string;
  startAt?: string;
  endAt?: string;
  depositAt?: string;
  total: string;
  currency?: string;
}

const V2_HEADER =
  'settlement-id settlement-start-date settlement-end-date deposit-date total-amount currency transaction-type order-id merchant-order-id adjustment-id shipment-id marketplace-name amount-type amount-description amount fulfillment-id posted-date posted-date-time order-item-code merchant-order-item-id merchant-adjustment-item-id sku quantity-purchased promotion-id';

export interface Spelling {
  /** "1234.5" to the text of the file. */
  amount?: (value: string) => string;
  /** "2026-01-15" to the text of the file. */
  day?: (value: string) => string;
}

function time(instant: string, day: (value: string) => string): string {
  const text = new Date(instant).toISOString();
  return `${day(text.slice(0, 10))} ${text.slice(11, 19)} UTC`;
}

/** A V2 settlement file as text. */
export function v2File(head: FileHead, lines: readonly FileLine[], spelling: Spelling = {}): string {
  const { amount = (value) => value, day = (value) => value } = spelling;
  const id = head.settlementId ?? '15000000001';
  const columns = V2_HEADER.split(' ');
  const row = (cells: Record<string, string | undefined>) => columns.map((name) => cells[name] ?? '').join('\t');
  const rows = lines.map((line) => {
    const posted = line.postedAt ?? '2026-01-10T12:00:00Z';
    return row({
      'settlement-id': id,
      'transaction-type': line.transactionType ?? 'Order',
      'order-id': line.orderId,
      'shipment-id': line.shipmentId,
      'marketplace-name': line.marketplaceName,
      'amount-type': line.amountType,
      'amount-description': line.amountDescription,
      amount: amount(line.amount),
      'posted-date': day(new Date(posted).toISOString().slice(0, 10)),
      'posted-date-time': time(posted, day),
      'order-item-code': line.orderItemCode,
      sku: line.sku,
      'quantity-purchased': line.quantity === undefined ? '' : String(line.quantity),
    });
  });
  const first = row({
    'settlement-id': id,
    'settlement-start-date': time(head.startAt ?? '2026-01-01T00:00:00Z', day),
    'settlement-end-date': time(head.endAt ?? '2026-01-15T00:00:00Z', day),
    'deposit-date': time(head.depositAt ?? '2026-01-17T00:00:00Z', day),
    'total-amount': amount(head.total),
    currency: head.currency ?? 'USD',
  });
  return `${[columns.join('\t'), first, ...rows].join('\n')}\n`;
}

const V1_HEADER =
  'settlement-id settlement-start-date settlement-end-date deposit-date total-amount currency transaction-type order-id merchant-order-id adjustment-id shipment-id marketplace-name shipment-fee-type shipment-fee-amount order-fee-type order-fee-amount fulfillment-id posted-date order-item-code merchant-order-item-id merchant-adjustment-item-id sku quantity-purchased price-type price-amount item-related-fee-type item-related-fee-amount misc-fee-amount other-fee-amount other-fee-reason-description promotion-id promotion-type promotion-amount direct-payment-type direct-payment-amount other-amount';

const V1_PLACES: Record<string, [kind: string, amount: string]> = {
  ItemPrice: ['price-type', 'price-amount'],
  ItemFees: ['item-related-fee-type', 'item-related-fee-amount'],
  Promotion: ['promotion-type', 'promotion-amount'],
};

/** The same amounts in form V1: one column per kind, the kind of a lonely amount in transaction-type. */
export function v1File(head: FileHead, lines: readonly FileLine[]): string {
  const id = head.settlementId ?? '15000000001';
  const columns = V1_HEADER.split(' ');
  const row = (cells: Record<string, string | undefined>) => columns.map((name) => cells[name] ?? '').join('\t');
  const rows = lines.map((line) => {
    const place = V1_PLACES[line.amountType];
    const lonely = place === undefined && line.amountType !== 'Cost of Advertising';
    const cells: Record<string, string | undefined> = {
      'settlement-id': id,
      'transaction-type': lonely ? line.amountDescription : (line.transactionType ?? 'Order'),
      'order-id': line.orderId,
      'shipment-id': line.shipmentId,
      'marketplace-name': line.marketplaceName,
      'posted-date': line.postedAt ?? '2026-01-10T12:00:00+00:00',
      'order-item-code': line.orderItemCode,
      sku: line.sku,
      'quantity-purchased': line.quantity === undefined ? '' : String(line.quantity),
    };
    if (place) Object.assign(cells, { [place[0]]: line.amountDescription, [place[1]]: line.amount });
    else if (lonely) cells['other-amount'] = line.amount;
    else Object.assign(cells, { 'item-related-fee-type': line.amountType, 'item-related-fee-amount': line.amount });
    return row(cells);
  });
  const first = row({
    'settlement-id': id,
    'settlement-start-date': head.startAt ?? '2026-01-01T00:00:00+00:00',
    'settlement-end-date': head.endAt ?? '2026-01-15T00:00:00+00:00',
    'deposit-date': head.depositAt ?? '2026-01-17T00:00:00+00:00',
    'total-amount': head.total,
    currency: head.currency ?? 'USD',
  });
  return `${[columns.join('\t'), first, ...rows].join('\n')}\n`;
}

export const V1 = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE';
export const V2 = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';

export interface SourceOptions {
  reportType?: string;
  marketplaceIds?: string[];
  charset?: string;
  /** What the bytes are written in; declared to the reader only where `charset` says so. */
  encoding?: 'utf8' | 'win1252' | 'cp932';
}

/** A report as the marketplace module would hand it to a loader. */
export function source(account: AccountRef, text: string, options: SourceOptions = {}): ReportSource {
  const bytes = iconv.encode(text, options.encoding ?? 'utf8');
  return {
    account,
    reportType: options.reportType ?? V2,
    marketplaceIds: options.marketplaceIds ?? [account.marketplaceIds[0] ?? US],
    open: async function* () {
      // Odd pieces, so that a character or a line end falls between two of them.
      for (let at = 0; at < bytes.length; at += 1009) yield bytes.subarray(at, at + 1009);
    },
    charset: options.charset,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'settlement.txt',
  };
}

/** The settlement of the first worked example, 10.79 USD. */
export const E1_LINES: FileLine[] = [
  { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '49.98', quantity: 2 },
  { amountType: 'ItemPrice', amountDescription: 'Tax', amount: '4.12' },
  { amountType: 'ItemWithheldTax', amountDescription: 'MarketplaceFacilitatorTax-Principal', amount: '-4.12' },
  { amountType: 'ItemFees', amountDescription: 'Commission', amount: '-7.50' },
  { amountType: 'ItemFees', amountDescription: 'FBAPerUnitFulfillmentFee', amount: '-12.20' },
  { amountType: 'Promotion', amountDescription: 'Principal', amount: '-2.50' },
  { transactionType: 'Refund', amountType: 'ItemPrice', amountDescription: 'Principal', amount: '-19.99', quantity: 1 },
  { transactionType: 'Refund', amountType: 'ItemFees', amountDescription: 'Commission', amount: '3.00' },
  { transactionType: 'Refund', amountType: 'ItemFees', amountDescription: 'RefundCommission', amount: '-0.60' },
].map((line) => ({
  ...line,
  orderId: '113-1234567-1234567',
  sku: 'KD-BWB-500-BL',
  marketplaceName: 'Amazon.com',
  orderItemCode: '90628777672008',
}));

export const E1_SHOP: FileLine[] = [
  ['other-transaction', 'other-transaction', 'Storage Fee', '-12.34'],
  ['ServiceFee', 'Cost of Advertising', 'TransactionTotalAmount', '-8.00'],
  ['other-transaction', 'FBA Inventory Reimbursement', 'WAREHOUSE_LOST', '7.15'],
  ['other-transaction', 'other-transaction', 'Previous Reserve Amount Balance', '35.10'],
  ['other-transaction', 'other-transaction', 'Current Reserve Amount', '-21.31'],
].map(([transactionType = '', amountType = '', amountDescription = '', amount = '']) => ({
  transactionType,
  amountType,
  amountDescription,
  amount,
}));
