import { refused } from '../errors.ts';

interface Raised extends Error {
  code: string;
  detail?: string;
}

function isRaised(error: unknown): error is Raised {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string';
}

/**
 * Turns what functions of the database refuse into answers that a person may read. `codes` names our stable code for
 * each SQLSTATE that they raise; their message is the answer's, their detail (JSON) its `extra`. Any other error stays as
 * it is. The transaction is over either way.
 */
export function refusals(codes: Readonly<Record<string, string>>): (error: unknown) => unknown {
  return (error) => {
    const code = isRaised(error) ? codes[error.code] : undefined;
    if (!isRaised(error) || code === undefined) return error;
    return refused(error.message, code, JSON.parse(error.detail ?? '{}') as object);
  };
}
