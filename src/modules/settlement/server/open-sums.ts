import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type ComparedList, either, type Periods, periodsOf } from '#kit/server/list/compared/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { feeTitle } from '../contract/fees.ts';
import { type OpenSumFilter, OpenSumRow } from '../contract/open.ts';
import { CLOSED_ON, ENDINGS, SPANNED } from './open-span.ts';
import { inStores } from './stores.ts';

interface Reach {
  /** Nothing that ended before this day, and nothing that began after the other one. */
  since: string;
  upto: string;
}

/** Amounts that were open at some time, each with the days from and until which it was. */
function spans(ctx: Ctx, { stores, sku, currency, fee }: OpenSumFilter, { since, upto }: Reach): RawBuilder<unknown> {
  const more = [
    ...(stores?.length ? [inStores('l', stores)] : []),
    ...(sku ? [sql`l.sku = ${sku}`] : []),
    ...(currency ? [sql`l.currency = ${currency}`] : []),
    ...(fee ? [sql`l.fee_code = ${fee}`] : []),
  ];
  const where = sql.join([sql`l.posted_date <= ${upto}::date`, ...more], sql` AND `);
  return sql`
    SELECT l.account_id, l.marketplace_id, l.currency, l.fee_code, l.posted_date AS opened, d.closed, d.deferred,
           l.amount
      FROM (SELECT d.company_id, d.id, ${CLOSED_ON} AS closed, d.status <> 'RELEASED' AS deferred
              FROM settlement.source_doc AS d ${ENDINGS}
             WHERE d.company_id = ${ctx.companyId} AND ${SPANNED} AND coalesce(${CLOSED_ON} > ${since}::date, true)) AS d
      JOIN settlement.money_line AS l ON l.company_id = d.company_id AND l.source_doc_id = d.id
     WHERE ${where}`;
}

/** Balances at the end of both periods: nothing is added up over their days. */
function balances(ctx: Ctx, filter: OpenSumFilter, { now, before }: Periods): RawBuilder<unknown> {
  const openAt = (day: string) => sql`f.opened <= ${day}::date AND coalesce(f.closed > ${day}::date, true)`;
  const at = (day: string, side: '' | 'Before') => sql`
    CASE WHEN ${openAt(day)} THEN f.amount END AS ${sql.ref(`openAmount${side}`)},
    CASE WHEN ${openAt(day)} THEN CASE WHEN f.deferred THEN f.amount ELSE 0 END END AS ${sql.ref(`deferredAmount${side}`)},
    CASE WHEN ${openAt(day)} THEN 1 END AS ${sql.ref(`lines${side}`)}`;
  return sql`SELECT f.account_id, f.marketplace_id, f.currency, f.fee_code, ${at(now.to, '')}, ${at(before.to, 'Before')}
               FROM (${spans(ctx, filter, { since: before.to, upto: now.to })}) AS f
              WHERE ${openAt(now.to)} OR ${openAt(before.to)}`;
}

/** The balance at the end of each day of both periods. */
function byDay(ctx: Ctx, filter: OpenSumFilter, periods: Periods): RawBuilder<unknown> {
  const reach = { since: periods.before.from, upto: periods.now.to };
  return sql`
    WITH moved AS MATERIALIZED (
      SELECT m.currency, m.day, sum(m.amount) AS amount, sum(m.amount) FILTER (WHERE m.deferred) AS deferred, sum(m.n) AS n
        FROM (${spans(ctx, filter, reach)}) AS f
       CROSS JOIN LATERAL (VALUES (f.currency, f.opened, f.amount, f.deferred, 1),
                                  (f.currency, greatest(f.closed, f.opened), -f.amount, f.deferred, -1))
             AS m (currency, day, amount, deferred, n)
       WHERE f.closed IS NOT NULL OR m.n > 0 GROUP BY 1, 2),
    days AS (
      SELECT g.day::date AS day FROM generate_series(${reach.since}::date, ${reach.upto}::date, interval '1 day') AS g (day)
       WHERE ${either(periods, 'g.day')}),
    each AS (SELECT DISTINCT currency FROM moved)
    SELECT d.day, e.currency, sum(m.amount) AS "openAmount", coalesce(sum(m.deferred), 0) AS "deferredAmount", sum(m.n) AS lines
      FROM days AS d CROSS JOIN each AS e JOIN moved AS m ON m.currency = e.currency AND m.day <= d.day GROUP BY 1, 2`;
}

/** 未结算金额 by store, kind of amount and currency, at the end of a period and of the one that it is held against. */
export async function openSumList(ctx: Ctx, filter: OpenSumFilter): Promise<ComparedList> {
  const stores = await storeNames(ctx);
  const { now, before } = periodsOf(ctx, filter, 'day');
  return {
    title: '未结算汇总对比',
    resource: 'settlement.settlement',
    row: OpenSumRow,
    facts: spans(ctx, filter, { since: before.to, upto: now.to }),
    parts: (periods) => balances(ctx, filter, periods),
    points: (periods) => byDay(ctx, filter, periods),
    told: sql`
      SELECT s.account_id, s.marketplace_id, g.day::date AS day
        FROM (SELECT account_id, marketplace_id, min(min(posted_at)) OVER (PARTITION BY account_id)::date AS since
                FROM settlement.source_doc WHERE company_id = ${ctx.companyId} AND kind = 'TRANSACTION' GROUP BY 1, 2) AS s
       CROSS JOIN generate_series(s.since, kit.today(), interval '1 day') AS g (day)`,
    by: ['fee_code'],
    measures: {
      openAmount: { of: 'f.amount', kind: 'money' },
      deferredAmount: { of: 'CASE WHEN f.deferred THEN f.amount END', kind: 'money' },
      lines: { of: '1', kind: 'integer' },
    },
    step: 'day',
    charted: ['openAmount', 'deferredAmount', 'lines'],
    first: 'openAmount',
    product: 'f.fee_code',
    show: (row) => ({
      fee: feeTitle(String(row.fee_code)),
      feeCode: row.fee_code,
      asOf: now.to,
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    }),
  };
}
