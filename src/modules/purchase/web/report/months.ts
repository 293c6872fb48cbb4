/** First and last day of a month "yyyy-MM", as "yyyy-MM-dd". */
export function daysOfMonth(month: string): [string, string] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return [`${month}-01`, `${month}-${String(last).padStart(2, '0')}`];
}
