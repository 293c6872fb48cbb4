import { CURRENCY_SYMBOLS, formatInteger, formatMoney, formatPercent } from '../../contract/format.ts';

/** What the numbers of an axis or a series are. */
export type Measure =
  | { kind: 'integer' }
  | { kind: 'money'; currency: string }
  | { kind: 'percent' }
  | { kind: 'days' };

const WAN = 1e4;
const YI = 1e8;
/** Below this, axes show full numbers. */
const FULL_BELOW = 1e5;

function trimmed(value: number): string {
  return formatInteger(Number.isInteger(value) ? value : Number(value.toFixed(1)));
}

/** Labels of an axis: one unit for the whole axis, chosen by its largest value. */
export function axisFormat(measure: Measure, largest: number): (value: number) => string {
  if (measure.kind === 'percent') return (value) => `${trimmed(value * 100)}%`;
  const symbol = measure.kind === 'money' ? (CURRENCY_SYMBOLS[measure.currency] ?? '') : '';
  const [unit, word] = largest >= YI ? [YI, '亿'] : largest >= FULL_BELOW ? [WAN, '万'] : [1, ''];
  return (value) => {
    const sign = value < 0 ? '−' : '';
    return `${sign}${symbol}${trimmed(Math.abs(value) / unit)}${value === 0 ? '' : word}`;
  };
}

/** Exact value for tooltips, tables and labels; decimal text is never turned into a float for showing. */
export function exactFormat(measure: Measure, value: string | number | null): string {
  if (value === null) return '—';
  if (measure.kind === 'money') return formatMoney(String(value), measure.currency);
  if (measure.kind === 'days') return `${value} 天`;
  return measure.kind === 'percent' ? formatPercent(value) : formatInteger(value);
}

/** Largest size among values, for the unit of an axis. */
export function largestOf(values: Iterable<number | null>): number {
  let largest = 0;
  for (const value of values) if (value !== null) largest = Math.max(largest, Math.abs(value));
  return largest;
}
