import { sql } from 'kysely';
import { ALL_GROUPS, type Figure, GROUPS, type Group, MAPPED_CODES } from '../contract/figures.ts';

/** The amount columns in their order, as SQL. */
export const AMOUNTS = sql.raw(ALL_GROUPS.join(', '));

const quoted = (codes: readonly string[]) => codes.map((code) => `'${code}'`).join(', ');

/** Condition that a money line `l` belongs to a group; balances belong to none. */
export function inGroup(group: Group): string {
  const codes = group === 'unmapped' ? undefined : GROUPS[group];
  if (codes) return `l.fee_code IN (${quoted(codes)})`;
  return `(l.fee_code NOT IN (${quoted(MAPPED_CODES)}) AND l.pl_section <> 'BALANCE')`;
}

/** Sum of every amount column over money lines `l`, in the order of AMOUNTS. */
export const SUMS = sql.raw(
  ALL_GROUPS.map((group) => `coalesce(sum(l.amount) FILTER (WHERE ${inGroup(group)}), 0) AS ${group}`).join(', '),
);

/**
 * What else is counted over money lines `l`: pieces sold are those of the sales themselves, a refund whose file states no
 * pieces is one, and sizes say how much of the money a settlement file proves.
 */
export const PIECES_AND_SIZES = sql.raw(`
  coalesce(sum(l.quantity) FILTER (WHERE l.fee_code = 'PRINCIPAL'), 0)::int AS units,
  coalesce(sum(coalesce(l.quantity, 1)) FILTER (WHERE l.fee_code = 'REFUND_PRINCIPAL' AND l.amount < 0), 0)::int
    AS refund_units,
  coalesce(sum(abs(l.amount)) FILTER (WHERE l.stage = 'SETTLED'), 0) AS settled_size,
  coalesce(sum(abs(l.amount)) FILTER (WHERE l.stage <> 'SETTLED'), 0) AS open_size`);

/** Name of the group of a money line `l`. */
export const GROUP_NAME = sql.raw(
  `CASE ${ALL_GROUPS.filter((group) => group !== 'unmapped')
    .map((group) => `WHEN ${inGroup(group)} THEN '${group}'`)
    .join(' ')} ELSE 'unmapped' END`,
);

/** A figure of a rollup row `p` in its own currency. */
export function figureSql(figure: Figure): string {
  const sum = figure.groups.map((group) => `p.${group}`).join(' + ');
  return figure.scope === 'BOTH' ? `(${sum})` : `(CASE WHEN p.scope = '${figure.scope}' THEN ${sum} ELSE 0 END)`;
}
