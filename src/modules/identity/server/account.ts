/** How an account is kept: e-mail in lower case, phone without blanks and without +86. */
export function normalised(account: string): string {
  const text = account.trim();
  return text.includes('@') ? text.toLowerCase() : text.replace(/[\s-]/g, '').replace(/^\+86/, '');
}

/** Phone of mainland China, or any in E.164. */
export const PHONE = /^(1[3-9]\d{9}|\+[1-9]\d{6,14})$/;
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
