import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Ctx } from '../context.ts';

export type CopyValue = string | number | boolean | null | undefined | readonly string[];

const SPECIAL = /[\\\t\n\r\0]/;
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };
const BATCH = 2000;

function text(value: string): string {
  return SPECIAL.test(value) ? value.replace(/[\\\t\n\r\0]/g, (char) => ESCAPED[char] ?? '') : value;
}

function arrayLiteral(values: readonly string[]): string {
  if (values.length === 0) return '{}';
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, (char) => `\\${char}`)}"`).join(',')}}`;
}

/** One value in COPY's text format: null and undefined are SQL NULL; PostgreSQL knows no NUL character, so it goes. */
export function copyField(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return text(arrayLiteral(value));
}

/** Values as one COPY line or as a part of it, without the line end. */
export function copyFields(values: readonly CopyValue[]): string {
  let line = '';
  for (let at = 0; at < values.length; at += 1) line += `${at === 0 ? '' : '\t'}${copyField(values[at])}`;
  return line;
}

/**
 * Copies lines (COPY text format, line ends included) into a table, on the connection of the caller's transaction.
 * `target` is written by the program, never by a user. Memory use does not depend on the number of lines.
 */
export async function copyText(ctx: Pick<Ctx, 'client'>, target: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines, { highWaterMark: 1 }), ctx.client.query(copyFrom(`COPY ${target} FROM STDIN`)));
}

/** Rows already in memory, as one COPY. */
export async function copyRows(
  ctx: Pick<Ctx, 'client'>,
  target: string,
  rows: readonly (readonly CopyValue[])[],
): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for (let at = 0; at < rows.length; at += BATCH) {
      yield rows
        .slice(at, at + BATCH)
        .map((row) => `${copyFields(row)}\n`)
        .join('');
    }
  }
  await copyText(ctx, target, lines());
}
