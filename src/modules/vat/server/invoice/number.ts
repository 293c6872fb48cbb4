import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { numberBy } from '../rules/pattern.ts';

export interface Series {
  entityId: string;
  /** Country of the registration. */
  country: string;
  type: string;
  year: number;
}

/**
 * Takes the next number of a series. Its row stays locked until the transaction ends: who rolls back gives the number back, and
 * the next one waits for that, so there is neither gap nor double.
 * @param pattern for the first document of a series; later ones follow the pattern that it began with
 */
export async function takeNumber(ctx: Ctx, series: Series, pattern: string): Promise<{ no: number; number: string }> {
  const { entityId, country, type, year } = series;
  const { rows } = await sql<{ last: number; pattern: string }>`
    INSERT INTO vat.series AS s (company_id, entity_id, country, type, year, pattern, last)
    VALUES (${ctx.companyId}, ${entityId}, ${country}, ${type}, ${year}, ${pattern}, 1)
    ON CONFLICT (company_id, entity_id, country, type, year) DO UPDATE SET last = s.last + 1
    RETURNING last, pattern`.execute(ctx.db);
  const { last: no, pattern: kept } = rows[0] ?? { last: 1, pattern };
  return { no, number: numberBy(kept, { country, year, no }) };
}
