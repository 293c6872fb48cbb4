import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { cm3ToM3, stateOf, toFt3, toM3, typeOf } from '../server/quota/volume.ts';

describe('rooms', () => {
  it('turns cubic feet into cubic metres and back without loss', () => {
    expect(toM3('1000', 'FT3').toFixed()).toBe('28.316846592');
    expect(toM3('12.345', 'M3').toFixed()).toBe('12.345');
    expect(toFt3(toM3('731.5', 'FT3')).toFixed(6)).toBe('731.500000');
    expect(cm3ToM3('2400000').toFixed()).toBe('2.4');
  });

  it('is over beyond the last drop only, and tight from nine tenths on', () => {
    const room = new Decimal(10);
    const used = ['0', '8.99', '9', '10', '10.01'].map((text) => stateOf(room, new Decimal(text)));
    expect(used).toEqual(['ok', 'ok', 'tight', 'tight', 'over']);
    expect(stateOf(new Decimal(0), new Decimal(0))).toBe('ok');
    expect(stateOf(room, undefined)).toBe('past');
  });

  it.each([
    ['Standard-size', 'STANDARD'],
    ['Large standard-size', 'STANDARD'],
    ['Oversize', 'OVERSIZE'],
    ['Large bulky', 'OVERSIZE'],
    ['Extra-large', 'EXTRA_LARGE'],
    ['Apparel', 'APPAREL'],
    ['FOOTWEAR', 'FOOTWEAR'],
    ['Flammable', 'FLAMMABLE'],
    ['Aerosol', 'AEROSOL'],
    ['Other', 'STANDARD'],
    [undefined, 'STANDARD'],
  ])('takes %s for %s', (word, type) => expect(typeOf(word)).toBe(type));
});
