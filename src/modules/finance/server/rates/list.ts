import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { currencyName, PRESET_RATES, type RateFilter, type RateRow } from '../../contract/rates.ts';

const MONTHS = 12;
const MAX_DAYS = 800;
/** How far beyond the last row a page may begin before it is refused, as other lists do. */
const MAX_BEYOND = 10_000;

interface Found {
  month: string;
  currency: string;
  official: string | null;
  days: number;
  mine: string | null;
  source: string | null;
  /** Who the rates of days are from. */
  sources: string | null;
  locked: boolean;
  by: string | null;
  at: string | null;
}

const PRESETS = Object.keys(PRESET_RATES).filter((code) => code !== 'CNY');

function toRow(found: Found): RateRow {
  const { sources, ...shown } = found;
  const { month, currency, official, mine, source } = found;
  const preset = PRESET_RATES[currency] ?? null;
  return {
    ...shown,
    id: `${currency}-${month}`,
    name: currencyName(currency),
    effective: mine ?? official ?? preset,
    source: mine ? (source ?? '') : official ? `当月平均（${sources}）` : preset ? '预设汇率' : '缺少汇率',
  };
}

/**
 * Currencies by month, the newest month first: those with presets and those that the company has rates of. The order is
 * fixed. @throws refused B0030 for another order, B0031 for a page beyond them
 */
export async function ratePage(ctx: Ctx, request: PageRequest<RateFilter>): Promise<PageOf<RateRow>> {
  if (request.sort) throw refused(`不支持按「${request.sort}」排序`, 'B0030');
  const { month, currency } = request.filter;
  const { rows } = await sql<Found>`
    WITH code AS (
      SELECT unnest(${PRESETS}::text[]) AS currency
      UNION SELECT currency FROM finance.month_rate WHERE company_id = ${ctx.companyId}
      UNION SELECT currency FROM finance.day_rate WHERE company_id = ${ctx.companyId}
      UNION SELECT currency FROM finance.cash_account WHERE company_id = ${ctx.companyId} AND currency <> 'CNY'
    ), month AS (
      SELECT m::date AS month
        FROM generate_series(date_trunc('month', finance.today()) - make_interval(months => ${MONTHS - 1}::int),
               date_trunc('month', finance.today()), '1 month') AS m
       WHERE ${month ?? null}::text IS NULL
      UNION SELECT (${month ?? null}::text || '-01')::date WHERE ${month ?? null}::text IS NOT NULL
    )
    SELECT to_char(m.month, 'YYYY-MM') AS month, c.currency, round(d.official, 10)::text AS official, coalesce(d.days, 0)::int AS days,
           r.rate::text AS mine, r.source, d.sources, coalesce(p.state = 'CLOSED', false) AS locked, r.updated_by_name AS by, r.updated_at AS at
      FROM month AS m CROSS JOIN code AS c
      LEFT JOIN finance.month_rate AS r ON r.company_id = ${ctx.companyId} AND r.currency = c.currency AND r.month = m.month
      LEFT JOIN finance.period AS p ON p.company_id = ${ctx.companyId} AND p.month = m.month
      LEFT JOIN (SELECT currency, date_trunc('month', day)::date AS month, avg(rate) AS official, count(*) AS days,
                        string_agg(DISTINCT source, '、') AS sources
                   FROM finance.known_day GROUP BY 1, 2) AS d ON d.currency = c.currency AND d.month = m.month
     WHERE ${currency ?? null}::text IS NULL OR c.currency = ${currency ?? null}
     ORDER BY m.month DESC, array_position(${PRESETS}::text[], c.currency) NULLS LAST, c.currency`.execute(ctx.db);
  const from = (request.currentpage - 1) * request.pagesize;
  if (from > 0 && from > rows.length + MAX_BEYOND) throw refused('页码过大，请缩小筛选范围', 'B0031');
  return { records: rows.slice(from, from + request.pagesize).map(toRow), total: rows.length };
}

interface Asked {
  currency: string;
  from: string;
  to: string;
}

/** A currency from day to day. @throws refused B0917 beyond 800 days */
export async function history(ctx: Ctx, { currency, from, to }: Asked) {
  const span = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (span < 0 || span > MAX_DAYS) throw refused(`请选择 ${MAX_DAYS} 天以内的日期范围`, 'B0917');
  const { rows } = await sql<{ day: string; official: string | null; source: string | null; effective: string | null }>`
    SELECT d::date AS day, o.rate::text AS official, o.source, coalesce(m.rate, last.rate)::text AS effective
      FROM generate_series(${from}::date, ${to}::date, '1 day') AS d
      LEFT JOIN finance.known_day AS o ON o.currency = ${currency} AND o.day = d::date
      LEFT JOIN finance.month_rate AS m
        ON m.company_id = ${ctx.companyId} AND m.currency = ${currency} AND m.month = date_trunc('month', d)::date
      LEFT JOIN LATERAL (SELECT x.rate FROM finance.known_day AS x
         WHERE x.currency = ${currency} AND x.day BETWEEN d::date - 7 AND d::date
         ORDER BY x.day DESC LIMIT 1) AS last ON true
     ORDER BY 1`.execute(ctx.db);
  return rows;
}
