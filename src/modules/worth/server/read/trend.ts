import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { Stage, type WorthFilter } from '../../contract/fields.ts';
import type { worthTrend } from '../../contract/worth.ts';
import { conditions } from './at.ts';

const MOST_DAYS = 400;

/**
 * Net value by stage of every day of a range, CNY. The lines of each month are read once: what begins adds to the days from
 * then on, what ends is taken off. @throws refused B1606 for a range of more than 400 days
 */
export async function trend(
  ctx: Ctx,
  { from, to, filter }: { from: string; to: string; filter: WorthFilter },
): Promise<Reply<typeof worthTrend>> {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (days < 1 || days > MOST_DAYS) throw refused(`日期范围不能超过 ${MOST_DAYS} 天`, 'B1606');
  const { rows } = await sql<{ day: string; known: boolean; stage: Stage | null; net: string | null }>`
    WITH span AS (
      SELECT d::date AS day, date_trunc('month', d)::date AS month
        FROM generate_series(${from}::date, ${to}::date, interval '1 day') AS d),
    moved AS MATERIALIZED (
      SELECT k.month, k.stage, x.day, sum(x.net) AS net
        FROM worth.line AS k
        LEFT JOIN product.local_product AS p ON p.company_id = k.company_id AND p.id = k.product_id
       CROSS JOIN LATERAL (VALUES (k.from_day, k.total - k.reserve), (k.to_day, k.reserve - k.total)) AS x (day, net)
       WHERE k.company_id = ${ctx.companyId} AND k.month BETWEEN date_trunc('month', ${from}::date)::date AND ${to}::date
         AND ${conditions(filter)}
       GROUP BY 1, 2, 3)
    SELECT s.day::text AS day, y.day IS NOT NULL AS known, m.stage, sum(m.net)::text AS net
      FROM span AS s
      LEFT JOIN worth.day AS y ON y.company_id = ${ctx.companyId} AND y.day = s.day
      LEFT JOIN moved AS m ON m.month = s.month AND m.day <= s.day AND y.day IS NOT NULL
     GROUP BY 1, 2, 3 ORDER BY 1`.execute(ctx.db);
  const byDay = Map.groupBy(rows, (row) => row.day);
  return [...byDay].map(([day, some]) => ({
    day,
    known: some[0]?.known ?? false,
    stages: Stage.options.flatMap((stage) => {
      const found = some.find((row) => row.stage === stage);
      return found ? [{ stage, net: found.net }] : [];
    }),
  }));
}
