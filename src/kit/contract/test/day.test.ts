import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayAfter, dayIn, writtenDay } from '../day.ts';

test('the day of an instant is that of its zone', () => {
  expect(dayIn('Asia/Shanghai', new Date('2026-11-18T15:59:59.999Z'))).toBe('2026-11-18');
  expect(dayIn('Asia/Shanghai', Date.parse('2026-11-18T16:00:00Z'))).toBe('2026-11-19');
  // Its clocks were an hour ahead in the summers of 1986 to 1991.
  expect(dayIn('Asia/Shanghai', new Date('1988-07-01T15:30:00Z'))).toBe('1988-07-02');
  expect(dayIn('America/Los_Angeles', new Date('2026-11-18T07:59:59Z'))).toBe('2026-11-17');
  expect(dayIn('America/Los_Angeles', new Date('2026-07-18T07:00:00Z'))).toBe('2026-07-18');
});

test('days are counted by the calendar', () => {
  expect([dayAfter('2028-02-28', 1), dayAfter('2026-01-01', -1), dayAfter('2026-11-01', 30)]).toEqual([
    '2028-02-29',
    '2025-12-31',
    '2026-12-01',
  ]);
});

test('a day is read as people write it', () => {
  for (const text of [
    '2026-01-31',
    '2026/1/31',
    ' 2026.01.31 ',
    '2026年1月31日',
    '20260131',
    '2026-01-31 08:05',
    '2026/1/31  0:00:00',
    '2026-01-31T23:59:59.999Z',
  ]) {
    expect(writtenDay(text), text).toBe('2026-01-31');
  }
});

test('what is no day, or none that exists, is not guessed', () => {
  for (const text of [
    ...['', '明天', '2026', '2026-01', '31/01/2026', '2026131', '2026111', '2026-13-01'],
    ...['2026-02-29', '2026-00-10', '2026-01-315', '2026-01-31 abc', '46053'],
  ]) {
    expect(writtenDay(text), text).toBeUndefined();
  }
  expect(writtenDay('2028-2-29')).toBe('2028-02-29');
});

test('every day comes back from each way of writing it', () => {
  const days = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(days, fc.constantFrom('-', '/', '.', ''), (date, sign) => {
      const iso = date.toISOString().slice(0, 10);
      expect(writtenDay(iso.replaceAll('-', sign))).toBe(iso);
    }),
  );
});
