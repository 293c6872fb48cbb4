/** Body of every JSON answer. `code` 201 is success, whatever the HTTP status. */
export interface Envelope<T = unknown> {
  code: number;
  msg: string;
  data: T;
}

export const SUCCESS = 201;

/** Reasons for which a session no longer counts; the page forgets it and goes to /ssologin. */
export const SESSION_CODES = ['A0231', 'A0200', 'S0001', 'S0002', 'S0003'] as const;
export type SessionCode = (typeof SESSION_CODES)[number];

/** Wording of each, shown on the login page. */
export const SESSION_MESSAGES: Record<SessionCode, string> = {
  A0231: '登录已过期，请重新登录',
  A0200: '登录已失效，请重新登录',
  S0001: '账号已停用，请联系管理员',
  S0002: '账号已过期',
  S0003: '公司已停用，请联系客服',
};

/** One refused field of a request: its path, its Chinese title and why. */
export interface FieldError {
  field: string;
  title: string;
  msg: string;
}

export function success<T>(data: T, msg = '操作成功'): Envelope<T> {
  return { code: SUCCESS, msg, data };
}
