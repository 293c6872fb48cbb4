import type { Clock } from '#kit/server/clock.ts';
import type { SecurityPolicy } from './policy.ts';

const DAY_MS = 86_400_000;
const DPP_LENGTH = 12;
const DPP_MIN_DAYS = 1;
const DPP_MAX_DAYS = 365;
/** Shorter pieces of a name are in half of all passwords by chance. */
const PART_LENGTH = 3;

const CLASSES = [/\d/, /\p{Ll}/u, /\p{Lu}/u, /[^\p{L}\p{N}\s]/u];

function partsOf(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => [text.split('@')[0] ?? '', ...text.split(/[^\p{L}\p{N}]+/u)])
    .map((part) => part.toLowerCase())
    .filter((part) => [...part].length >= PART_LENGTH);
}

/**
 * What a company's profile refuses beyond the general rule. amazonDpp (the marketplace's data protection policy): at
 * least 12 characters of all four classes, no part of the user's name or account.
 */
export function profileProblem(
  profile: SecurityPolicy['passwordProfile'],
  password: string,
  names: readonly string[],
): string | undefined {
  if (profile !== 'amazonDpp') return undefined;
  const classes = CLASSES.filter((pattern) => pattern.test(password)).length;
  if ([...password].length < DPP_LENGTH || classes < CLASSES.length) {
    return '公司安全策略要求密码至少12位，并同时包含数字、小写字母、大写字母和特殊符号';
  }
  const lower = password.toLowerCase();
  if (partsOf(names).some((part) => lower.includes(part))) return '公司安全策略要求密码不能包含用户名或账号';
  return undefined;
}

/** Whether a password was changed too recently to be changed by its owner again (amazonDpp: one day). */
export function changedTooRecently(
  clock: Clock,
  profile: SecurityPolicy['passwordProfile'],
  changedAt: string,
): boolean {
  return profile === 'amazonDpp' && clock.ms() - Date.parse(changedAt) < DPP_MIN_DAYS * DAY_MS;
}

/** Whether a password is too old to be used for a log-in (amazonDpp: 365 days). */
export function passwordTooOld(clock: Clock, profile: SecurityPolicy['passwordProfile'], changedAt: string): boolean {
  return profile === 'amazonDpp' && clock.ms() - Date.parse(changedAt) > DPP_MAX_DAYS * DAY_MS;
}
