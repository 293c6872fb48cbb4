import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Ctx } from '#kit/server/context.ts';

type Value = string | number | null | undefined;

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };
const BATCH = 1000;

/** One value in COPY's text format: null and undefined are SQL NULL, and PostgreSQL knows no NUL character. */
function field(value: Value): string {
  if (value === null || value === undefined) return '\\N';
  return String(value).replace(/[\\\t\n\r\0]/g, (char) => ESCAPES[char] ?? char);
}

function* lines(rows: readonly (readonly Value[])[]): Generator<string> {
  for (let at = 0; at < rows.length; at += BATCH) {
    yield rows
      .slice(at, at + BATCH)
      .map((row) => `${row.map(field).join('\t')}\n`)
      .join('');
  }
}

/** Copies rows into a table whose name the program wrote, on the connection of the caller's transaction. */
export async function copyRows(ctx: Ctx, target: string, rows: readonly (readonly Value[])[]): Promise<void> {
  await pipeline(Readable.from(lines(rows)), ctx.client.query(copyFrom(`COPY ${target} FROM STDIN`)));
}
