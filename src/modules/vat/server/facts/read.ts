import { Decimal } from '#kit/contract/decimal.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { businessDay, type ReportSource, type RowRefused, vatInvoiceData } from '#modules/marketplace/server/index.ts';
import type { Buyer } from '../../contract/invoices.ts';
import { bareNumber } from '../rules/numbers.ts';
import { isoCountry } from '../rules/treat.ts';

/** A line as the report tells it: below zero for a refund. */
export interface ToldLine {
  itemId: string;
  kind: 'ITEM' | 'SHIPPING' | 'GIFT';
  sku: string;
  asin: string;
  title: string;
  quantity: number;
  gross: string;
  /** Percent; null where Amazon did not reckon. */
  rate: string | null;
  tax: string | null;
}

/** A shipment or a refund as the report tells it. */
export interface Told {
  type: 'INVOICE' | 'CREDIT_NOTE';
  marketplaceId: string;
  orderId: string;
  shippingId: string;
  transactionId: string;
  orderedAt: string | null;
  shippedAt: string;
  taxDay: string;
  currency: string;
  from: string;
  to: string;
  business: boolean;
  sellerVat: string;
  citations: Record<string, string>;
  status: string;
  words: string;
  buyer: Buyer;
  lines: ToldLine[];
}

const reading = (source: ReportSource, aside: RowRefused[]) =>
  vatInvoiceData.read(source.open, { aside, charset: source.charset, marketplaceId: source.marketplaceIds[0] });

type Row = Awaited<ReturnType<typeof firstBatch>>[number];
async function firstBatch(source: ReportSource) {
  for await (const batch of reading(source, []).rows) return batch;
  return [];
}

const TYPES: Readonly<Record<string, Told['type']>> = {
  SHIPMENT: 'INVOICE',
  REFUND: 'CREDIT_NOTE',
  RETURN: 'CREDIT_NOTE',
};

const isYes = (text: string): boolean => /^(true|yes|y|1)$/i.test(text.trim());

/** Why a row cannot be taken over, in Chinese. */
function problemOf(row: Row): string | undefined {
  if (row.problem !== undefined) return row.problem;
  const type = TYPES[row.transaction.toUpperCase()];
  if (!type) return `未知的交易类型：${row.transaction}`;
  if (!marketplaceOf(row.marketplaceId)) return `未知的站点：${row.marketplaceId}`;
  if (row.shippedAt === null) return '缺少发货时间';
  if (type === 'CREDIT_NOTE' && row.transactionId === '') return '缺少交易编号';
  if (row.itemGross === null) return '缺少含税金额';
  if (row.quantity === null || row.quantity < 0) return '数量无法识别';
  return /^[A-Za-z]{3}$/.test(row.currency) ? undefined : '币种无法识别';
}

/** Percent of a rate that Amazon writes as a share of one ("0.19") or as percent ("19"). */
function percentOf(rate: string | null): string | null {
  if (rate === null) return null;
  const value = new Decimal(rate);
  return (value.lte(1) ? value.times(100) : value).toFixed();
}

/** A price with its promotion taken off, whatever sign the promotion has; turned round for a refund. */
function paid(type: Told['type'], price: string | null, promotion: string | null): string {
  const value = new Decimal(price ?? 0).abs().minus(new Decimal(promotion ?? 0).abs());
  return (type === 'INVOICE' ? value : value.neg()).toFixed(2);
}

function linesOf(type: Told['type'], row: Row): ToldLine[] {
  const common = { itemId: row.itemId, sku: row.sku, asin: row.asin, title: row.title };
  const line = (
    kind: ToldLine['kind'],
    quantity: number,
    [price, promotion]: readonly (string | null)[],
    [tax, promotionTax]: readonly (string | null)[],
    rate: string | null,
  ): ToldLine => ({
    ...common,
    kind,
    quantity,
    gross: paid(type, price ?? null, promotion ?? null),
    rate: percentOf(rate),
    tax: rate === null || tax === null || tax === undefined ? null : paid(type, tax, promotionTax ?? null),
  });
  const shipping = line(
    'SHIPPING',
    1,
    [row.shippingGross, row.shippingPromo],
    [row.shippingTax, row.shippingPromoTax],
    row.shippingRate,
  );
  const gift = line('GIFT', 1, [row.giftGross, row.giftPromo], [row.giftTax, row.giftPromoTax], row.giftRate);
  const item = line(
    'ITEM',
    row.quantity ?? 0,
    [row.itemGross, row.itemPromo],
    [row.itemTax, row.itemPromoTax],
    row.itemRate,
  );
  return [item, ...[shipping, gift].filter(({ gross }) => Number(gross) !== 0)];
}

const filled = (...texts: string[]): string[] => texts.map((text) => text.trim()).filter((text) => text !== '');

/** Whom the invoice is made out to: who pays, else who gets the goods. */
function buyerOf(row: Row): Buyer {
  const bills = row.bill1 !== '' || row.billCity !== '';
  const [name] = filled(row.buyerCompany, bills ? row.billName : '', row.buyerName, row.recipient);
  const address = bills
    ? filled(row.bill1, row.bill2, row.bill3, `${row.billPostal} ${row.billCity}`)
    : filled(row.ship1, row.ship2, row.ship3, `${row.shipPostal} ${row.shipCity}`);
  return {
    name: name ?? '',
    address,
    country: isoCountry((bills && row.billCountry) || row.shipCountry),
    vatNumber: bareNumber(row.buyerVat),
  };
}

const citationsOf = (row: Row): Record<string, string> =>
  Object.fromEntries(
    [
      ['es', row.citationEs],
      ['it', row.citationIt],
      ['fr', row.citationFr],
      ['de', row.citationDe],
      ['en', row.citationEn],
    ].filter(([, text]) => text !== ''),
  );

function toldBy(row: Row): Told {
  const type = TYPES[row.transaction.toUpperCase()] ?? 'INVOICE';
  const site = marketplaceOf(row.marketplaceId);
  const shippedAt = row.shippedAt ?? '';
  return {
    type,
    marketplaceId: row.marketplaceId,
    orderId: row.orderId,
    shippingId: row.shippingId,
    transactionId: type === 'INVOICE' ? '' : row.transactionId,
    orderedAt: row.orderedAt,
    shippedAt,
    taxDay: businessDay(shippedAt, site?.timeZone ?? 'UTC'),
    currency: row.currency.toUpperCase(),
    from: isoCountry(row.fromCountry),
    to: isoCountry(row.shipCountry),
    business: isYes(row.business),
    sellerVat: bareNumber(row.sellerVat),
    citations: citationsOf(row),
    status: row.status,
    words: row.statusWords,
    buyer: buyerOf(row),
    lines: linesOf(type, row),
  };
}

/** Name of a document among those of its account. */
export const keyOf = ({
  shippingId,
  type,
  transactionId,
}: Pick<Told, 'shippingId' | 'type' | 'transactionId'>): string => [shippingId, type, transactionId].join(' ');

/**
 * Reads a whole file into documents. What Amazon invoices itself is left out; a document of which a line cannot be read is left
 * out whole, and each of its lines refused. @throws FileRefused
 */
export async function readTold(source: ReportSource): Promise<{ told: Told[]; rows: number; refused: RowRefused[] }> {
  const aside: RowRefused[] = [];
  const refused: RowRefused[] = [];
  const documents = new Map<string, { told: Told; lineNos: number[] }>();
  const spoilt = new Set<string>();
  let rows = 0;
  for await (const batch of reading(source, aside).rows) {
    for (const row of batch) {
      rows += 1;
      const problem = problemOf(row);
      if (problem !== undefined) {
        refused.push({ lineNo: row.lineNo, reason: problem });
        const type = TYPES[String(row.transaction).toUpperCase()];
        if (type) spoilt.add(keyOf({ ...row, type, transactionId: type === 'INVOICE' ? '' : row.transactionId }));
        continue;
      }
      if (isYes(row.byAmazon)) continue;
      const told = toldBy(row);
      const known = documents.get(keyOf(told));
      if (known) {
        known.told.lines.push(...told.lines);
        known.lineNos.push(row.lineNo);
      } else documents.set(keyOf(told), { told, lineNos: [row.lineNo] });
    }
  }
  for (const key of spoilt) {
    for (const lineNo of documents.get(key)?.lineNos ?? []) refused.push({ lineNo, reason: '同一单据有无法读取的行' });
    documents.delete(key);
  }
  return {
    told: [...documents.values()].map((one) => one.told),
    rows: rows + aside.length,
    refused: [...aside, ...refused],
  };
}
