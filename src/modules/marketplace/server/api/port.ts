/** One answer of the selling partner API, body as it came. */
export interface ApiAnswer<T> {
  /** Of HTTP. */
  status?: number;
  body: T;
  requestId: string | undefined;
}

export interface ApiRequest {
  /** Operation name as the models spell it, e.g. "searchOrders": key of its rate limit. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** e.g. "/orders/2026-01-01/orders"; variable parts percent-encoded by the caller. */
  path: string;
  query?: Record<string, string | number | readonly string[] | undefined>;
  body?: unknown;
  /** May have its effect only once: what fails without an answer is not tried again but told as OutcomeUnknown. */
  once?: boolean;
  /** Runs when the limits let the call leave, right before it does: what must be known of it should its answer be lost. */
  announce?: () => Promise<void>;
}

/**
 * The marketplace as the streams see it. Tokens, rate limits, retries, the call log and the official client are behind
 * it. Throws ApiRefused for 4xx answers that no retry can mend, AuthLost where the seller took his consent back, and
 * ComeBackLater where the rate limit asks for a longer wait than a worker should sit through.
 */
export interface SpApi {
  call<T>(request: ApiRequest): Promise<ApiAnswer<T>>;
}

export class ApiRefused extends Error {
  readonly status: number;
  readonly code: string;
  /** What the marketplace calls the request by, for its support. */
  readonly requestId: string | undefined;
  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Whether the marketplace refused because the application lacks a role: a new token mends nothing, a new consent may. */
export function lacksRole(error: unknown): boolean {
  return error instanceof ApiRefused && error.status === 403;
}

/** What a failed call says to a user. */
export function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return lacksRole(error) ? `缺少权限角色：${text}` : text;
}

export class AuthLost extends Error {}

export class ComeBackLater extends Error {
  readonly afterMs: number;
  constructor(afterMs: number, reason: string) {
    super(reason);
    this.afterMs = afterMs;
  }
}

/** The calls that were saved up are spent; `perCallMs` is how long the next ones take to come, one by one. */
export class OutOfCalls extends ComeBackLater {
  readonly perCallMs: number;
  constructor(afterMs: number, perCallMs: number, reason: string) {
    super(afterMs, reason);
    this.perCallMs = perCallMs;
  }
}

/** The call left and no answer came: whether it had its effect must be found out. */
export class OutcomeUnknown extends ComeBackLater {}

/** What was asked for is still being made: no failure, and nothing to note but the wait. */
export class NotReadyYet extends ComeBackLater {}

/** Whether a call that failed certainly had no effect: then it may simply be made again. */
export function hadNoEffect(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return false;
  return error instanceof ComeBackLater || error instanceof ApiRefused || error instanceof AuthLost;
}
