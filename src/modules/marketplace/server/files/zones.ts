/** Zone words that Amazon prints after a time, in minutes east of UTC. `IST` is India's. */
const OFFSETS: Record<string, number> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  WEST: 60,
  BST: 60,
  CET: 60,
  CEST: 120,
  MET: 60,
  MEST: 120,
  MEZ: 60,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  TRT: 180,
  GST: 240,
  IST: 330,
  SGT: 480,
  JST: 540,
  AEST: 600,
  AEDT: 660,
  PST: -480,
  PDT: -420,
  MST: -420,
  MDT: -360,
  CST: -360,
  CDT: -300,
  EST: -300,
  EDT: -240,
  BRT: -180,
};

/** Minutes east of UTC of a zone suffix ('UTC', 'PDT', '+02:00', 'GMT+9', '-0700'); undefined when unknown. */
export function zoneOffset(word: string): number | undefined {
  const name = word.trim().toUpperCase();
  const known = OFFSETS[name];
  if (known !== undefined) return known;
  const match = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/.exec(name);
  if (!match) return undefined;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (minutes > 14 * 60) return undefined;
  return match[1] === '-' ? -minutes : minutes;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** What a clock in the zone shows at an instant, as epoch ms of the same figures in UTC. */
function wallClock(instant: number, timeZone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) part[type] = Number(value);
  return Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day, part.hour, part.minute, part.second);
}

/**
 * Epoch ms of a local time, given as epoch ms of the same figures in UTC. A time that the zone skips in spring is moved
 * by the gap; of the two instants of a repeated hour in autumn the earlier one is taken.
 */
export function localToInstant(local: number, timeZone: string): number {
  if (timeZone === 'UTC') return local;
  const fraction = ((local % 1000) + 1000) % 1000;
  return wholeSecondToInstant(local - fraction, timeZone) + fraction;
}

function wholeSecondToInstant(local: number, timeZone: string): number {
  const before = local - (wallClock(local - 86_400_000, timeZone) - (local - 86_400_000));
  if (wallClock(before, timeZone) === local) return before;
  const after = local - (wallClock(local + 86_400_000, timeZone) - (local + 86_400_000));
  return wallClock(after, timeZone) === local ? after : before;
}

/** Business day ('2026-01-16') of an instant in a zone. @param instant ISO text or epoch ms */
export function businessDay(instant: string | number, timeZone: string): string {
  const epoch = typeof instant === 'number' ? instant : Date.parse(instant);
  const whole = Math.floor(epoch / 1000) * 1000;
  return new Date(wallClock(whole, timeZone)).toISOString().slice(0, 10);
}
