import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURRENCIES, DEFAULT_FILTER, HomeFilter, PERIODS } from '../contract.ts';
import { addDays, dayIn, daysBetween, timeIn } from '../server/days.ts';
import { readFilter, writeFilter } from '../web/use-home.ts';

const day = fc.integer({ min: 0, max: 3_000 }).map((n) => addDays('2022-01-01', n));
const filter: fc.Arbitrary<HomeFilter> = fc
  .record({
    accountIds: fc.uniqueArray(fc.uuid(), { maxLength: 3 }),
    marketplaceIds: fc.uniqueArray(fc.constantFrom('ATVPDKIKX0DER', 'A1VC38T7YXB528'), { maxLength: 2 }),
    period: fc.constantFrom(...(Object.keys(PERIODS) as HomeFilter['period'][])),
    from: day,
    length: fc.integer({ min: 0, max: 365 }),
    zone: fc.constantFrom('site' as const, 'beijing' as const),
    currency: fc.constantFrom(...(Object.keys(CURRENCIES) as HomeFilter['currency'][])),
  })
  .map(({ from, length, ...rest }) => ({
    ...rest,
    ...(rest.period === 'custom' ? { dates: { from, to: addDays(from, length) } } : {}),
  }));

describe('the filter in the address', () => {
  it('is read back as it was written, and the server takes it', () => {
    fc.assert(
      fc.property(filter, (value) => {
        const search = writeFilter(new URLSearchParams('title=首页&f.period=d7'), value);
        expect(readFilter(search)).toEqual(value);
        expect(search.get('title')).toBe('首页');
        expect(HomeFilter.parse(value)).toEqual(value);
      }),
    );
  });

  it('falls back where somebody typed nonsense', () => {
    const search = new URLSearchParams('f.period=forever&f.zone=mars&f.currency=XXX&f.dates=a~b');
    expect(readFilter(search)).toEqual(DEFAULT_FILTER);
    expect(readFilter(new URLSearchParams('f.period=custom')).period).toBe('d30');
  });
});

describe('calendar days', () => {
  it('are added without a clock', () => {
    expect(addDays('2026-03-08', 1)).toBe('2026-03-09');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(daysBetween('2026-10-31', '2026-11-02')).toBe(2);
  });

  it('are those of the zone, also where the clock changes', () => {
    expect(dayIn('America/Los_Angeles', new Date('2026-11-02T07:59:59Z'))).toBe('2026-11-01');
    expect(timeIn('America/Los_Angeles', new Date('2026-07-18T17:00:00Z'))).toBe('10:00:00');
    expect(timeIn('Asia/Kolkata', new Date('2026-07-18T18:30:00Z'))).toBe('00:00:00');
  });
});
