import { AppError } from '#kit/server/errors.ts';
import { SSO_PROBLEMS } from '../../contract/sso.ts';

/** A log-in that ends on the page with the words of SSO_PROBLEMS. */
export class SsoProblem extends Error {
  readonly code: string;
  constructor(code: string, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** Code of SSO_PROBLEMS for what stopped a log-in; undefined where it is a fault of ours. */
export function problemCode(error: unknown): string | undefined {
  if (error instanceof SsoProblem) return error.code;
  if (!(error instanceof AppError)) return undefined;
  const code = (error.data as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code in SSO_PROBLEMS ? code : 'failed';
}
