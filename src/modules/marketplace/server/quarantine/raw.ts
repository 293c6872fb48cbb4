import type { Charset } from '../files/charset.ts';
import { headerKey } from '../files/headers.ts';
import type { ReadOptions } from '../files/reader.ts';
import type { ByteSource } from '../files/source.ts';
import { openTextTable, withCharset } from '../files/text-table.ts';

/** A line as the quarantine keeps it: enough to show it, and to write it back into the file. */
export interface RawLine {
  headers: string[];
  cells: string[];
  delimiter: string;
  charset: Charset;
}

/**
 * The lines with these numbers, by number; reads the file once, to the last of them. Cells of columns that nobody reads stay
 * blank: the buyers of a report are not kept here either.
 */
export async function rawLines(
  source: ByteSource,
  options: Pick<ReadOptions, 'charset' | 'marketplaceId'>,
  lineNos: ReadonlySet<number>,
  ignored: readonly string[] = [],
): Promise<Map<number, RawLine>> {
  const found = new Map<number, RawLine>();
  if (lineNos.size === 0) return found;
  const charset = await withCharset(source, options, async (table) => {
    for await (const _ of table.batches);
    return table.layout.charset;
  });
  const table = await openTextTable(source, charset);
  const { delimiter } = table.layout;
  const headers = table.headers.map((header) => header.trim());
  const unread = new Set(ignored.map(headerKey));
  const isBlank = headers.map((header) => unread.has(headerKey(header)));
  for await (const batch of table.batches) {
    for (const { line, cells: written } of batch) {
      if (!lineNos.has(line)) continue;
      const cells = written.map((cell, at) => (isBlank[at] ? '' : cell));
      found.set(line, { headers, cells, delimiter, charset });
    }
    if (found.size === lineNos.size) break;
  }
  return found;
}
