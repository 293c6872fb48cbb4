/** A typed text inside a LIKE pattern: what the user types means itself. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** LIKE pattern that finds a typed text anywhere, without the blanks around it. */
export function containing(text: string): string {
  return `%${literal(text.trim())}%`;
}

/** The same for columns that hold lower case. */
export function containingLower(text: string): string {
  return containing(text.toLowerCase());
}
