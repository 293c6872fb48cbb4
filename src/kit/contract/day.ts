/** The day that companies count by, "yyyy-MM-dd": that of Beijing, wherever server and browser stand. */
export function companyDay(at: Date | number = Date.now()): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(at);
}
