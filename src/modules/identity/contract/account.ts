/** Phone of mainland China, or any in E.164. */
export const PHONE = /^(1[3-9]\d{9}|\+[1-9]\d{6,14})$/;
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;

/** Stable code of the refusal that asks for a new password first. */
export const MUST_CHANGE = 'A0304';
/** The page on which it is given. */
export const FIRST_PASSWORD = '/firstPassword';

/** How an account is kept: e-mail in lower case, phone without blanks and without +86. */
export function normalised(account: string): string {
  const text = account.trim();
  return text.includes('@') ? text.toLowerCase() : text.replace(/[\s-]/g, '').replace(/^\+86/, '');
}

const CLASSES = [/\d/, /\p{Ll}/u, /\p{Lu}/u, /[^\p{L}\p{N}\s]/u];

/** Rule of the specification: 8 to 30 characters, no white space, at least three of four classes. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password].length;
  const classes = CLASSES.filter((pattern) => pattern.test(password)).length;
  if (length < 8 || length > 30 || /\s/.test(password) || classes < 3) {
    return '密码须包含数字、小写字母、大写字母、特殊符号中的至少三种，长度为8-30位';
  }
  return undefined;
}
