import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type ComparedList, either, type Periods, periodsOf } from '#kit/server/list/compared/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { feeTitle } from '../contract/fees.ts';
import { type OpenSumFilter, OpenSumRow } from '../contract/open.ts';
import { openSince } from './open-span.ts';
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
      FROM (${openSince(ctx, since)}) AS d
      JOIN settlement.money_line AS l ON l.company_id = d.company_id AND l.source_doc_id = d.id
     WHERE ${where}`;
}

const openAt = (day: string) => sql`f.opened <= ${day}::date AND coalesce(f.closed > ${day}::date, true)`;

/** Balances at the end of both periods: nothing is added up over their days. */
function balances(ctx: Ctx, filter: OpenSumFilter, { now, before }: Periods): RawBuilder<unknown> {
  const at = (side: '' | 'Before') =>
    sql.raw(
      `CASE WHEN b."at${side}" THEN b.amount END AS "openAmount${side}",
     CASE WHEN b."at${side}" THEN CASE WHEN b.deferred THEN b.amount ELSE 0 END END AS "deferredAmount${side}",
     CASE WHEN b."at${side}" THEN b.lines END AS "lines${side}"`,
    );
  return sql`
    SELECT b.account_id, b.marketplace_id, b.currency, b.fee_code, ${at('')}, ${at('Before')}
      FROM (SELECT f.account_id, f.marketplace_id, f.currency, f.fee_code, ${openAt(now.to)} AS at,
                   ${openAt(before.to)} AS "atBefore", f.deferred, sum(f.amount) AS amount, count(*) AS lines
              FROM (${spans(ctx, filter, { since: before.to, upto: now.to })}) AS f
             WHERE ${openAt(now.to)} OR ${openAt(before.to)} GROUP BY 1, 2, 3, 4, 5, 6, 7) AS b`;
}

/** The balance at the end of each day of both periods: amounts are few once they are added up by the days from and until which they were open. */
function byDay(ctx: Ctx, filter: OpenSumFilter, periods: Periods): RawBuilder<unknown> {
  const reach = { since: periods.before.from, upto: periods.now.to };
  return sql`
    WITH spanned AS MATERIALIZED (
      SELECT f.currency, f.opened, f.closed, f.deferred, sum(f.amount) AS amount, count(*) AS lines
        FROM (${spans(ctx, filter, reach)}) AS f GROUP BY 1, 2, 3, 4),
    days AS (
      SELECT g.day::date AS day FROM generate_series(${reach.since}::date, ${reach.upto}::date, interval '1 day') AS g (day)
       WHERE ${either(periods, 'g.day')})
    SELECT d.day, f.currency, f.amount AS "openAmount", CASE WHEN f.deferred THEN f.amount ELSE 0 END AS "deferredAmount", f.lines
      FROM days AS d JOIN spanned AS f ON f.opened <= d.day AND coalesce(f.closed > d.day, true)`;
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
      SELECT s.account_id, NULL::text AS marketplace_id, g.day::date AS day
        FROM (SELECT a.id AS account_id,
                     (SELECT min(d.posted_at) FROM settlement.source_doc AS d
                       WHERE d.company_id = ${ctx.companyId} AND d.account_id = a.id AND d.kind = 'TRANSACTION')::date AS since
                FROM marketplace.seller_account AS a WHERE a.company_id = ${ctx.companyId}) AS s
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
