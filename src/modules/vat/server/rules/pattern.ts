/** A document's number by a pattern such as "INV-{country}-{yyyy}-{seq:5}". */
export function numberBy(pattern: string, parts: { country: string; year: number; no: number }): string {
  const year = String(parts.year);
  return pattern
    .replaceAll('{country}', parts.country)
    .replaceAll('{yyyy}', year)
    .replaceAll('{yy}', year.slice(2))
    .replace(/\{seq:(\d)\}/, (_, width: string) => String(parts.no).padStart(Number(width), '0'));
}
