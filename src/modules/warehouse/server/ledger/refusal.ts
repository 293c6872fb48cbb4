import { refused } from '#kit/server/errors.ts';

/** Stable codes by what the ledger's functions raise. */
const CODES: Record<string, string> = {
  WH001: 'B0801',
  WH002: 'B0802',
  WH003: 'B0803',
  WH004: 'B0804',
  WH005: 'B0805',
  WH006: 'B0806',
  WH007: 'B0807',
  WH008: 'B0808',
  WH009: 'B0813',
};

interface Raised {
  code: string;
  message: string;
  detail?: string;
}

function isRaised(error: unknown): error is Raised {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
}

/**
 * What the ledger refused as an answer that a person may read; its `extra` says which products and documents. Anything
 * else stays as it is. The transaction is over either way.
 */
export function refusalOf(error: unknown): unknown {
  if (!isRaised(error)) return error;
  const code = CODES[error.code];
  return code === undefined ? error : refused(error.message, code, JSON.parse(error.detail ?? '{}') as object);
}

/** Whether the ledger refused for want of pieces. */
export const SHORTAGE = 'B0801';
