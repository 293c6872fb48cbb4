import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const quoted = (columns: readonly string[]) => columns.map((name) => `"${name}"`).join(', ');

/** SQL of text columns, one for each column of a file. */
export const textColumns = (columns: readonly string[]): string => columns.map((name) => `"${name}" text`).join(', ');

/** Copies the bytes of a tab separated file with a header into a table that has a text column of each name. */
export async function copyBytes(
  admin: pg.Client,
  table: string,
  columns: readonly string[],
  bytes: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  await pipeline(
    Readable.from(bytes()),
    admin.query(copyFrom(`COPY ${table} (${quoted(columns)}) FROM STDIN (FORMAT text, HEADER true, NULL '')`)),
  );
}

/** The least that can be done with a file: one COPY of its bytes into a plain table of texts, without any index. */
export async function plainCopy(
  admin: pg.Client,
  columns: readonly string[],
  bytes: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  await admin.query('DROP TABLE IF EXISTS public.plain_copy');
  await admin.query(`CREATE TABLE public.plain_copy (${textColumns(columns)})`);
  await copyBytes(admin, 'public.plain_copy', columns, bytes);
  await admin.query('DROP TABLE public.plain_copy');
}
