/**
 * An answer that the selling-partner API gives instead of data: HTTP status plus the published error shape
 * `{"errors":[{code,message,details}]}`. Thrown by handlers, written by the gateway.
 */
export class SpApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: string;
  /** Further errors of the same answer. */
  readonly also: SpApiError[] = [];

  constructor(status: number, code: string, message: string, details = '') {
    super(message);
    this.name = 'SpApiError';
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** The body on the wire. */
  body(): { errors: { code: string; message: string; details: string }[] } {
    return { errors: [this, ...this.also].map(({ code, message, details }) => ({ code, message, details })) };
  }
}

/** 400 InvalidInput, the API's answer to a parameter it cannot use; `details` says which and why. */
export function invalidInput(details: string): SpApiError {
  return new SpApiError(400, 'InvalidInput', 'Invalid Input', details);
}

/** 403 as the gateway words it for a missing, broken or expired token, and for a role the application lacks. */
export function unauthorized(details: string): SpApiError {
  return new SpApiError(403, 'Unauthorized', 'Access to requested resource is denied.', details);
}

/** Refuses what cannot be the number of a report or feed at all: 400, where a number that nobody has is 404. */
export function checkNumber(id: string, field: string): void {
  if (!/^\d+$/.test(id)) throw new SpApiError(400, 'InvalidInput', `Invalid ${field}`);
}

/** 404 NotFound. */
export function notFound(what: string): SpApiError {
  return new SpApiError(404, 'NotFound', `The requested resource ${what} doesn't exist.`);
}

/** 429 QuotaExceeded, worded exactly as the real gateway does because callers match on it. */
export function quotaExceeded(): SpApiError {
  return new SpApiError(429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.');
}

/** 501 for every part of the API that is not simulated, so that a caller never takes silence for data. */
export function notImplemented(what: string): SpApiError {
  return new SpApiError(501, 'NotImplemented', 'The sandbox marketplace does not simulate this operation.', what);
}
