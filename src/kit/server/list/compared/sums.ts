import { type RawBuilder, sql } from 'kysely';
import { type ComparedList, type ComparedMeasure, SIDES } from './def.ts';
import { either, inside, type Periods } from './periods.ts';

const quoted = (name: string): string => `"${name}"`;
const listed = (names: readonly string[], prefix = '') => sql.raw(names.map((name) => `${prefix}${name}`).join(', '));
const CAST: Record<ComparedMeasure['kind'], string> = { integer: '::bigint', money: '', decimal: '' };

const keysOf = ({ by }: ComparedList): string[] => ['account_id', 'marketplace_id', 'currency', ...by];

/** Each measure of each fact, in the column of its period. */
function partsOf(list: ComparedList, periods: Periods): RawBuilder<unknown> {
  if (list.parts) return list.parts(periods);
  const measures = Object.entries(list.measures).flatMap(([name, { of }]) => [
    sql`CASE WHEN ${inside(periods.now)} THEN ${sql.raw(of)} END AS ${sql.ref(name)}`,
    sql`CASE WHEN ${inside(periods.before)} THEN ${sql.raw(of)} END AS ${sql.ref(`${name}Before`)}`,
  ]);
  return sql`SELECT ${listed([...keysOf(list), ...(list.shown ?? [])], 'f.')}, ${sql.join(measures)}
               FROM (${list.facts}) AS f WHERE ${either(periods)}`;
}

/**
 * WITH of the products of both periods: `g` has the sums of each from one reading of the facts, `t` what was told of each
 * site, `s` one row with the number of products that are shown and the sums of all, [{ currency, <measure>: text }].
 */
export function grouped(list: ComparedList, periods: Periods): RawBuilder<unknown> {
  const columns = Object.entries(list.measures).flatMap(([name, { kind }]) =>
    SIDES.map((side) => ({ name: `${name}${side}`, cast: CAST[kind] })),
  );
  const keys = keysOf(list);
  const sums = columns.map(({ name, cast }) => `sum(${quoted(name)})${cast} AS ${quoted(name)}`);
  const texts = columns.map(({ name }) => `'${name}', sum(${quoted(name)})::text`);
  const shown = (list.shown ?? []).map((name) => `max(${name}) AS ${name}`);
  return sql`
    WITH g AS MATERIALIZED (
      SELECT ${listed(keys)}, ${sql.raw([...shown, ...sums].join(', '))} FROM (${partsOf(list, periods)}) AS p GROUP BY ${listed(keys)}),
    t AS MATERIALIZED (
      SELECT d.account_id, d.marketplace_id, bool_or(${inside(periods.now, 'd.day')}) AS told,
             bool_or(${inside(periods.before, 'd.day')}) AS "toldBefore"
        FROM (${list.told}) AS d WHERE ${either(periods, 'd.day')} GROUP BY 1, 2),
    s AS MATERIALIZED (
      SELECT (SELECT count(*)::int FROM g JOIN t USING (account_id, marketplace_id)) AS products,
             (SELECT coalesce(jsonb_agg(of_one ORDER BY currency), '[]')
                FROM (SELECT currency, jsonb_build_object('currency', currency, ${sql.raw(texts.join(', '))}) AS of_one
                        FROM g GROUP BY currency) AS c) AS sums)`;
}

/** One row for each product with both periods and their changes, and with what `s` says of all of them. */
export function rowsOf<Row>(list: ComparedList, periods: Periods): RawBuilder<Row> {
  const { measures, ratios = {} } = list;
  const names = Object.keys(measures);
  // A product without a row in a period that was told had nothing there; of one that was not told nobody knows.
  const known = names.flatMap((name) =>
    SIDES.map((side) => `CASE WHEN t."told${side}" THEN coalesce(g."${name}${side}", 0) END AS "${name}${side}"`),
  );
  const quotients = Object.entries(ratios).flatMap(([name, [over, under]]) =>
    SIDES.map((side) => `k."${over}${side}" / nullif(k."${under}${side}", 0)::numeric AS "${name}${side}"`),
  );
  const changes = [...names, ...Object.keys(ratios)].map(
    (name) => `(c."${name}" - c."${name}Before") / nullif(c."${name}Before", 0)::numeric AS "${name}Change"`,
  );
  return sql<Row>`${grouped(list, periods)}
    SELECT c.*, ${sql.raw(changes.join(', '))}, s.products, s.sums
      FROM (SELECT ${sql.raw(['k.*', ...quotients].join(', '))}
              FROM (SELECT ${listed([...keysOf(list), ...(list.shown ?? [])], 'g.')}, ${sql.raw(known.join(', '))}
                      FROM g JOIN t ON t.account_id = g.account_id AND t.marketplace_id = g.marketplace_id) AS k) AS c
     CROSS JOIN s`;
}
