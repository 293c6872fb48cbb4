import { sql } from 'kysely';
import type { Ctx } from './context.ts';

/**
 * Next number of a pattern such as "UP{yyMMdd}{seq:4}". The day is `today` (a company day "yyyy-MM-dd"). The row of the
 * prefix stays locked until the transaction ends, so numbers have neither gaps nor doubles.
 */
export async function nextNumber(ctx: Ctx, pattern: string, today: string): Promise<string> {
  const [year = '', month = '', day = ''] = today.split('-');
  const dated = pattern
    .replace('{yyyyMMdd}', `${year}${month}${day}`)
    .replace('{yyMMdd}', `${year.slice(2)}${month}${day}`);
  const match = /\{seq:(\d+)\}/.exec(dated);
  if (!match) throw new Error(`pattern ${pattern} has no sequence`);
  const prefix = dated.slice(0, match.index);
  const { rows } = await sql<{ last: number }>`
    INSERT INTO kit.sequence AS s (company_id, prefix, last) VALUES (${ctx.companyId}, ${prefix}, 1)
    ON CONFLICT (company_id, prefix) DO UPDATE SET last = s.last + 1
    RETURNING last`.execute(ctx.db);
  const width = Number(match[1]);
  return dated.replace(match[0], String(rows[0]?.last ?? 1).padStart(width, '0'));
}
