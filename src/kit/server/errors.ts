import type { FieldError, SessionCode } from '#kit/contract/envelope.ts';
import { SESSION_MESSAGES } from '#kit/contract/envelope.ts';

/** A refusal that the caller may read: HTTP status, body code, Chinese message, stable data. */
export class AppError extends Error {
  readonly status: number;
  readonly code: number;
  readonly data: unknown;
  constructor(status: number, code: number, message: string, data: unknown = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

/** A business rule says no (HTTP 200, body code 400), with a stable code such as "B0102". */
export function refused(message: string, code = 'B0001', extra: object = {}): AppError {
  return new AppError(200, 400, message, { code, ...extra });
}

/** Bad input (HTTP 400) with one entry per field. */
export function invalid(fields: FieldError[]): AppError {
  return new AppError(400, 400, fields.map((f) => f.msg).join('；') || '请求内容有误', { fields });
}

export function sessionLost(code: SessionCode, message?: string): AppError {
  return new AppError(401, 401, message ?? SESSION_MESSAGES[code], { code });
}

export function forbidden(permission: string): AppError {
  return new AppError(403, 403, '无操作权限，请联系管理员开通', { code: 'A0301', perm: permission });
}

/** Missing row or a row of somebody else: the answer is the same. */
export function notFound(message = '数据不存在或已删除'): AppError {
  return new AppError(404, 404, message);
}

/** Stale version or a state that somebody else changed. */
export function conflict(message = '数据已被他人修改，请刷新后重试', extra: object | null = null): AppError {
  return new AppError(409, 409, message, extra);
}

export function throttled(retryAfterSeconds: number, message = '操作过于频繁，请稍后再试'): AppError {
  return new AppError(429, 429, message, { retryAfter: Math.ceil(retryAfterSeconds) });
}

interface PgError {
  code: string;
  constraint?: string;
  detail?: string;
}

function isPgError(error: unknown): error is Error & PgError {
  return error instanceof Error && typeof (error as { code?: unknown }).code === 'string' && 'severity' in error;
}

/** Turns what PostgreSQL refuses into what a caller may read; anything unknown stays as it is. */
export function translate(error: unknown): unknown {
  if (!isPgError(error)) return error;
  switch (error.code) {
    case '23505':
      return new AppError(409, 409, `Duplicate entry: ${error.constraint ?? ''}`);
    case '23503':
      return refused('关联的数据不存在，或已被其他数据引用', 'B0002');
    case '23514':
      return refused(`数据不符合约束：${error.constraint ?? ''}`, 'B0003');
    case '42501':
      // A row out of the caller's data scope: it exists, he may see it, and he may not change it.
      return error.message.includes('row-level security') ? forbidden('data') : error;
    case '40001':
    case '40P01':
      return conflict('数据正被他人修改，请稍后重试');
    case '53100':
      return new AppError(503, 503, '服务器磁盘空间不足，本次操作未保存，请联系管理员');
    case '57014':
      return new AppError(200, 400, '查询超时，请缩小范围后重试', { code: 'B0004' });
    case '22P02':
    case '22003':
    case '22007':
    case '22008':
    case '22021':
    case '22P05':
      return new AppError(400, 400, '请求内容有误：数值或日期超出范围', { fields: [] });
    default:
      return error;
  }
}
