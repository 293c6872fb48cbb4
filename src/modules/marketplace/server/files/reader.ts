import type { Charset } from './charset.ts';
import type { DayOrder } from './dates.ts';
import type { DecimalStyle } from './numbers.ts';
import { FileRefused } from './refusal.ts';
import type { ByteSource } from './source.ts';

/** What the caller knows about a file. Everything is optional; the file's own evidence comes first. */
export interface ReadOptions {
  /** Charset label or `Content-Type` of the response the file came in. */
  charset?: string | undefined;
  /** Amazon's marketplace id: charset, decimal mark and zone for a file that proves none. */
  marketplaceId?: string | undefined;
  /** Forces the decimal mark. */
  decimal?: DecimalStyle | undefined;
  /** Forces the order of day and month where both are possible. */
  dayOrder?: DayOrder | undefined;
  /** IANA zone of dates that state none; else the marketplace's, else UTC. */
  timeZone?: string | undefined;
  /**
   * Rows that cannot be read are put here and left out of `rows`, instead of ending the reading; each pass over the rows
   * begins with an empty list. Left out: the first such row refuses the file.
   */
  aside?: RowRefused[] | undefined;
}

/** A row that cannot be taken over: its physical line, counted from 1, and why, in Chinese. */
export interface RowRefused {
  lineNo: number;
  reason: string;
  /** What the row is about, where its report says which column tells: an order is not taken over in parts. */
  about?: string | undefined;
}

/** A file with more bad rows than these is not the report that it seems to be. */
const BAD_ROWS = 20;
const BAD_SHARE = 0.05;

/** Whether so many bad rows are too many to take over the others. */
export function tooBad(bad: number, rows: number): boolean {
  return bad > Math.max(BAD_ROWS, rows * BAD_SHARE);
}

/** What a check says of lines that a load would leave out; nothing where there are none. */
export function asideWarning(refused: readonly RowRefused[]): string[] {
  const [first] = refused;
  return first ? [`${refused.length} 行将进入隔离区，例如第 ${first.lineNo} 行：${first.reason}`] : [];
}

/** Refuses a file most of which may be taken over only by leaving too much out. @throws FileRefused VALUE */
export function refuseTooBad(refused: readonly RowRefused[], rows: number): void {
  const [first] = refused;
  if (!first || !tooBad(refused.length, rows)) return;
  throw new FileRefused('VALUE', `${refused.length} 行无法读取，例如第 ${first.lineNo} 行：${first.reason}`);
}

/** What the first pass found out about a file as a whole. */
export interface FileFacts {
  type: string;
  /** Chinese name of the report. */
  title: string;
  charset: Charset;
  gzip: boolean;
  delimiter: string;
  headers: string[];
  /** Columns nobody asked for (报表新增列); their values stand in `extra` of each row. */
  extraHeaders: string[];
  decimal: DecimalStyle;
  dayOrder: DayOrder;
  timeZone: string;
  /** Data rows in the file: without header and blank lines. */
  rows: number;
  /** Chinese remarks on things that are odd but no reason to refuse. */
  warnings: string[];
}

/** A file being read. Nothing happens before one of the two is used. */
export interface Reading<Row, Facts extends FileFacts = FileFacts> {
  /** First pass over the whole file: how it is written, whether it is whole and proves out. Rejects with FileRefused. */
  readonly header: Promise<Facts>;
  /** Second pass: the rows in batches of about 2,000, in constant memory. Throws FileRefused. Can be iterated again. */
  readonly rows: AsyncIterable<Row[]>;
}

/** Reader of one kind of file. */
export interface FileReader<Row, Facts extends FileFacts = FileFacts> {
  type: string;
  title: string;
  /** How well a header fits, 0 to 1; 1 = every required column is there. */
  matches(headers: readonly string[]): number;
  /** Columns that the report has and nobody reads: what stands in them is kept nowhere but in the file itself. */
  ignored?: readonly string[];
  /** Required columns that the header lacks, by Amazon's English names. */
  missing(headers: readonly string[]): string[];
  read(source: ByteSource, options?: ReadOptions): Reading<Row, Facts>;
}

/** Rows per batch: large enough for one COPY write, small enough to stay out of sight of the garbage collector. */
export const BATCH = 2000;

/** A Reading whose first pass starts on first use and is made once. `rows` may yield batches of any size. */
export function lazyReading<Row, Facts extends FileFacts>(
  survey: () => Promise<Facts>,
  rows: (facts: Facts) => AsyncGenerator<Row[]>,
): Reading<Row, Facts> {
  let header: Promise<Facts> | undefined;
  const once = (): Promise<Facts> => {
    header ??= survey();
    return header;
  };
  async function* batches(): AsyncGenerator<Row[]> {
    yield* rebatch(rows(await once()), BATCH);
  }
  return {
    get header() {
      return once();
    },
    rows: { [Symbol.asyncIterator]: batches },
  };
}

/** Joins small batches (one per chunk of bytes) into batches of at least `size`, but for the last. */
export async function* rebatch<Row>(batches: AsyncIterable<Row[]>, size: number): AsyncGenerator<Row[]> {
  let waiting: Row[] = [];
  for await (const batch of batches) {
    if (waiting.length === 0) waiting = batch;
    else for (const row of batch) waiting.push(row);
    if (waiting.length >= size) {
      yield waiting;
      waiting = [];
    }
  }
  if (waiting.length > 0) yield waiting;
}
