import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { type Marketplace, marketplaceOf, marketplaceOfChannel } from '../../contract/marketplaces.ts';
import type { CheckResult, MappingOptions, OrderListMapping } from '../../contract/uploads.ts';
import {
  type ByteSource,
  type ColumnMapping,
  FileRefused,
  type MappedFacts,
  type MappedOptions,
  type MappedOrderLine,
  type MappedReading,
  readMapped,
} from '../files/index.ts';
import type { AccountRef, LandCounts } from '../streams.ts';

/**
 * Turns the lines of a seller's own order list into orders, in the caller's transaction. The lines come in batches and
 * can be read once; all of them are good. A repeated load of the same lines changes nothing.
 */
export interface OrderListLoader {
  title: string;
  load: (
    ctx: Ctx,
    account: AccountRef,
    marketplaceId: string,
    lines: AsyncIterable<MappedOrderLine[]>,
    sha256: string,
  ) => Promise<LandCounts>;
}

export const orderListLoader = extensionPoint<OrderListLoader>('marketplace.orderListLoader');

/** Who takes over order lists; undefined where no module does. */
export function orderListLoaderOf(runtime: Pick<Runtime, 'modules'>): OrderListLoader | undefined {
  return extensionsOf(runtime.modules, orderListLoader)[0];
}

/** The most bad rows kept with a batch; the rest can be downloaded. */
const SHOWN_ERRORS = 200;

/** Options of the reader: what the user chose, else what the site says. */
function optionsOf(mapping: OrderListMapping, options: MappingOptions, marketplaceId: string): MappedOptions {
  const site = marketplaceOf(marketplaceId);
  const columns = Object.fromEntries(Object.entries(mapping).filter(([, name]) => name)) as ColumnMapping;
  return {
    mapping: columns,
    marketplaceId,
    defaultCurrency: options.currency ?? site?.currency,
    timeZone: options.timeZone ?? site?.timeZone,
    ...(options.dayOrder ? { dayOrder: options.dayOrder } : {}),
  };
}

/** An order list through its mapping. @throws FileRefused COLUMNS or UNDECIDABLE where the mapping does not suffice */
export function readOrderList(
  source: ByteSource,
  mapping: OrderListMapping,
  options: MappingOptions,
  marketplaceId: string,
): Promise<MappedReading> {
  return readMapped(source, optionsOf(mapping, options, marketplaceId));
}

/** Whether a refusal asks for another mapping rather than for another file. */
export function asksForMapping(error: unknown): error is FileRefused {
  return error instanceof FileRefused && ['COLUMNS', 'UNDECIDABLE'].includes(error.code);
}

/** What in a list speaks against the site that it was uploaded for: its currencies, and channels of other sites. */
function foreignTo(site: Marketplace | undefined, { amounts, channels }: MappedFacts): string[] {
  if (!site) return [];
  const currencies = amounts.map(({ currency }) => currency).filter((currency) => currency !== site.currency);
  const others = channels.filter((channel) => (marketplaceOfChannel(channel)?.id ?? site.id) !== site.id);
  return [
    ...(currencies.length > 0
      ? [`文件中的金额为 ${currencies.join('、')}，而${site.name}站的币种是 ${site.currency}，请确认所选站点`]
      : []),
    ...(others.length > 0 ? [`文件中的销售渠道为 ${others.join('、')}，不属于${site.name}站，请确认所选站点`] : []),
  ];
}

/** What the check of an order list found, as the batch keeps it. */
export function orderListResult(
  { facts }: MappedReading,
  mapping: OrderListMapping,
  options: MappingOptions,
  marketplaceId: string,
): CheckResult {
  const amounts = facts.amounts.map(({ currency, amount, lines }) => `${currency} ${amount}（${lines} 行）`);
  const site = marketplaceOf(marketplaceId);
  const warnings = [...facts.warnings, ...foreignTo(site, facts)];
  if (mapping.amount && !mapping.currency) {
    warnings.push(`文件没有币种列，金额按 ${options.currency ?? site?.currency ?? ''} 入库`);
  }
  const withoutSku = !mapping.sku && !mapping.asin;
  if (withoutSku) warnings.push('没有映射 SKU 或 ASIN 列，订单行将不对应商品');
  return {
    rows: facts.rows,
    from: facts.firstDay,
    to: facts.lastDay,
    summary: [`${facts.goodRows} 行订单`, `${facts.units} 件`, ...amounts].join(' · '),
    warnings,
    badRows: facts.errors.slice(0, SHOWN_ERRORS).map((error) => ({
      line: error.lineNo,
      column: error.column,
      value: error.value.slice(0, 200),
      reason: error.message,
    })),
    badCount: facts.errorCount,
  };
}

/** The lines of a checked list; a bad line now means that the file or the mapping is not the one that was checked. */
export async function* goodLines(reading: MappedReading): AsyncGenerator<MappedOrderLine[]> {
  for await (const { lines, errors } of reading.rows()) {
    const [first] = errors;
    if (first) throw new FileRefused('VALUE', first.message);
    yield lines;
  }
}
