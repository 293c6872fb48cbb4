import type { TimelineDay } from '../contract.ts';

/** Parts of a day from the ground up, with their series colour; together they are the day's total. */
export const PARTS = [
  { key: 'fulfillable', title: '可售', color: 'var(--series-1)' },
  { key: 'reserved', title: '预留', color: 'var(--series-2)' },
  { key: 'inbound', title: '在途', color: 'var(--series-3)' },
  { key: 'unsellable', title: '不可售', color: 'var(--series-4)' },
  { key: 'researching', title: '调查中', color: 'var(--series-5)' },
] as const;

export interface Bar {
  key: string;
  color: string;
  y: number;
  height: number;
}

export interface DayBars {
  day: string;
  x: number;
  width: number;
  /** Undefined where the stock was not read that day. */
  bars: readonly Bar[] | undefined;
  /** The whole day in words. */
  text: string;
}

/** A round number at or above `value`, so that the axis ends on a figure that reads well. */
export function ceiling(value: number): number {
  if (value <= 5) return 5;
  const step = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * step).find((top) => top >= value) ?? value;
}

function barsOf(day: TimelineDay, height: number, top: number): Bar[] {
  let ground = height;
  return PARTS.map(({ key, color }) => {
    const size = ((day[key] ?? 0) / top) * height;
    ground -= size;
    return { key, color, y: ground, height: size };
  }).filter((bar) => bar.height > 0);
}

/** Stacked bars of the days in a box of width x height; `top` is the figure at its upper edge. */
export function layOut(
  days: readonly TimelineDay[],
  width: number,
  height: number,
): { top: number; days: readonly DayBars[] } {
  const top = ceiling(Math.max(0, ...days.map((day) => day.total ?? 0)));
  const step = width / Math.max(1, days.length);
  return {
    top,
    days: days.map((day, index) => ({
      day: day.day,
      x: index * step,
      width: step,
      bars: day.total === null ? undefined : barsOf(day, height, top),
      text:
        day.total === null
          ? `${day.day} 当日无库存快照`
          : `${day.day} 合计 ${day.total}：${PARTS.map(({ key, title }) => `${title} ${day[key] ?? 0}`).join('，')}`,
    })),
  };
}
