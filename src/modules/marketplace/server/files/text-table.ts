import type { Charset } from './charset.ts';
import { bomOf, CharsetMismatch, charsetCandidates, charsetOf, decode } from './charset.ts';
import type { RawRow } from './lines.ts';
import { MAX_LINE, RowSplitter } from './lines.ts';
import { FileRefused } from './refusal.ts';
import type { ByteSource } from './source.ts';
import { peek, plainBytes } from './source.ts';

/** How a text file was found to be written. */
export interface TextLayout {
  charset: Charset;
  gzip: boolean;
  /** True when the file began with a byte order mark. */
  bom: boolean;
  delimiter: '\t' | ',' | ';' | '|';
}

/** A delimited text file, opened: its header row is read, the rows follow in batches as the bytes arrive. */
export interface TextTable {
  layout: TextLayout;
  headers: string[];
  headerLine: number;
  /** Never empty batches; reading them drives the source. */
  batches: AsyncGenerator<RawRow[]>;
  /** True once `batches` has ended and the last row had no line end. */
  unterminated: () => boolean;
}

/** Opens the file in one charset. @throws CharsetMismatch, FileRefused */
export async function openTextTable(source: ByteSource, charset: Charset, declared?: Charset): Promise<TextTable> {
  const { gzip, bytes } = await plainBytes(source);
  const { head, rest } = await peek(bytes, 3);
  if (head.length === 0) throw new FileRefused('EMPTY', '文件为空');
  const mark = bomOf(head);
  const text = decode(rest, mark?.charset ?? charset, mark ? undefined : declared);
  const start = await firstLine(text);
  const delimiter = delimiterOf(start.line);
  const splitter = new RowSplitter({ delimiter, quotes: delimiter !== '\t' });
  const rows = splitAll(start.text, text, splitter);
  const first = await rows.next();
  const header = first.done ? undefined : first.value[0];
  if (first.done || !header) throw new FileRefused('EMPTY', '文件为空');
  const behindHeader = first.value.slice(1);
  async function* batches(): AsyncGenerator<RawRow[]> {
    if (behindHeader.length > 0) yield behindHeader;
    yield* rows;
  }
  return {
    layout: { charset: mark?.charset ?? charset, gzip, bom: mark !== undefined, delimiter },
    headers: trimTail(header.cells),
    headerLine: header.line,
    batches: batches(),
    unterminated: () => splitter.unterminated,
  };
}

/**
 * Runs a pass over the file in each candidate charset until one decodes it. A byte that is impossible in a charset may
 * stand at the very end, so only a whole pass proves it.
 * @throws FileRefused CHARSET when no candidate fits
 */
export async function withCharset<T>(
  source: ByteSource,
  options: { charset?: string | undefined; marketplaceId?: string | undefined },
  pass: (table: TextTable) => Promise<T>,
): Promise<T> {
  const declared = charsetOf(options.charset);
  const tried: Charset[] = [];
  for (const candidate of charsetCandidates(declared, options.marketplaceId)) {
    try {
      return await pass(await openTextTable(source, candidate, declared));
    } catch (error) {
      if (!(error instanceof CharsetMismatch)) throw error;
      tried.push(error.charset);
    }
  }
  const names = [...new Set(tried)].join('、');
  throw new FileRefused('CHARSET', `无法识别文件编码（已尝试 ${names}），请选择站点或编码后重试`);
}

/** Reads up to the first line end behind the first line that is not blank. */
async function firstLine(text: AsyncGenerator<string>): Promise<{ text: string; line: string }> {
  let head = '';
  for (;;) {
    const line = /^\s*?([^\s][^\r\n]*)[\r\n]/.exec(head)?.[1];
    if (line !== undefined) return { text: head, line };
    if (head.length > MAX_LINE) return { text: head, line: head.slice(0, 4096) };
    const next = await text.next();
    if (next.done) return { text: head, line: head };
    head += next.value;
  }
}

/** A tab anywhere in the header makes it tab separated; else the commonest mark outside quotes. */
function delimiterOf(line: string): TextLayout['delimiter'] {
  if (line.includes('\t')) return '\t';
  const bare = line.replace(/"[^"]*"/g, '');
  const marks = [',', ';', '|'] as const;
  const count = (mark: string): number => bare.split(mark).length;
  return marks.reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',' as TextLayout['delimiter']);
}

async function* splitAll(head: string, text: AsyncGenerator<string>, splitter: RowSplitter): AsyncGenerator<RawRow[]> {
  const first = splitter.push(head);
  if (first.length > 0) yield first;
  for await (const chunk of text) {
    const rows = splitter.push(chunk);
    if (rows.length > 0) yield rows;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}

/** Empty header cells at the end come from a trailing separator and are no columns. */
function trimTail(cells: readonly string[]): string[] {
  let length = cells.length;
  while (length > 0 && (cells[length - 1] ?? '').trim() === '') length--;
  return cells.slice(0, length);
}
