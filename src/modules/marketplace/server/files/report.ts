import type { DateStyle, ReadDate } from './dates.ts';
import { DayOrderEvidence, dateCell } from './dates.ts';
import type { ColumnMap, ColumnSpec } from './headers.ts';
import { cellAt, columnMatch, mapColumns, missingColumns } from './headers.ts';
import type { RawRow } from './lines.ts';
import { currencyScale, marketStyle } from './markets.ts';
import { DecimalEvidence } from './numbers.ts';
import type { FileFacts, FileReader, ReadOptions, RowRefused } from './reader.ts';
import { lazyReading } from './reader.ts';
import { FileRefused } from './refusal.ts';
import type { ByteSource } from './source.ts';
import type { TextTable } from './text-table.ts';
import { openTextTable, withCharset } from './text-table.ts';

/** What a report collects in the first pass beside the common facts. */
export interface Surveyor<Extra> {
  row(row: RawRow): void;
  /** @param dates how the dates of this file are to be read */
  finish(dates: DateStyle): Extra;
}

/** Turns raw rows into typed ones in the second pass. */
export interface Converter<Row> {
  row(row: RawRow, out: Row[]): void;
  finish?(out: Row[]): void;
}

/** Everything that differs between two kinds of report. */
export interface ReportSpec<Name extends string, Row, Extra extends object> {
  type: string;
  title: string;
  columns: readonly ColumnSpec<Name>[];
  /** Columns whose values decide the decimal mark of the file. */
  amounts: readonly Name[];
  /** Columns whose values decide the order of day and month. */
  dates: readonly Name[];
  /** Columns that every row must reach, where that is less than all required ones: editors trim blanks at line ends. */
  reach?: readonly Name[];
  /** Column with the currency of the row's amounts. */
  currency?: Name;
  /** Column that says what a row is about; rows that are set aside carry its value. */
  about?: Name;
  survey?(columns: ColumnMap<Name>, options: ReadOptions): Surveyor<Extra>;
  convert(columns: ColumnMap<Name>, facts: FileFacts & Extra): Converter<Row>;
  matches?(headers: readonly string[]): number;
}

/** A streaming reader for one kind of report. */
export function reportReader<Name extends string, Row, Extra extends object>(
  spec: ReportSpec<Name, Row, Extra>,
): FileReader<Row, FileFacts & Extra> {
  return {
    type: spec.type,
    title: spec.title,
    matches: (headers) => spec.matches?.(headers) ?? columnMatch(headers, spec.columns),
    missing: (headers) => missingColumns(headers, spec.columns),
    read: (source, options = {}) =>
      lazyReading(
        () => withCharset(source, options, (table) => surveyTable(spec, table, options)),
        (facts) => convertTable(spec, source, facts, options.aside),
      ),
  };
}

async function surveyTable<Name extends string, Row, Extra extends object>(
  spec: ReportSpec<Name, Row, Extra>,
  table: TextTable,
  options: ReadOptions,
): Promise<FileFacts & Extra> {
  const columns = columnsOf(spec, table);
  const decimals = new DecimalEvidence();
  const days = new DayOrderEvidence();
  const watch = evidenceWatch(spec, columns, decimals, days);
  const surveyor = spec.survey?.(columns, options);
  let rows = 0;
  for await (const row of checkedRows(table, columns, options.aside && [])) {
    for (const one of row) {
      watch(one);
      surveyor?.row(one);
    }
    rows += row.length;
  }
  const market = marketStyle(options.marketplaceId);
  const timeZone = options.timeZone ?? market?.timeZone ?? 'UTC';
  const dayOrder = days.decide(options.dayOrder ?? market?.dayOrder);
  const extra = surveyor?.finish({ dayOrder, timeZone });
  const facts: FileFacts = {
    type: spec.type,
    title: spec.title,
    charset: table.layout.charset,
    gzip: table.layout.gzip,
    delimiter: table.layout.delimiter,
    headers: table.headers,
    extraHeaders: columns.extra.map((column) => column.name),
    decimal: options.decimal ?? decimals.decide(market?.decimal),
    dayOrder,
    timeZone,
    rows,
    warnings: warningsOf(table, columns),
  };
  return { ...facts, ...extra } as FileFacts & Extra;
}

async function* convertTable<Name extends string, Row, Extra extends object>(
  spec: ReportSpec<Name, Row, Extra>,
  source: ByteSource,
  facts: FileFacts & Extra,
  aside: RowRefused[] | undefined,
): AsyncGenerator<Row[]> {
  if (aside) aside.length = 0;
  const table = await openTextTable(source, facts.charset);
  const columns = columnsOf(spec, table);
  const converter = spec.convert(columns, facts);
  let rows = 0;
  const about = spec.about === undefined ? -1 : columns.index[spec.about];
  for await (const batch of checkedRows(table, columns, aside, about)) {
    const out: Row[] = [];
    for (const row of batch) {
      if (!aside) converter.row(row, out);
      else setAside(row, about, aside, () => converter.row(row, out));
    }
    rows += batch.length;
    if (out.length > 0) yield out;
  }
  if (rows !== facts.rows)
    throw new FileRefused('CHANGED', `文件在读取过程中发生变化（${facts.rows} 行变为 ${rows} 行）`);
  const rest: Row[] = [];
  converter.finish?.(rest);
  if (rest.length > 0) yield rest;
}

function columnsOf<Name extends string>(
  spec: { columns: readonly ColumnSpec<Name>[]; title: string; reach?: readonly Name[] },
  table: TextTable,
): ColumnMap<Name> {
  const columns = mapColumns(table.headers, spec.columns, spec.title, table.headerLine);
  if (!spec.reach) return columns;
  return { ...columns, minimumCells: Math.max(...spec.reach.map((name) => columns.index[name])) + 1 };
}

/** Reads one row; what its cells refuse goes to `aside`, everything else goes on upwards. */
function setAside(row: RawRow, about: number, aside: RowRefused[], read: () => void): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    const where = error.column === undefined ? '' : `列 ${error.column}：`;
    aside.push({ lineNo: row.line, reason: where + error.reason, about: cellAt(row.cells, about).trim() });
    return false;
  }
}

/**
 * The rows of a table, each with a plausible number of cells; others are set aside, where that is wanted.
 * @throws FileRefused ROW_WIDTH, DAMAGED
 */
export async function* checkedRows(
  table: TextTable,
  columns: { minimumCells: number },
  aside?: RowRefused[],
  about = -1,
): AsyncGenerator<RawRow[]> {
  const width = table.headers.length;
  let last: RawRow | undefined;
  const fits = (row: RawRow): boolean => {
    if (row.cells.length === width) return true;
    if (!aside || row === last) {
      checkWidth(row, width, columns.minimumCells);
      return true;
    }
    return setAside(row, about, aside, () => checkWidth(row, width, columns.minimumCells));
  };
  for await (const batch of table.batches) {
    // The last line of a file that ends in it shows whether the file is whole: it is never set aside.
    last = table.unterminated() ? batch.at(-1) : undefined;
    yield batch.every((row) => row.cells.length === width) ? batch : batch.filter(fits);
    last = batch.at(-1) ?? last;
  }
  if (!last && table.unterminated()) {
    throw new FileRefused('DAMAGED', '文件已损坏或不完整（只有表头，且没有换行符）', { line: table.headerLine });
  }
  // A whole file may lack the last line end, but then its last line is complete.
  if (last && table.unterminated() && last.cells.length < width) {
    throw new FileRefused('DAMAGED', `文件已损坏或不完整（最后一行只有 ${last.cells.length} 列，应为 ${width} 列）`, {
      line: last.line,
    });
  }
}

function checkWidth(row: RawRow, width: number, minimum: number): void {
  const found = row.cells.length;
  if (found > width && row.cells.slice(width).some((cell) => cell.trim() !== '')) {
    throw new FileRefused('ROW_WIDTH', `有 ${found} 列，多于表头的 ${width} 列`, { line: row.line });
  }
  if (found < minimum) {
    throw new FileRefused('ROW_WIDTH', `只有 ${found} 列，少于表头的 ${width} 列`, { line: row.line });
  }
}

function warningsOf(table: TextTable, columns: { extra: readonly { name: string }[] }): string[] {
  const warnings: string[] = [];
  if (columns.extra.length > 0) warnings.push(`报表新增列：${columns.extra.map((column) => column.name).join('、')}`);
  if (table.unterminated()) warnings.push('最后一行没有换行符，请确认文件完整');
  return warnings;
}

function evidenceWatch<Name extends string>(
  spec: { amounts: readonly Name[]; dates: readonly Name[]; currency?: Name },
  columns: ColumnMap<Name>,
  decimals: DecimalEvidence,
  days: DayOrderEvidence,
): (row: RawRow) => void {
  const present = (names: readonly Name[]): { name: Name; at: number }[] =>
    names.map((name) => ({ name, at: columns.index[name] })).filter((column) => column.at >= 0);
  const amounts = present(spec.amounts);
  const dates = present(spec.dates);
  const currency = spec.currency === undefined ? -1 : columns.index[spec.currency];
  return ({ cells, line }) => {
    for (const { name, at } of amounts) {
      const text = cells[at];
      if (text) decimals.see(text, line, name, currencyScale(cellAt(cells, currency)));
    }
    for (const { name, at } of dates) {
      const text = cells[at];
      if (text) days.see(text, line, name);
    }
  };
}

/** Dates repeat from line to line (a settlement has many lines per second): remembers what it has read. */
export function dateMemory(
  style: DateStyle,
): (text: string, place: { line: number; column: string }) => ReadDate | null {
  const known = new Map<string, ReadDate | null>();
  return (text, place) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const date = dateCell(text, style, place);
    if (known.size >= 4096) known.clear();
    known.set(text, date);
    return date;
  };
}
