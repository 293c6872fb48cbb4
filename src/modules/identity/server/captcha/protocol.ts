/** Answers of the captcha protocol; the numbers are those that existing clients of it know. */
export const REP_MESSAGES = {
  '0000': '验证成功',
  '6110': '验证码已失效，请重新获取',
  '6111': '验证失败',
  '6112': '验证码生成失败，请稍后再试',
  '6201': '操作过于频繁，请稍后再试',
  '6202': '验证失败次数过多，请稍后再试',
  '6204': '操作过于频繁，请稍后再试',
  '0011': '参数不能为空',
  '9999': '系统异常，请稍后再试',
} as const;
export type RepCode = keyof typeof REP_MESSAGES;

export interface Rep<T> {
  repCode: RepCode;
  /** Chinese text for the user; null on success. */
  repMsg: string | null;
  repData: T | null;
}

export function repOk<T>(repData: T): Rep<T> {
  return { repCode: '0000', repMsg: null, repData };
}

export function repRefused(repCode: Exclude<RepCode, '0000'>): Rep<never> {
  return { repCode, repMsg: REP_MESSAGES[repCode], repData: null };
}

/**
 * The bare captchaVerification out of what a log-in sends: either JSON text `{"captchaVerification":"..."}` or the value
 * itself. Empty where there is none; never throws.
 */
export function verificationOf(text: string | undefined): string {
  const trimmed = text?.trim() ?? '';
  if (!trimmed.startsWith('{')) return trimmed;
  try {
    const { captchaVerification } = JSON.parse(trimmed) as { captchaVerification?: unknown };
    return typeof captchaVerification === 'string' ? captchaVerification.trim() : '';
  } catch {
    return '';
  }
}
