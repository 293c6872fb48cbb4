import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Ctx } from '#kit/server/context.ts';

export type Value = string | number | boolean | null | readonly string[];

const SPECIAL = /[\\\t\n\r\0]/;
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };

function text(value: string): string {
  return SPECIAL.test(value) ? value.replace(/[\\\t\n\r\0]/g, (char) => ESCAPED[char] ?? '') : value;
}

function arrayLiteral(values: readonly string[]): string {
  if (values.length === 0) return '{}';
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, (char) => `\\${char}`)}"`).join(',')}}`;
}

/** One value in COPY's text format. */
function cell(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return text(arrayLiteral(value));
}

/** Values as the part of a COPY line that they make, without a line end. */
export function cells(values: readonly Value[]): string {
  let line = '';
  for (let at = 0; at < values.length; at += 1)
    line += at === 0 ? cell(values[0] ?? null) : `\t${cell(values[at] ?? null)}`;
  return line;
}

/** Writes COPY lines into a table of the caller's transaction; memory use does not depend on their number. */
export async function copyInto(ctx: Ctx, table: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), ctx.client.query(copyFrom(`COPY ${table} FROM STDIN`)));
}
