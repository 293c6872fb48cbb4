import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkClickWord, checkSlider, parsePoint, parsePoints } from '../server/captcha/check.ts';
import { decrypt, encrypt, newKey, verificationFor } from '../server/captcha/cipher.ts';
import { verificationOf } from '../server/captcha/protocol.ts';

const KEY = '0123456789abcdef';
const LONG_ENOUGH = 800;

describe('cipher', () => {
  test('speaks the wire format to the letter', () => {
    const plain = '{"x":140.9,"y":5}';
    expect(encrypt(plain, KEY)).toBe('ZIp4vjoR7vYoMgkSV4BI2wMACutP9R0pGI+C5KFiofY=');
    expect(decrypt('ZIp4vjoR7vYoMgkSV4BI2wMACutP9R0pGI+C5KFiofY=', KEY)).toBe(plain);
    expect(verificationFor('tok1', plain, KEY)).toBe('Smbvp8QE2TxNjhHVJcyVEvFc6DcepY1enVTplglif80=');
  });

  test('returns any text unharmed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(decrypt(encrypt(text, KEY), KEY)).toBe(text);
      }),
    );
  });

  test('answers garbage and impossible keys with undefined, never with an exception', () => {
    expect(decrypt('ZIp4vjoR7vYoMgkSV4BI2w==', KEY)).toBeUndefined();
    expect(decrypt(encrypt('{"x":1,"y":5}', KEY), 'short')).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(() => decrypt(text, KEY)).not.toThrow();
      }),
    );
  });

  test('makes keys of 16 letters and digits that differ', () => {
    const keys = new Set(Array.from({ length: 200 }, newKey));
    expect(keys.size).toBe(200);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{16}$/);
  });
});

describe('slider', () => {
  const left150Of330 = { x: (150 * 310) / 330, y: 5 };

  test('dragged 150 px of 330: 2.909 px off passes, 5.909 px off does not', () => {
    expect(checkSlider(138, left150Of330, LONG_ENOUGH)).toBe(true);
    expect(checkSlider(135, left150Of330, LONG_ENOUGH)).toBe(false);
  });

  test('passes up to 5 px either way, both ends included', () => {
    for (const x of [133, 138, 143]) expect(checkSlider(138, { x, y: 5 }, LONG_ENOUGH)).toBe(true);
    for (const x of [132.99, 143.01]) expect(checkSlider(138, { x, y: 5 }, LONG_ENOUGH)).toBe(false);
  });

  test('wants y = 5 and a drag that a hand can make', () => {
    expect(checkSlider(138, { x: 138, y: 6 }, LONG_ENOUGH)).toBe(false);
    expect(checkSlider(138, { x: 138, y: 5 }, 299)).toBe(false);
    expect(checkSlider(138, { x: 138, y: 5 }, 300)).toBe(true);
    expect(checkSlider(138, undefined, LONG_ENOUGH)).toBe(false);
  });
});

describe('click-word', () => {
  const answer = [
    { x: 40, y: 60 },
    { x: 150, y: 90 },
    { x: 260, y: 40 },
  ];
  const moved = (dx: number, dy: number) => answer.map(({ x, y }) => ({ x: x + dx, y: y + dy }));

  test('each click may miss by 25 px in x and in y', () => {
    expect(checkClickWord(answer, moved(25, -25))).toBe(true);
    expect(checkClickWord(answer, moved(25.1, 0))).toBe(false);
    expect(checkClickWord(answer, moved(0, -25.1))).toBe(false);
  });

  test('order and number count', () => {
    expect(checkClickWord(answer, [...answer].reverse())).toBe(false);
    expect(checkClickWord(answer, answer.slice(0, 2))).toBe(false);
    expect(checkClickWord(answer, [...answer, { x: 1, y: 1 }])).toBe(false);
    expect(checkClickWord(answer, undefined)).toBe(false);
    expect(checkClickWord([], [])).toBe(false);
  });

  test('one wrong click of three is wrong', () => {
    for (const index of answer.keys()) {
      const clicks = answer.map((point, at) => (at === index ? { x: point.x + 30, y: point.y } : point));
      expect(checkClickWord(answer, clicks)).toBe(false);
    }
  });
});

describe('what a client sends', () => {
  test('reads points and nothing that only looks like them', () => {
    expect(parsePoint('{"x":140.9,"y":5}')).toEqual({ x: 140.9, y: 5 });
    expect(parsePoints('[{"x":1,"y":2},{"x":3,"y":4}]')).toEqual([
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ]);
    for (const bad of [
      '',
      '{',
      'null',
      '5',
      '[]',
      '{"x":1}',
      '{"x":"140","y":5}',
      '{"x":1e999,"y":5}',
      '{"x":null,"y":5}',
    ]) {
      expect(parsePoint(bad), bad).toBeUndefined();
    }
    for (const bad of ['', '{}', 'null', '[1]', '[null]', '[{"x":1,"y":2},{}]', '{"x":1,"y":5}']) {
      expect(parsePoints(bad), bad).toBeUndefined();
    }
    expect(parsePoints(`[${'{"x":1,"y":2},'.repeat(100)}{"x":1,"y":2}]`)).toBeUndefined();
  });

  test('never throws on any JSON or text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const point = parsePoint(text);
        expect(point === undefined || Number.isFinite(point.x + point.y)).toBe(true);
        expect(() => parsePoints(text)).not.toThrow();
        expect(() => verificationOf(text)).not.toThrow();
      }),
    );
  });

  test('takes the verification bare or wrapped in JSON', () => {
    expect(verificationOf('Smbv+/8=')).toBe('Smbv+/8=');
    expect(verificationOf(' {"captchaVerification":"Smbv+/8="} ')).toBe('Smbv+/8=');
    for (const none of [undefined, '', '{', '{}', '{"captchaVerification":7}']) expect(verificationOf(none)).toBe('');
  });
});
