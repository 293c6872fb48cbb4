import { describe, expect, test } from 'vitest';
import { ecbFile } from '#sandbox/wire/rates.ts';
import { ecb } from '../server/rates/feed/ecb.ts';
import { isLate } from '../server/rates/feed/feed.ts';

const file = (days: string) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>${days}</Cube>
</gesmes:Envelope>`;

describe('the reference rates of the European Central Bank', () => {
  test('become CNY for one unit, to ten decimals', () => {
    const [day, ...more] = ecb.read(
      file(
        '<Cube time="2026-06-18"><Cube currency="USD" rate="1.1000"/><Cube currency="JPY" rate="162.05"/><Cube currency="CNY" rate="7.8500"/></Cube>',
      ),
    );
    expect(more).toEqual([]);
    expect(day?.day).toBe('2026-06-18');
    expect(Object.fromEntries(day?.rates ?? [])).toEqual({
      EUR: '7.8500000000',
      USD: '7.1363636364',
      JPY: '0.0484418389',
    });
  });

  test('a day without the yuan says nothing, a currency without a rate is left out', () => {
    const days = ecb.read(
      file(
        '<Cube time="2026-06-18"><Cube currency="USD" rate="1.1"/></Cube>' +
          '<Cube time="2026-06-17"><Cube currency="RUB" rate="N/A"/><Cube currency="USD" rate="0"/><Cube currency="CNY" rate="7.85"/></Cube>',
      ),
    );
    expect(days.map(({ day, rates }) => [day, [...rates.keys()]])).toEqual([['2026-06-17', ['EUR']]]);
  });

  test.each(['', '<html><body>503</body></html>', file('')])('anything else is no publication: %s', (text) => {
    expect(() => ecb.read(text)).toThrow('不是欧洲央行的参考汇率文件');
  });

  test('the sandbox publishes business days in the same form, always the same for the same day', () => {
    const sunday = Date.UTC(2026, 5, 21, 12);
    const days = ecb.read(ecbFile('demo-1', sunday));
    expect(days[0]?.day).toBe('2026-06-19');
    expect(days.length).toBeGreaterThan(60);
    for (const { day, rates } of days) {
      expect([0, 6]).not.toContain(new Date(day).getUTCDay());
      expect(Number(rates.get('USD'))).toBeGreaterThan(6.5);
      expect(Number(rates.get('USD'))).toBeLessThan(7.8);
    }
    const later = new Map(ecb.read(ecbFile('demo-1', sunday + 5 * 86_400_000)).map(({ day, rates }) => [day, rates]));
    expect(later.get('2026-06-19')).toEqual(days[0]?.rates);
  });
});

test('a weekend and a holiday are no delay, a week is', () => {
  expect(isLate('2026-04-02', '2026-04-07')).toBe(false);
  expect(isLate('2026-04-02', '2026-04-08')).toBe(true);
  expect(isLate(null, '2026-04-08')).toBe(true);
});
