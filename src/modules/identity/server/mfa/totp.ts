import { Secret, TOTP } from 'otpauth';
import QRCode from 'qrcode';
import type { Enrolment } from '../../contract/mfa.ts';

const ISSUER = '跨境电商ERP';
const PERIOD = 30;
const SECRET_BYTES = 20;
/** Steps of 30 s by which a clock may be wrong. */
const DRIFT = 1;

function totpOf(secret: string, account: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label: account,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD,
    secret: Secret.fromBase32(secret),
  });
}

/** A new secret of 160 bits in base 32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an authenticator app needs to know, as text, address and QR picture (data URL). */
export async function enrolmentOf(secret: string, account: string): Promise<Enrolment> {
  const uri = totpOf(secret, account).toString();
  return { secret, uri, qr: await QRCode.toDataURL(uri, { margin: 1, width: 200, errorCorrectionLevel: 'M' }) };
}

/** Counter (RFC 6238) to which a code belongs, or undefined where it is wrong; one step early or late is accepted. */
export function stepOf(secret: string, code: string, nowMs = Date.now()): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = totpOf(secret, '').validate({ token: code, timestamp: nowMs, window: DRIFT });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD) + delta;
}
