import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Ctx } from '#kit/server/context.ts';

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One value in COPY's text format; null and undefined are SQL NULL. PostgreSQL knows no NUL character, so it goes. */
export function field(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'number') return String(value);
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (char) => ESCAPES[char] ?? char) : text;
}

/**
 * Copies lines (COPY text format, line ends included) into a table, on the connection of the caller's transaction.
 * `target` is written by the program, never by a user. Memory use does not depend on the number of lines.
 */
export async function copyText(ctx: Ctx, target: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), ctx.client.query(copyFrom(`COPY ${target} FROM STDIN`)));
}

/** Rows already in memory, as one COPY. */
export async function copyRows(
  ctx: Ctx,
  target: string,
  rows: readonly (readonly (string | number | null | undefined)[])[],
): Promise<void> {
  async function* text(): AsyncGenerator<string> {
    for (let at = 0; at < rows.length; at += 2000) {
      yield rows
        .slice(at, at + 2000)
        .map((row) => `${row.map(field).join('\t')}\n`)
        .join('');
    }
  }
  await copyText(ctx, target, text());
}
