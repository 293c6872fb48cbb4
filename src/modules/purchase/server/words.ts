/** A pattern for ILIKE that finds `text` anywhere, its signs taken literally. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
