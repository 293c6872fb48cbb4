// Made once: a format costs a hundred times what its use does.
const BEIJING = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' });

/** The day that companies count by, "yyyy-MM-dd": that of Beijing, wherever server and browser stand. */
export function companyDay(at: Date | number = Date.now()): string {
  return BEIJING.format(at);
}
