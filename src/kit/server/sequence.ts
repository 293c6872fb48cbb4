import { sql } from 'kysely';
import type { Ctx } from './context.ts';

/**
 * Next number of a pattern such as "UP{yyMMdd}{seq:4}". The day is `today` (a company day "yyyy-MM-dd"). The row of the
 * prefix stays locked until the transaction ends, so numbers have neither gaps nor doubles.
 */
export async function nextNumber(ctx: Ctx, pattern: string, today: string): Promise<string> {
  const [number = ''] = await nextNumbers(ctx, pattern, today, 1);
  return number;
}

/** The next so many numbers of a pattern, taken at once. */
export async function nextNumbers(ctx: Ctx, pattern: string, today: string, count: number): Promise<string[]> {
  if (count === 0) return [];
  const [year = '', month = '', day = ''] = today.split('-');
  const dated = pattern
    .replace('{yyyyMMdd}', `${year}${month}${day}`)
    .replace('{yyMMdd}', `${year.slice(2)}${month}${day}`);
  const match = /\{seq:(\d+)\}/.exec(dated);
  if (!match) throw new Error(`pattern ${pattern} has no sequence`);
  const prefix = dated.slice(0, match.index);
  const { rows } = await sql<{ last: number }>`
    INSERT INTO kit.sequence AS s (company_id, prefix, last) VALUES (${ctx.companyId}, ${prefix}, ${count})
    ON CONFLICT (company_id, prefix) DO UPDATE SET last = s.last + ${count}
    RETURNING last`.execute(ctx.db);
  const first = (rows[0]?.last ?? count) - count + 1;
  const width = Number(match[1]);
  return Array.from({ length: count }, (_, at) => dated.replace(match[0], String(first + at).padStart(width, '0')));
}
