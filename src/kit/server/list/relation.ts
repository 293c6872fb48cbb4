import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';

/**
 * All rows of a relation as the query of a list, under the alias `f`. The builder only follows tables that it was told of;
 * what hand-written SQL makes has no table, so that the type of its rows stands with the text alone, and is named here once.
 */
export function relation<Row>(ctx: Pick<Ctx, 'db'>, rows: RawBuilder<Row>): SelectQueryBuilder<never, never, Row> {
  const query: unknown = ctx.db.selectFrom(sql`(${rows})`.as('f')).selectAll('f');
  return query as SelectQueryBuilder<never, never, Row>;
}
