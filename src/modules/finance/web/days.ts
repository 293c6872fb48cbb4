const DAY_MS = 86_400_000;

/** Day of the company, Beijing, `back` days ago. */
export function companyDay(back = 0): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now() - back * DAY_MS);
}
