import { refused } from '#kit/server/errors.ts';

/** Stable codes by what the ledger's functions raise. */
const CODES: Record<string, string> = {
  FN001: 'B0901',
  FN002: 'B0902',
  FN003: 'B0903',
  FN004: 'B0904',
  FN005: 'B0905',
  FN006: 'B0906',
  FN007: 'B0907',
};

interface Raised {
  code: string;
  message: string;
  detail?: string;
}

function isRaised(error: unknown): error is Raised {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
}

/** What the ledger refused as an answer that a person may read. Anything else stays as it is. */
export function refusalOf(error: unknown): unknown {
  if (!isRaised(error)) return error;
  const code = CODES[error.code];
  return code === undefined ? error : refused(error.message, code, JSON.parse(error.detail ?? '{}') as object);
}
