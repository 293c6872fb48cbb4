// Made once: a format costs a hundred times what its use does.
const BEIJING = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' });

/** The day that companies count by, "yyyy-MM-dd": that of Beijing, wherever server and browser stand. */
export function companyDay(at: Date | number = Date.now()): string {
  return BEIJING.format(at);
}

const WRITTEN =
  /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{2})(\d{2}))(?:[ T]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/;

/**
 * A day "yyyy-MM-dd" as people write it in a cell: 2026-01-31, 2026/1/31, 2026年1月31日, 20260131, with or without a time
 * behind it. Undefined for another text, and for a day that does not exist.
 */
export function writtenDay(text: string): string | undefined {
  const found = WRITTEN.exec(text.trim());
  if (!found) return undefined;
  const two = (part = '') => part.padStart(2, '0');
  const day = `${found[1]}-${two(found[2] ?? found[4])}-${two(found[3] ?? found[5])}`;
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined;
}
