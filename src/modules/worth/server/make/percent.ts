import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { Disposition } from '../../contract/fields.ts';

/** Percent that are written down where the company says nothing: what Amazon cannot sell all of it, what is ours nothing. */
export const usual = (disposition: string): string => (disposition === 'LOCAL_DEFECT' ? '0' : '100');

export const NAMES = Disposition.options;
const USUAL = NAMES.map(usual);

/** SELECT (disposition, percent) of what holds on a day. Dispositions that nobody knows yet count as OTHER does. */
export function percentSql(
  { companyId }: Pick<Ctx, 'companyId'>,
  day: string,
): RawBuilder<{ disposition: string; percent: string }> {
  return sql`
    SELECT d.name AS disposition, coalesce((
             SELECT w.percent FROM worth.write_down AS w
              WHERE w.company_id = ${companyId} AND w.disposition = d.name AND w.valid_from <= ${day}::date
              ORDER BY w.valid_from DESC LIMIT 1), d.usual) AS percent
      FROM unnest(${NAMES}::text[], ${USUAL}::numeric[]) AS d (name, usual)`;
}
