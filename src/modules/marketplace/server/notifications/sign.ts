import { createHash, createHmac } from 'node:crypto';

/** A request to be signed. Names of headers are in lower case. */
export interface Signable {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SigningKey {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  service: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
/** RFC 3986, stricter than encodeURIComponent. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
}

/**
 * Headers of a request with its signature (AWS Signature Version 4, as the IAM user guide says under "Create a signed AWS
 * API request"). `at` is the instant of signing; the service refuses one that is more than some minutes off.
 */
export function signed(request: Signable, key: SigningKey, at: Date): Record<string, string> {
  const url = new URL(request.url);
  const stamp = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const headers: Record<string, string> = { ...request.headers, host: url.host, 'x-amz-date': stamp };
  const names = Object.keys(headers).sort();
  const list = names.map((name) => `${name}:${(headers[name] ?? '').trim()}\n`).join('');
  const canonical = [request.method, url.pathname, canonicalQuery(url), list, names.join(';'), sha256(request.body)];
  const scope = [day, key.region, key.service, 'aws4_request'].join('/');
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical.join('\n'))].join('\n');
  const signingKey = [key.region, key.service, 'aws4_request'].reduce(hmac, hmac(`AWS4${key.secretAccessKey}`, day));
  const signature = hmac(signingKey, text).toString('hex');
  const credential = `${key.accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  const { host: _, ...rest } = headers;
  return { ...rest, authorization };
}
