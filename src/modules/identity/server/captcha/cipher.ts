import { createCipheriv, createDecipheriv, createHash, randomInt } from 'node:crypto';

const ALGORITHM = 'aes-128-ecb';
const KEY_LENGTH = 16;
const KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * AES-128-ECB with PKCS#7 padding, as Base64; `key` is 16 ASCII characters. The wire protocol fixes this mode: it only
 * hides the answer from a casual look, safety comes from the answer that stays on the server and from one-time use.
 * Throws where the key has another length.
 */
export function encrypt(text: string, key: string): string {
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'utf8'), null);
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

/** The text behind `encrypt`, or undefined for anything that this key did not encrypt; never throws. */
export function decrypt(encoded: string, key: string): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'utf8'), null);
    return Buffer.concat([decipher.update(encoded, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A fresh key of 16 letters and digits from the system's CSPRNG. */
export function newKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => KEY_ALPHABET[randomInt(KEY_ALPHABET.length)]).join('');
}

/** What the page sends with the log-in: AES of `token---pointJson` with the key of the challenge. */
export function verificationFor(token: string, pointText: string, key: string): string {
  return encrypt(`${token}---${pointText}`, key);
}

/** SHA-256 as 64 hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
