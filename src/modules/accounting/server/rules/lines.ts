import { createHash } from 'node:crypto';
import { lastDayOf } from '#kit/contract/day.ts';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { LedgerFact, LedgerGrouping, LedgerPart, LedgerSource } from '#kit/server/ledger-source.ts';
import { keyOf } from './sources.ts';

/** Events that become one voucher. */
export interface Group {
  /** The event itself, or the day or month whose events these are. */
  ref: string;
  /** Company day of the voucher. */
  day: string;
  facts: readonly LedgerFact[];
}

/** An entry by the code of its subject; one of both amounts is '', CNY. The original amount stands on the same side. */
export interface RuleLine {
  code: string;
  summary: string;
  debit: string;
  credit: string;
  currency?: string;
  original?: string;
}

/** What lines are made with. */
export interface Booking {
  source: LedgerSource;
  /** Code of the subject of a place; '' where there is none. */
  subjectOf: (part: LedgerPart) => string;
  /** What people call a place. */
  titleOf: (part: LedgerPart) => string;
  /** CNY for one unit in a month, by "USD 2026-06". */
  rates: ReadonlyMap<string, string>;
}

/** Events put together as a rule says; those of a month stand on its last day, or on the present one while it runs. */
export function grouped(facts: readonly LedgerFact[], by: LedgerGrouping, today: string): Group[] {
  if (by === 'DOCUMENT') return facts.map((fact) => ({ ref: fact.ref, day: fact.day, facts: [fact] }));
  const width = by === 'DAY' ? 10 : 7;
  return [...Map.groupBy(facts, ({ day }) => day.slice(0, width))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([ref, of]) => {
      const last = by === 'DAY' ? ref : lastDayOf(ref);
      return { ref, day: last < today ? last : today, facts: of };
    });
}

const plain = (amount: string | undefined) => (amount === undefined ? '' : new Decimal(amount).toFixed());

/** What events say, in short: it is another one whenever an amount of them is another one. */
export function digestOf({ facts }: Group): string {
  const said = facts
    .map(({ ref, parts }) => [
      ref,
      ...parts
        .map(({ part, variant = '', currency, amount, base }) =>
          [part, variant, currency, plain(amount), plain(base)].join('|'),
        )
        .toSorted(),
    ])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

const onSide = (amount: Decimal) =>
  amount.gt(0) ? { debit: round(amount, 2), credit: '' } : { debit: '', credit: round(amount.negated(), 2) };

/** What stands on one side of a subject in one currency. */
interface Place {
  code: string;
  currency: string;
  exact: boolean;
  worth: Decimal;
  original: Decimal;
  titles: Set<string>;
}

/** CNY of a part, exact; undefined where its month has no rate. */
function worthOf({ rates }: Booking, { day }: LedgerFact, { currency, amount, base }: LedgerPart): Decimal | undefined {
  if (base !== undefined) return new Decimal(base);
  if (currency === 'CNY') return new Decimal(amount);
  const rate = rates.get(`${currency} ${day.slice(0, 7)}`);
  return rate === undefined ? undefined : new Decimal(amount).times(rate);
}

/** What one event puts on subjects: a subject that it touches twice holds the difference. */
function placesOf(booking: Booking, fact: LedgerFact): Place[] | string {
  const { source, subjectOf, titleOf } = booking;
  const places = new Map<string, Place>();
  for (const part of fact.parts) {
    const worth = worthOf(booking, fact, part);
    if (worth === undefined) return `缺少 ${part.currency} ${fact.day.slice(0, 7)} 汇率`;
    const code = subjectOf(part);
    if (code === '') return `${titleOf(part)} 没有科目`;
    const def = source.parts[part.part];
    const currency = def?.monetary ? part.currency : 'CNY';
    const key = `${code} ${currency}`;
    const place = places.get(key) ?? {
      code,
      currency,
      exact: false,
      worth: new Decimal(0),
      original: new Decimal(0),
      titles: new Set<string>(),
    };
    place.worth = place.worth.plus(worth);
    place.original = place.original.plus(part.amount);
    place.exact ||= def?.exact === true;
    place.titles.add(titleOf(part));
    places.set(key, place);
  }
  return [...places.values()].filter(({ worth, original }) => !worth.isZero() || !original.isZero());
}

/** Places of several events added up by side; money in and out of a subject is turnover on both. */
function added(all: readonly Place[]): Place[] {
  const sides = Map.groupBy(all, ({ code, currency, worth }) => `${code} ${currency} ${worth.gt(0) ? 'D' : 'C'}`);
  return [...sides.values()].flatMap((of) => {
    const [first] = of;
    if (!first) return [];
    return [
      {
        ...first,
        exact: of.some(({ exact }) => exact),
        worth: of.reduce((total, { worth }) => total.plus(worth), new Decimal(0)),
        original: of.reduce((total, { original }) => total.plus(original), new Decimal(0)),
        titles: new Set(of.flatMap(({ titles }) => [...titles])),
      },
    ];
  });
}

/** Rounds places to the cent and puts what is left over where it belongs; in words why it cannot be. */
function evened(booking: Booking, places: Place[]): Place[] | string {
  const rounded = places.map((place) => ({ ...place, worth: place.worth.toDecimalPlaces(2) }));
  const left = new Decimal(sum(rounded.map(({ worth }) => worth.toFixed()))).negated();
  if (left.isZero()) return rounded;
  const { rest } = booking.source;
  if (rest !== undefined) {
    const part = { part: rest, currency: 'CNY', amount: left.toFixed() };
    const code = booking.subjectOf(part);
    if (code === '') return `${booking.titleOf(part)} 没有科目`;
    const place = { code, currency: 'CNY', exact: true, worth: left, original: left };
    return added([...rounded, { ...place, titles: new Set([booking.titleOf(part)]) }]);
  }
  // Each place is off by half a cent at most.
  if (left.abs().times(200).gt(rounded.length)) return `借贷不平衡，差额 ${left.negated().toFixed()}`;
  const free = rounded.filter(({ exact }) => !exact);
  const largest = free.toSorted((a, b) => b.worth.abs().comparedTo(a.worth.abs()))[0] ?? rounded[0];
  if (largest) largest.worth = largest.worth.plus(left);
  return rounded;
}

const bookedWith = ({ currency, worth, original }: Place): Pick<RuleLine, 'currency' | 'original'> =>
  currency === 'CNY' ? {} : { currency, original: round(worth.gt(0) ? original : original.negated(), 4) };

/** What a document holds first, then by code, debits before credits. */
function inOrder(a: Place, b: Place): number {
  if (a.exact !== b.exact) return a.exact ? -1 : 1;
  if (a.code !== b.code) return a.code < b.code ? -1 : 1;
  return b.worth.comparedTo(a.worth);
}

/** What a voucher of these events is about, for its summary. */
export function titleOf({ source }: Pick<Booking, 'source'>, { ref, facts }: Group): string {
  const [first] = facts;
  return facts.length === 1 && first ? `${source.title} ${first.number}` : `${source.title} ${ref} 共${facts.length}笔`;
}

/**
 * The entries of a voucher in CNY. Amounts are rounded to the cent; what rounding leaves over goes to the
 * largest entry that nobody holds against a document, what rates leave over to the source's rest. In words why there are none
 * where there cannot be; no lines where nothing moved.
 */
export function linesOf(booking: Booking, group: Group): RuleLine[] | string {
  const all: Place[] = [];
  for (const fact of group.facts) {
    const places = placesOf(booking, fact);
    if (typeof places === 'string') return group.facts.length > 1 ? `${fact.number}：${places}` : places;
    all.push(...places);
  }
  const even = evened(booking, added(all));
  if (typeof even === 'string') return even;
  const about = titleOf(booking, group);
  return even
    .filter(({ worth }) => !worth.isZero())
    .toSorted(inOrder)
    .map((place) => ({
      code: place.code,
      summary: `${about} ${[...place.titles].join('、')}`.slice(0, 200),
      ...onSide(place.worth),
      ...bookedWith(place),
    }));
}

/** Debits of an event in CNY as its lines would have them, for the list of what a voucher was made from. */
export function worthOfFact(booking: Booking, fact: LedgerFact): string {
  const places = placesOf(booking, fact);
  if (typeof places === 'string') return '0';
  return round(
    places.reduce((total, { worth }) => (worth.gt(0) ? total.plus(worth) : total), new Decimal(0)),
    2,
  );
}

/** What lines are made with, by the subjects of a rule and its source. */
export function bookingOf(
  source: LedgerSource,
  subjects: Readonly<Record<string, string>>,
  places: readonly { key: string; title: string; preset: string }[],
  rates: ReadonlyMap<string, string>,
): Booking {
  const known = new Map(places.map((place) => [place.key, place]));
  const keys = ({ part, variant }: LedgerPart) => [...(variant ? [keyOf(part, variant)] : []), part];
  return {
    source,
    rates,
    subjectOf: (part) => {
      for (const key of keys(part)) {
        const code = subjects[key] ?? known.get(key)?.preset ?? '';
        if (code !== '') return code;
      }
      return '';
    },
    titleOf: (part) => keys(part).map((key) => known.get(key)?.title)[0] ?? known.get(part.part)?.title ?? part.part,
  };
}
