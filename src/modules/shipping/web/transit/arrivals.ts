import { Decimal } from '#kit/contract/decimal.ts';
import type { Stack } from '#kit/web/charts/index.ts';
import { Transport } from '../../contract/fields.ts';
import type { Arrival } from '../../contract/transit.ts';

export type Span = 'day' | 'week';
export type What = 'pieces' | 'value';

const DAY_MS = 86_400_000;
const titles = Transport.meta()?.states ?? {};

/** The day itself, or the Monday of its week. */
function startOf(day: string, span: Span): string {
  if (span === 'day') return day;
  const at = Date.parse(`${day}T00:00:00Z`);
  const weekday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - weekday * DAY_MS).toISOString().slice(0, 10);
}

/** Bars by day or week of arrival, a part for each way; what should be there by now is a part of its own. */
export function stacksOf(arrivals: readonly Arrival[], span: Span, what: What): { labels: string[]; stacks: Stack[] } {
  const labels = [...new Set(arrivals.map((one) => startOf(one.day, span)))].sort();
  const part = (name: string, some: readonly Arrival[]): Stack => {
    const byLabel = Map.groupBy(some, (one) => startOf(one.day, span));
    const values = labels.map((label) => {
      const here = byLabel.get(label);
      if (!here) return null;
      if (what === 'pieces') return here.reduce((total, one) => total + one.pieces, 0);
      return here.reduce((total, one) => total.plus(one.value ?? 0), new Decimal(0)).toFixed(2);
    });
    return { name, values };
  };
  const late = arrivals.filter((one) => one.late);
  const ways = Transport.options.flatMap((way) => {
    const mine = arrivals.filter((one) => !one.late && one.transport === way);
    return mine.length > 0 ? [part(titles[way]?.title ?? way, mine)] : [];
  });
  return { labels, stacks: [...(late.length > 0 ? [{ ...part('已超期', late), tone: 'bad' as const }] : []), ...ways] };
}
