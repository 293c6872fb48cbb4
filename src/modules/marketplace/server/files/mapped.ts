import type { Charset } from './charset.ts';
import type { DayOrder } from './dates.ts';
import { DayOrderEvidence, parseDate } from './dates.ts';
import { mapColumns } from './headers.ts';
import type { ColumnMapping, OrderField } from './mapping.ts';
import { ORDER_FIELD_TITLES, ORDER_FIELDS, REQUIRED_FIELDS } from './mapping.ts';
import { currencyScale, marketStyle } from './markets.ts';
import type { DecimalStyle } from './numbers.ts';
import { DecimalEvidence, parseDecimal } from './numbers.ts';
import type { ReadOptions } from './reader.ts';
import { FileRefused, shown } from './refusal.ts';
import type { ByteSource } from './source.ts';
import { ExactSum } from './sums.ts';
import type { GenericTable, TableRow } from './table.ts';
import { readTable } from './table.ts';

/** One line of an order list. Texts are '' when the column is absent or the cell empty. */
export interface MappedOrderLine {
  lineNo: number;
  orderNumber: string;
  /** ISO instant (UTC); midnight of the list's zone when the list has days only. */
  orderedAt: string;
  /** Calendar day as written ('2022-04-30'). */
  orderedDay: string;
  sku: string;
  asin: string;
  /** Whole number as string. */
  quantity: string;
  /** Canonical decimal string of the whole line; null when the cell is empty. */
  amount: string | null;
  currency: string;
  status: string;
  country: string;
  state: string;
  postalCode: string;
  channel: string;
}

/** Why one line cannot be taken over. */
export interface LineError {
  lineNo: number;
  field: OrderField;
  /** Header in the file. */
  column: string;
  value: string;
  /** Chinese, with line and column. */
  message: string;
}

export interface MappedOptions extends ReadOptions {
  mapping: ColumnMapping;
  /** Currency of lines that name none. */
  defaultCurrency?: string | undefined;
}

/** Control figures of the whole list, from the first pass. */
export interface MappedFacts {
  format: 'text' | 'xlsx';
  charset: Charset | undefined;
  headers: string[];
  decimal: DecimalStyle;
  dayOrder: DayOrder;
  timeZone: string;
  /** Rows of the file, and those of them that can be taken over. */
  rows: number;
  goodRows: number;
  /** Sum of the quantities of the good lines. */
  units: string;
  /** Per currency: lines with an amount, and their sum. */
  amounts: { currency: string; lines: number; amount: string }[];
  /** Sales channels of the good lines as written, the first twenty of them. */
  channels: string[];
  firstDay: string | null;
  lastDay: string | null;
  /** The first 1,000 errors, and how many there are. */
  errors: LineError[];
  errorCount: number;
  warnings: string[];
}

/** An order list being read through a mapping. */
export interface MappedReading {
  facts: MappedFacts;
  /** The good lines in batches, and the errors of the others. Each call reads the file once. */
  rows(): AsyncGenerator<{ lines: MappedOrderLine[]; errors: LineError[] }>;
}

const ERROR_LIMIT = 1000;
/** A column with more of them is no channel. */
const CHANNEL_LIMIT = 20;

/**
 * Reads an order list through a mapping chosen by the user. The spelling of dates and amounts is decided over the whole
 * column first; a line that cannot be read becomes a line error, a file that contradicts itself is refused.
 * @throws FileRefused COLUMNS when a mapped column is not in the file or a required field has none; CONTRADICTION or
 *   UNDECIDABLE for spellings
 */
export async function readMapped(source: ByteSource, options: MappedOptions): Promise<MappedReading> {
  const table = await readTable(source, options);
  const at = columnsOf(table.headers, options.mapping);
  const style = await styleOf(table, at, options);
  const convert = lineConverter(at, style, options);
  const facts = await surveyLines(table, style, convert);
  return {
    facts,
    async *rows() {
      for await (const batch of table.rows()) yield convertBatch(batch, convert);
    },
  };
}

type Columns = Readonly<Partial<Record<OrderField, { index: number; header: string }>>>;
type Style = { decimal: DecimalStyle; dayOrder: DayOrder; timeZone: string };
type Convert = (row: TableRow) => MappedOrderLine | LineError;

function columnsOf(headers: readonly string[], mapping: ColumnMapping): Columns {
  const without = REQUIRED_FIELDS.filter((field) => !mapping[field]).map((field) => ORDER_FIELD_TITLES[field]);
  if (without.length > 0) throw new FileRefused('COLUMNS', `请为以下字段选择列：${without.join('、')}`);
  const used = ORDER_FIELDS.filter((field) => mapping[field]);
  const names = used.map((field) => mapping[field] ?? '');
  const { index } = mapColumns(
    headers,
    names.map((name) => ({ name, required: true })),
    '订单列表',
  );
  return Object.fromEntries(
    used.map((field) => {
      const header = mapping[field] ?? '';
      return [field, { index: index[header] ?? -1, header }];
    }),
  );
}

async function styleOf(table: GenericTable, at: Columns, options: MappedOptions): Promise<Style> {
  const decimals = new DecimalEvidence();
  const days = new DayOrderEvidence();
  for await (const batch of table.rows()) {
    for (const row of batch) {
      const date = at.date && row.values[at.date.index];
      if (at.date && date) days.see(date, row.lineNo, at.date.header);
      const amount = at.amount && row.values[at.amount.index];
      if (!at.amount || !amount || row.exact?.has(at.amount.index)) continue;
      const currency = (at.currency && row.values[at.currency.index]) || options.defaultCurrency;
      decimals.see(withoutCurrency(amount), row.lineNo, at.amount.header, currencyScale(currency));
    }
  }
  const market = marketStyle(options.marketplaceId);
  return {
    decimal: options.decimal ?? decimals.decide(market?.decimal),
    // Sellers' own lists do not follow the custom of the site: without proof the user has to say it.
    dayOrder: days.decide(options.dayOrder),
    timeZone: options.timeZone ?? market?.timeZone ?? 'UTC',
  };
}

/** `Rs.201.68`, `$12.50`, `12,50 €`: the sign of the currency goes, the number stays. */
function withoutCurrency(text: string): string {
  return text
    .trim()
    .replace(/^([-+]?)\s*(?:[A-Za-z]{1,3}\.?|[$€£¥￥₹]|US\$|CA\$)\s*(?=[-+\d.,])/, '$1')
    .replace(/(?<=\d)\s*(?:[A-Za-z]{2,3}|[$€£¥￥₹])$/, '');
}

function lineConverter(at: Columns, style: Style, options: MappedOptions): Convert {
  const dates = new Map<string, ReturnType<typeof parseDate>>();
  const dateOf = (text: string): ReturnType<typeof parseDate> => {
    if (!dates.has(text)) {
      if (dates.size >= 4096) dates.clear();
      dates.set(text, parseDate(text, style));
    }
    return dates.get(text);
  };
  return (row) => {
    const text = (field: OrderField): string => (row.values[at[field]?.index ?? -1] ?? '').trim();
    const wrong = (field: OrderField, reason: string): LineError => lineError(row, field, at[field], reason);
    const orderNumber = text('orderNumber');
    if (orderNumber === '') return wrong('orderNumber', '订单号为空');
    const date = dateOf(text('date'));
    if (!date) return wrong('date', text('date') === '' ? '日期为空' : `“${shown(text('date'))}”不是有效的日期`);
    const quantity = wholeNumber(text('quantity'), row.exact?.has(at.quantity?.index ?? -1) ? 'point' : style.decimal);
    if (quantity === undefined) return wrong('quantity', `“${shown(text('quantity'))}”不是有效的数量`);
    const amountText = text('amount');
    const exact = row.exact?.has(at.amount?.index ?? -1) ?? false;
    const amount = amountText === '' ? null : amountOf(amountText, exact, style.decimal);
    if (amount === undefined) return wrong('amount', `“${shown(amountText)}”不是有效的金额`);
    const currency = (text('currency') || (options.defaultCurrency ?? '')).toUpperCase();
    if (amount !== null && currencyScale(currency) === undefined) {
      return wrong('currency', currency === '' ? '有金额但没有币种' : `币种“${shown(currency)}”无效`);
    }
    return {
      lineNo: row.lineNo,
      orderNumber,
      orderedAt: date.instant,
      orderedDay: date.day,
      sku: text('sku'),
      asin: text('asin'),
      quantity,
      amount,
      currency,
      status: text('status'),
      country: text('country'),
      state: text('state'),
      postalCode: text('postalCode'),
      channel: text('channel'),
    };
  };
}

function amountOf(text: string, exact: boolean, style: DecimalStyle): string | undefined {
  return exact ? parseDecimal(text, 'point') : parseDecimal(withoutCurrency(text), style);
}

function wholeNumber(text: string, style: DecimalStyle): string | undefined {
  if (/^(?:0|[1-9]\d{0,8})$/.test(text)) return text;
  const value = parseDecimal(text.replace(/[.,]0{1,2}$/, ''), style);
  return value !== undefined && /^-?\d{1,9}$/.test(value) ? value : undefined;
}

function lineError(
  row: TableRow,
  field: OrderField,
  column: { index: number; header: string } | undefined,
  reason: string,
): LineError {
  const header = column?.header ?? ORDER_FIELD_TITLES[field];
  const value = row.values[column?.index ?? -1] ?? '';
  return { lineNo: row.lineNo, field, column: header, value, message: `第 ${row.lineNo} 行，列 ${header}：${reason}` };
}

function convertBatch(batch: TableRow[], convert: Convert): { lines: MappedOrderLine[]; errors: LineError[] } {
  const lines: MappedOrderLine[] = [];
  const errors: LineError[] = [];
  for (const row of batch) {
    const result = convert(row);
    if ('message' in result) errors.push(result);
    else lines.push(result);
  }
  return { lines, errors };
}

async function surveyLines(table: GenericTable, style: Style, convert: Convert): Promise<MappedFacts> {
  const units = new ExactSum();
  const sums = new Map<string, { lines: number; sum: ExactSum }>();
  const channels = new Set<string>();
  const facts: MappedFacts = {
    format: table.format,
    charset: table.charset,
    headers: table.headers,
    ...style,
    rows: 0,
    goodRows: 0,
    units: '0',
    amounts: [],
    channels: [],
    firstDay: null,
    lastDay: null,
    errors: [],
    errorCount: 0,
    warnings: table.warnings,
  };
  for await (const batch of table.rows()) {
    const { lines, errors } = convertBatch(batch, convert);
    facts.rows += batch.length;
    facts.goodRows += lines.length;
    facts.errorCount += errors.length;
    facts.errors.push(...errors.slice(0, Math.max(0, ERROR_LIMIT - facts.errors.length)));
    for (const line of lines) {
      units.add(line.quantity);
      if (line.channel !== '' && channels.size < CHANNEL_LIMIT) channels.add(line.channel);
      if (facts.firstDay === null || line.orderedDay < facts.firstDay) facts.firstDay = line.orderedDay;
      if (facts.lastDay === null || line.orderedDay > facts.lastDay) facts.lastDay = line.orderedDay;
      if (line.amount === null) continue;
      const entry = sums.get(line.currency) ?? { lines: 0, sum: new ExactSum() };
      entry.lines++;
      entry.sum.add(line.amount);
      sums.set(line.currency, entry);
    }
  }
  facts.units = units.text(0);
  facts.channels = [...channels];
  facts.amounts = [...sums].map(([currency, { lines, sum }]) => ({
    currency,
    lines,
    amount: sum.text(currencyScale(currency) ?? 2),
  }));
  return facts;
}
