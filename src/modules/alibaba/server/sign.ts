import { createHmac } from 'node:crypto';

/**
 * Signature of a call to the open platform (param2 protocol): upper-case hex of HMAC-SHA1 with the application's secret
 * over the path without host, "param2/1/namespace/api/appKey", and all parameters as key+value, sorted.
 */
export function sign(path: string, params: Readonly<Record<string, string>>, secret: string): string {
  const pairs = Object.entries(params).map(([key, value]) => `${key}${value}`);
  return createHmac('sha1', secret)
    .update(path + pairs.sort().join(''), 'utf8')
    .digest('hex')
    .toUpperCase();
}
