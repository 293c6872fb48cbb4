import iconv from 'iconv-lite';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { RawLine } from './raw.ts';

type Bytes = () => AsyncIterable<Uint8Array>;

/** Bytes of the corrected lines of a document, by physical line number. */
export type Corrections = ReadonlyMap<number, Buffer>;

const LF = 0x0a;
const CR = 0x0d;

function quoted(cell: string, delimiter: string): string {
  return /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A line written as its file writes lines. Tab separated files know no quotes, so tabs and breaks become blanks. */
export function lineBytes(
  { delimiter, charset }: Pick<RawLine, 'delimiter' | 'charset'>,
  cells: readonly string[],
): Buffer {
  const text = cells
    .map((cell) => (delimiter === '\t' ? cell.replace(/[\t\r\n]+/g, ' ') : quoted(cell, delimiter)))
    .join(delimiter);
  return iconv.encode(text, charset);
}

/** What people put right in a document, so that every reading of it reads it so. */
export async function correctionsOf(ctx: Ctx, documentId: string): Promise<Corrections> {
  const { rows } = await sql<{ line_no: number; corrected: string[]; raw: RawLine }>`
    SELECT line_no, corrected, raw FROM marketplace.quarantine_row
     WHERE company_id = ${ctx.companyId} AND document_id = ${documentId} AND corrected IS NOT NULL
       AND state <> 'ignored'`.execute(ctx.db);
  return new Map(rows.map((row) => [row.line_no, lineBytes(row.raw, row.corrected)]));
}

/** The bytes of a file with some of its lines replaced; memory use does not depend on its length. */
async function* replaced(source: Bytes, corrections: Corrections): AsyncGenerator<Uint8Array> {
  let line = 1;
  // The end of a replaced line's own bytes: dropped up to its line end.
  let skipping = false;
  let atStart = true;
  for await (const chunk of source()) {
    let from = 0;
    while (from < chunk.length) {
      if (atStart) {
        const instead = corrections.get(line);
        if (instead) yield instead;
        skipping = instead !== undefined;
        atStart = false;
      }
      const found = chunk.indexOf(LF, from);
      const end = found < 0 ? chunk.length : found;
      if (!skipping) yield chunk.subarray(from, end);
      if (found < 0) break;
      if (skipping && found > from && chunk[found - 1] === CR) yield Uint8Array.of(CR);
      yield chunk.subarray(found, found + 1);
      from = found + 1;
      line += 1;
      atStart = true;
    }
  }
}

/** A source that reads as if the file said what people put right. */
export function corrected(source: Bytes, corrections: Corrections): Bytes {
  return corrections.size === 0 ? source : () => replaced(source, corrections);
}
