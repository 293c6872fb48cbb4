import { FIRST_PASSWORD, MUST_CHANGE } from '#modules/identity/contract/account.ts';
import {
  type Envelope,
  type FieldError,
  SESSION_CODES,
  SESSION_MESSAGES,
  type SessionCode,
  SUCCESS,
} from '../../contract/envelope.ts';
import { leaveFor, loseSession } from '../session.ts';
import { ApiError, FAULT, type Refusal, wording } from './errors.ts';

interface RefusalData {
  code?: unknown;
  fields?: FieldError[];
  traceId?: unknown;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function isSessionCode(value: unknown): value is SessionCode {
  return SESSION_CODES.some((code) => code === value);
}

function refusalOf(status: number, body: Partial<Envelope> | undefined): Refusal {
  const data = (typeof body?.data === 'object' && body.data !== null ? body.data : {}) as RefusalData;
  return {
    code: typeof body?.code === 'number' ? body.code : status,
    msg: body ? wording(text(body.msg)) : FAULT,
    reason: text(data.code),
    fields: data.fields,
    traceId: text(data.traceId),
    data,
  };
}

function parse(raw: string): Partial<Envelope> | undefined {
  try {
    const body: unknown = JSON.parse(raw);
    return typeof body === 'object' && body !== null ? (body as Partial<Envelope>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Data of an answer, or an ApiError. Every way in which the server says that the session is gone (text `noauth`,
 * HTTP or body 401, a session code) also forgets the session and leaves for /ssologin.
 */
export function readAnswer(status: number, raw: string, isPublic = false): unknown {
  if (raw.trim() === 'noauth') {
    loseSession();
    throw new ApiError({ code: 401, msg: SESSION_MESSAGES.A0231, reason: 'A0231' });
  }
  const body = parse(raw);
  if (body?.code === SUCCESS) return body.data;
  const refusal = refusalOf(status, body);
  const code = isSessionCode(refusal.reason) ? refusal.reason : isSessionCode(body?.code) ? body.code : undefined;
  // A public call has no session to lose: its 401 is an answer like any other (wrong password).
  if (!isPublic && (code !== undefined || refusal.code === 401 || status === 401)) {
    loseSession(text(body?.msg) ?? (code ? SESSION_MESSAGES[code] : undefined));
  }
  // Whoever came in with a password that somebody else made up can do nothing but change it.
  if (refusal.reason === MUST_CHANGE) leaveFor(FIRST_PASSWORD);
  throw new ApiError(refusal);
}
