import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encrypt } from '../captcha/aes.ts';
import { encryptedPoint, verification } from '../captcha/answer.ts';

test('a slider answer is wrapped as the server expects it', () => {
  const plain = '{"x":140.9,"y":5}';
  expect(encrypt(plain, '0123456789abcdef')).toBe('ZIp4vjoR7vYoMgkSV4BI2wMACutP9R0pGI+C5KFiofY=');
  expect(verification('tok1', plain, '0123456789abcdef')).toBe('Smbvp8QE2TxNjhHVJcyVEvFc6DcepY1enVTplglif80=');
});

test('agrees with the platform for every length up to three blocks', () => {
  for (let length = 0; length <= 48; length += 1) {
    const key = randomBytes(8).toString('hex');
    const text = 'x'.repeat(length);
    const cipher = createCipheriv('aes-128-ecb', Buffer.from(key), null);
    expect(encrypt(text, key)).toBe(cipher.update(text, 'utf8', 'base64') + cipher.final('base64'));
  }
});

test('without a key the point travels as it is', () => {
  expect(encryptedPoint('{"x":1,"y":5}', '')).toBe('{"x":1,"y":5}');
});
