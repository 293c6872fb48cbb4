import type { FieldError } from '../../contract/envelope.ts';

export const NETWORK_FAILED = '网络请求失败，请检查网络';
export const TIMED_OUT = '查询超时，请缩小范围后重试';
export const FAULT = '系统繁忙，请稍后重试';
const DUPLICATE = '数据重复冲突，请勿频繁保存，如功能无法使用请联系管理员';

export interface Refusal {
  /** Code of the body, or the HTTP status where the body has none; 0 where no answer came. */
  code: number;
  msg: string;
  /** Stable name of the reason, e.g. "A0301" or "B1204". */
  reason?: string | undefined;
  fields?: FieldError[] | undefined;
  /** Number under which the server logged a fault. */
  traceId?: string | undefined;
  /** What else the refusal says, e.g. the token of a log-in's second step. */
  data?: unknown;
}

/** Everything that is not success: a refused rule, a bad input, a fault, no network. `message` is for the user. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string | undefined;
  readonly fields: FieldError[];
  readonly traceId: string | undefined;
  readonly data: unknown;

  constructor(refusal: Refusal) {
    super(refusal.msg);
    this.name = 'ApiError';
    this.code = refusal.code;
    this.reason = refusal.reason;
    this.fields = refusal.fields ?? [];
    this.traceId = refusal.traceId;
    this.data = refusal.data;
  }
}

/** A call that a later one to the same address, or the caller itself, made pointless. Never shown. */
export class CallCancelled extends Error {
  constructor() {
    super('请求已取消');
    this.name = 'CallCancelled';
  }
}

/** Wording of a refusal: a raw unique violation says what to do instead of naming an index. */
export function wording(msg: string | undefined): string {
  if (!msg) return FAULT;
  return msg.includes('Duplicate entry') ? DUPLICATE : msg;
}

/** Message of anything thrown, for the user. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : FAULT;
}
