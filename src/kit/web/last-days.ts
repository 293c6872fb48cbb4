const DAY_MS = 86_400_000;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The last `days` days with today, as the filter holds them. */
export function lastDays(days: number, now = Date.now()): { from: string; to: string } {
  return { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) };
}
