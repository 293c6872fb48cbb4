import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

/** How a signature of each algorithm is checked (RFC 7518); keys shared with us and "none" are not among them. */
const ALGORITHMS: Readonly<Record<string, { hash: string | null; type: string; padding?: number }>> = {
  RS256: { hash: 'sha256', type: 'RSA' },
  RS384: { hash: 'sha384', type: 'RSA' },
  RS512: { hash: 'sha512', type: 'RSA' },
  PS256: { hash: 'sha256', type: 'RSA', padding: 6 },
  ES256: { hash: 'sha256', type: 'EC' },
  ES384: { hash: 'sha384', type: 'EC' },
  EdDSA: { hash: null, type: 'OKP' },
};

export type Key = JsonWebKey & { kid?: string; use?: string; alg?: string };

export interface Signed {
  header: { alg: string; kid?: string; typ?: string };
  payload: Record<string, unknown>;
  /** Whether the key made this signature. */
  by(key: Key): boolean;
}

function objectIn(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Takes a signed token apart (RFC 7515, compact); undefined where it is none or uses an algorithm we do not take. */
export function parseSigned(token: string): Signed | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  const header = objectIn(head);
  const payload = objectIn(body);
  const algorithm = typeof header?.alg === 'string' ? ALGORITHMS[header.alg] : undefined;
  // "crit" names extensions that must be understood, and none are.
  if (!header || !payload || !algorithm || more.length > 0 || header.crit !== undefined) return undefined;
  const by = (key: Key): boolean => {
    const fits = key.kty === algorithm.type && (key.use ?? 'sig') === 'sig' && (key.alg ?? header.alg) === header.alg;
    if (!fits) return false;
    try {
      const given = {
        key: createPublicKey({ key, format: 'jwk' }),
        dsaEncoding: 'ieee-p1363' as const,
        ...(algorithm.padding ? { padding: algorithm.padding, saltLength: -1 } : {}),
      };
      return verify(algorithm.hash, Buffer.from(`${head}.${body}`), given, Buffer.from(signature, 'base64url'));
    } catch {
      return false;
    }
  };
  return { header: header as Signed['header'], payload, by };
}
