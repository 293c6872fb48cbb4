import { passwordProblem } from '../../contract/account.ts';
import { isCommon } from './common.ts';

/** Whose password it is to become. */
export interface PasswordOwner {
  account: string;
  name: string;
  email?: string | null;
}

/** Shorter parts, e.g. initials, stand in many words. */
const SHORTEST_PART = 4;
/** A name in Han characters says as much with two. */
const SHORTEST_HAN = 2;

function partsOf(text: string): string[] {
  const parts = text
    .toLowerCase()
    .replace(/@.*$/, '')
    .split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => [...part].length >= (/\p{Script=Han}/u.test(part) ? SHORTEST_HAN : SHORTEST_PART));
}

function namesOwner(password: string, owner: PasswordOwner): boolean {
  const lower = password.toLowerCase();
  const parts = [owner.account, owner.name, owner.email ?? ''].flatMap(partsOf);
  return parts.some((part) => lower.includes(part));
}

/** Why a password may not be somebody's, or undefined: the general rule, then common ones, then parts of his names. */
export function passwordObjection(password: string, owner: PasswordOwner): string | undefined {
  const problem = passwordProblem(password);
  if (problem) return problem;
  if (isCommon(password)) return '密码过于常见，容易被猜到，请更换';
  if (namesOwner(password, owner)) return '密码不能包含账号、邮箱或用户名';
  return undefined;
}
