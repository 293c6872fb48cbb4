import type { RawBuilder } from 'kysely';
import Cursor from 'pg-cursor';
import type { Ctx } from '#kit/server/context.ts';

const BATCH = 2000;

/** Rows of a query one after the other, by a cursor on the connection of the caller's transaction. */
export async function* rowsOf(ctx: Ctx, query: RawBuilder<unknown>): AsyncGenerator<object> {
  const compiled = query.compile(ctx.db);
  const cursor = ctx.client.query(new Cursor<object>(compiled.sql, [...compiled.parameters]));
  try {
    for (let rows = await cursor.read(BATCH); rows.length > 0; rows = await cursor.read(BATCH)) yield* rows;
  } finally {
    await cursor.close();
  }
}
