import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signature of a call to the open platform: upper-case hex of HMAC-SHA1 with the application's secret over the path
 * ("param2/1/namespace/api/appKey") followed by every parameter as key and value, sorted, without separators.
 */
export function signatureOf(path: string, form: Readonly<Record<string, string>>, secret: string): string {
  const pairs = Object.entries(form)
    .filter(([key]) => key !== '_aop_signature')
    .map(([key, value]) => key + value)
    .sort();
  return createHmac('sha1', secret)
    .update(path + pairs.join(''), 'utf8')
    .digest('hex')
    .toUpperCase();
}

/** Whether a call is signed as its content asks for. */
export function signedWell(path: string, form: Readonly<Record<string, string>>, secret: string): boolean {
  const given = Buffer.from(form._aop_signature ?? '');
  const right = Buffer.from(signatureOf(path, form, secret));
  return given.length === right.length && timingSafeEqual(given, right);
}
