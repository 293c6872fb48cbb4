import { type RawBuilder, sql } from 'kysely';
import type { Period } from '../../../contract/compare.ts';
import { type ComparedList, type ComparedMeasure, SIDES } from './def.ts';
import { either, inside, type Periods } from './periods.ts';

const listed = (names: readonly string[], prefix = '') => sql.raw(names.map((name) => `${prefix}${name}`).join(', '));
const CAST: Record<ComparedMeasure['kind'], string> = { integer: '::bigint', money: '', decimal: '' };

const keysOf = ({ by }: ComparedList): string[] => ['account_id', 'marketplace_id', 'currency', ...by];

/** Each measure of each fact, with the periods that it is of. */
function partsOf(list: ComparedList, periods: Periods): RawBuilder<unknown> {
  if (list.parts) return list.parts(periods);
  const measures = Object.entries(list.measures).map(([name, { of }]) => `${of} AS "${name}"`);
  const columns = [...keysOf(list), ...(list.shown ?? [])].map((name) => `f.${name}`);
  return sql`SELECT ${sql.raw([...columns, ...measures].join(', '))}, ${inside(periods.now)} AS of_now, ${inside(periods.before)} AS of_before
               FROM (${list.facts}) AS f WHERE ${either(periods)}`;
}

/** The sum of a measure on one side: kept parts have a column for each. */
function sumOf({ parts }: ComparedList, name: string, of: (typeof SIDES)[number]): string {
  if (parts) return `sum("${name}${of}")`;
  return `sum("${name}") FILTER (WHERE ${of === '' ? 'of_now' : 'of_before'})`;
}

/**
 * Whether the source has told of a site `x` within a period at all. Asked site by site, so that the first day found is enough;
 * in the order of days, so that an index finds it.
 */
const toldOf = ({ told }: ComparedList, period: Period): RawBuilder<boolean> => sql`coalesce((
  SELECT true FROM (${told}) AS d
   WHERE d.account_id = x.account_id AND (d.marketplace_id IS NULL OR d.marketplace_id = x.marketplace_id)
     AND ${inside(period, 'd.day')} ORDER BY d.day LIMIT 1), false)`;

/**
 * WITH of the products of both periods: `g` has the sums of each from one reading of the facts, `c` those of each site, `t` what
 * was told of each site, `s` one row with the number of products and the sums of all, [{ currency, <measure>: text }].
 */
export function grouped(list: ComparedList, periods: Periods): RawBuilder<unknown> {
  const columns = Object.entries(list.measures).flatMap(([name, { kind }]) =>
    SIDES.map((of) => ({ name: `${name}${of}`, sum: sumOf(list, name, of), cast: CAST[kind] })),
  );
  const keys = keysOf(list);
  const sums = columns.map(({ name, sum, cast }) => `${sum}${cast} AS "${name}"`);
  const added = columns.map(({ name, cast }) => `sum("${name}")${cast} AS "${name}"`);
  const texts = columns.map(({ name }) => `'${name}', sum("${name}")::text`);
  const shown = (list.shown ?? []).map((name) => `max(${name}) AS ${name}`);
  return sql`
    WITH g AS MATERIALIZED (
      SELECT ${listed(keys)}, ${sql.raw([...shown, ...sums].join(', '))} FROM (${partsOf(list, periods)}) AS p GROUP BY ${listed(keys)}),
    c AS MATERIALIZED (
      SELECT account_id, marketplace_id, currency, count(*) AS products, ${sql.raw(added.join(', '))} FROM g GROUP BY 1, 2, 3),
    t AS MATERIALIZED (
      SELECT x.account_id, x.marketplace_id, ${toldOf(list, periods.now)} AS told, ${toldOf(list, periods.before)} AS "toldBefore"
        FROM (SELECT DISTINCT account_id, marketplace_id FROM c) AS x),
    s AS MATERIALIZED (
      SELECT coalesce(sum(products), 0)::int AS products, coalesce(jsonb_agg(of_one ORDER BY currency), '[]') AS sums
        FROM (SELECT currency, sum(products) AS products,
                     jsonb_build_object('currency', currency, ${sql.raw(texts.join(', '))}) AS of_one
                FROM c GROUP BY currency) AS e)`;
}

const side = (name: string, of: (typeof SIDES)[number]): string => `f."${name}${of}"`;

/** Ratios and changes of a row `f` as SQL: worked out for the rows of a page, and for all where they are ordered by one. */
export function workedOut({ measures, ratios = {} }: ComparedList): Record<string, string> {
  const quotients = Object.entries(ratios).flatMap(([name, [over, under]]) =>
    SIDES.map((of) => [`${name}${of}`, `(${side(over, of)} / nullif(${side(under, of)}, 0)::numeric)`] as const),
  );
  const values = Object.fromEntries(quotients);
  const value = (name: string, of: (typeof SIDES)[number]) => values[`${name}${of}`] ?? side(name, of);
  const changes = [...Object.keys(measures), ...Object.keys(ratios)].map((name) => {
    const before = value(name, 'Before');
    return [`${name}Change`, `((${value(name, '')} - ${before}) / nullif(${before}, 0)::numeric)`] as const;
  });
  return { ...values, ...Object.fromEntries(changes) };
}

/** One row for each product with the measures of both periods, and with what `s` says of all of them. */
export function rowsOf<Row>(list: ComparedList, periods: Periods): RawBuilder<Row> {
  // A product without a row in a period that was told had nothing there; of one that was not told nobody knows.
  const known = Object.keys(list.measures).flatMap((name) =>
    SIDES.map((of) => `CASE WHEN t."told${of}" THEN coalesce(g."${name}${of}", 0) END AS "${name}${of}"`),
  );
  return sql<Row>`${grouped(list, periods)}
    SELECT ${listed([...keysOf(list), ...(list.shown ?? [])], 'g.')}, ${sql.raw(known.join(', '))}, s.products, s.sums
      FROM g JOIN t ON t.account_id = g.account_id AND t.marketplace_id = g.marketplace_id
     CROSS JOIN s`;
}
