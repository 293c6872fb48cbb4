/** Day "yyyy-MM-dd" of a month, counted from 0 of year 0; the last one where the month is shorter. */
function dayIn(month: number, day: number): string {
  const [year, at] = [Math.floor(month / 12), month % 12];
  const last = new Date(Date.UTC(year, at + 1, 0)).getUTCDate();
  return `${year}-${String(at + 1).padStart(2, '0')}-${String(Math.min(day, last)).padStart(2, '0')}`;
}

/** The first day after `after` ("yyyy-MM-dd") that is the `day`th of its month, or the last one of a shorter month. */
export function nextDue(after: string, day: number): string {
  const [year = 0, month = 1] = after.split('-').map(Number);
  const current = year * 12 + month - 1;
  const here = dayIn(current, day);
  return here > after ? here : dayIn(current + 1, day);
}
