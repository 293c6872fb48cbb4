const DAY_MS = 86_400_000;
const ENDS = ['03-31', '06-30', '09-30', '12-31'];

/** Quarter ("2026Q3") of a day ("yyyy-MM-dd"). */
export function quarterOf(day: string): string {
  return `${day.slice(0, 4)}Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
}

/** First and last day of a quarter. */
export function daysOf(quarter: string): { from: string; to: string } {
  const year = quarter.slice(0, 4);
  const index = Number(quarter.slice(5)) - 1;
  return { from: `${year}-${String(index * 3 + 1).padStart(2, '0')}-01`, to: `${year}-${ENDS[index]}` };
}

/** The quarter so many after one, or before it where `by` is negative. Quarters compare as text. */
export function quarterAfter(quarter: string, by = 1): string {
  const count = Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(5)) - 1 + by;
  return `${Math.floor(count / 4)}Q${(count % 4) + 1}`;
}

/** The newest quarter that ended more than so many days before a day: its grace is over. */
export function closable(today: string, graceDays: number): string {
  const day = new Date(Date.parse(today) - graceDays * DAY_MS).toISOString().slice(0, 10);
  return quarterAfter(quarterOf(day), -1);
}
