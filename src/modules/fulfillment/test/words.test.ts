import { describe, expect, it } from 'vitest';
import { addressOf, lineProblem } from '../server/amazon/words.ts';

const person = { name: 'A', line1: '1-2-3', city: '', postalCode: '150-0001', country: 'JP' };

describe('addresses as Amazon takes them', () => {
  it('put the city of Japan before the street, and keep it apart elsewhere', () => {
    const tokyo = addressOf({ ...person, city: '渋谷区', line1: '神宮前1-2-3', region: '東京都' });
    expect(tokyo).toMatchObject({ addressLine1: '渋谷区神宮前1-2-3', stateOrRegion: '東京都' });
    expect(tokyo).not.toHaveProperty('city');
    expect(addressOf({ ...person, city: 'Shibuya', line1: '1-2-3 Jingumae' }).addressLine1).toBe(
      'Shibuya, 1-2-3 Jingumae',
    );
    // Who wrote the city into the line as well does not get it twice.
    expect(addressOf({ ...person, city: '渋谷区', line1: '渋谷区神宮前1' }).addressLine1).toBe('渋谷区神宮前1');
    expect(addressOf({ ...person, country: 'US', city: 'Seattle', line1: '500 Pine St' })).toMatchObject({
      addressLine1: '500 Pine St',
      city: 'Seattle',
    });
  });

  it('are refused where city and street together are too long for one line', () => {
    const long = { country: 'JP', city: '渋谷区', line1: '神'.repeat(178) };
    expect(lineProblem(long)).toContain('合计不能超过 180');
    expect(lineProblem({ ...long, country: 'US' })).toBeUndefined();
    expect(lineProblem({ ...long, line1: '神'.repeat(177) })).toBeUndefined();
  });
});
