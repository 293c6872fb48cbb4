/** Day of the company, yyyy-MM-dd in Beijing. */
export function companyDay(at = new Date()): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(at);
}

/** A pattern for ILIKE that finds `text` anywhere, its signs taken literally. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
