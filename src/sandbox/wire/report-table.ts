import iconv from 'iconv-lite';
import { unitDraw } from './random.ts';
import { localisedHeader } from './report-headers.ts';

/** A flat file before it becomes bytes. */
export interface ReportTable {
  columns: readonly string[];
  rows: string[][];
  /** Rows at the top that carry no line of business and stay first whatever happens (the settlement's header). */
  pinned: number;
  eol: '\n' | '\r\n';
}

/** Charsets as documents declare them. */
export type ReportCharset = 'UTF-8' | 'Cp1252' | 'Shift_JIS';

/** Something that goes wrong inside a table; see FaultRule for the fields. */
export interface TableFault {
  kind: string;
  column?: string;
  to?: string;
  language?: string;
}

/** Tab separated text. Tabs and line breaks inside a value become blanks, as the format knows no quoting. */
export function tableText(table: ReportTable): string {
  const clean = (value: string): string => value.replaceAll(/[\t\r\n]+/g, ' ');
  const lines = [table.columns, ...table.rows].map((row) => row.map(clean).join('\t'));
  return lines.join(table.eol) + table.eol;
}

/** Text in the document's charset; what the charset lacks becomes "?", which is what Amazon does to it as well. */
export function encodeText(content: string, charset: ReportCharset): Buffer {
  if (charset === 'UTF-8') return Buffer.from(content, 'utf8');
  return iconv.encode(content, charset === 'Cp1252' ? 'windows-1252' : 'windows-31j');
}

/** How the download's content type names the charset. */
export function charsetLabel(charset: ReportCharset): string {
  return charset === 'Shift_JIS' ? 'Windows-31J' : charset;
}

/** The table with one fault worked into it; `seed` fixes what a shuffle does. */
export function damageTable(table: ReportTable, fault: TableFault, seed: string): ReportTable {
  const head = table.rows.slice(0, table.pinned);
  const body = table.rows.slice(table.pinned);
  switch (fault.kind) {
    case 'duplicateRows':
      return { ...table, rows: [...head, ...body, ...body.slice(-3)] };
    case 'shuffledRows':
      return { ...table, rows: [...head, ...shuffle(body, seed)] };
    case 'missingColumn':
      return withoutColumn(table, fault.column ?? table.columns[0] ?? '');
    case 'newColumn':
      return {
        ...table,
        columns: [...table.columns, fault.column ?? 'brand-new-column'],
        rows: table.rows.map((row) => [...row, 'new']),
      };
    case 'renamedColumn': {
      const from = fault.column ?? table.columns[0] ?? '';
      const to = fault.to ?? `${from}-renamed`;
      return { ...table, columns: table.columns.map((name) => (name === from ? to : name)) };
    }
    case 'localisedHeaders':
      return { ...table, columns: table.columns.map((name) => localisedHeader(name, fault.language ?? 'de')) };
    default:
      return table;
  }
}

function withoutColumn(table: ReportTable, name: string): ReportTable {
  const index = table.columns.indexOf(name);
  if (index < 0) return table;
  return {
    ...table,
    columns: table.columns.toSpliced(index, 1),
    rows: table.rows.map((row) => row.toSpliced(index, 1)),
  };
}

function shuffle(rows: string[][], seed: string): string[][] {
  return rows
    .map((row, index) => ({ row, rank: unitDraw('shuffle', seed, index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ row }) => row);
}
