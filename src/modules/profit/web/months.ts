/** The last `months` months with this one, as the filter holds them: from the first of a month to today. */
export function lastMonths(months: number, now = Date.now()): { from: string; to: string } {
  const to = new Date(now);
  const from = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - months + 1, 1));
  return { from: from.toISOString().slice(0, 10), to: to.toISOString().slice(0, 10) };
}
