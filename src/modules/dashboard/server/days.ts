const DAY_MS = 86_400_000;

/** Calendar day "yyyy-MM-dd" some days later: calendar arithmetic, no clock in it. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Days from one calendar day to another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function partsIn(zone: string, at: Date): Record<string, string> {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  formats.set(zone, format);
  return Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]));
}

/** Calendar day of an instant in an IANA zone. */
export function dayIn(zone: string, at: Date): string {
  const { year, month, day } = partsIn(zone, at);
  return `${year}-${month}-${day}`;
}

/** Wall clock "HH:mm:ss" of an instant in an IANA zone. */
export function timeIn(zone: string, at: Date): string {
  const { hour, minute, second } = partsIn(zone, at);
  return `${hour}:${minute}:${second}`;
}
