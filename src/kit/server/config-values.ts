/** Settings by name; an empty text counts as not set. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** A setting that cannot be used; its message is the one line that the user sees. */
export class ConfigError extends Error {}

/** on or off. @throws ConfigError for anything else */
export function flag(value: string | undefined, name: string, fallback: boolean): boolean {
  if (value === undefined || value === '') return fallback;
  if (['on', 'true', '1'].includes(value)) return true;
  if (['off', 'false', '0'].includes(value)) return false;
  throw new ConfigError(`${name} 只能是 on 或 off，当前为 ${value}`);
}

/** A TCP port; 0 lets the system choose. @throws ConfigError for anything else */
export function portOf(value: string | undefined, name: string, fallback: number): number {
  if (value === undefined || value === '') return fallback;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65535) throw new ConfigError(`${name} 不是有效端口：${value}`);
  return port;
}

/** A whole number between two bounds, both included. @throws ConfigError for anything else */
export function numberOf(
  value: string | undefined,
  name: string,
  fallback: number,
  { least, most }: { least: number; most: number },
): number {
  if (value === undefined || value === '') return fallback;
  const number = Number(value);
  if (!/^-?\d+$/.test(value) || number < least || number > most)
    throw new ConfigError(`${name} 应为 ${least} 至 ${most} 的整数，当前为 ${value}`);
  return number;
}

/** One of the words that a setting knows. @throws ConfigError for anything else */
export function oneOf(value: string | undefined, name: string, fallback: string, known: readonly string[]): string {
  if (value === undefined || value === '') return fallback;
  if (!known.includes(value)) throw new ConfigError(`${name} 只能是 ${known.join('、')}，当前为 ${value}`);
  return value;
}

/**
 * Whether something is set up: false where none of its settings is given.
 * @throws ConfigError naming what is missing where only some of them are
 */
export function allOf(
  env: Settings,
  purpose: string,
  needed: readonly string[],
  further: readonly string[] = [],
): boolean {
  if (![...needed, ...further].some((name) => env[name])) return false;
  const missing = needed.filter((name) => !env[name]);
  if (missing.length > 0) throw new ConfigError(`${purpose}还须设置 ${missing.join('、')}`);
  return true;
}

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;

/** An https address without a slash at the end; http on this machine only. @throws ConfigError for anything else */
export function webAddress(value: string, name: string): string {
  const usable = URL.canParse(value) && (value.startsWith('https://') || LOOPBACK.test(value));
  if (!usable) throw new ConfigError(`${name} 应以 https:// 开头（仅本机可用 http://），当前为 ${value}`);
  return value.replace(/\/$/, '');
}

/** An http or https address without a slash at the end. @throws ConfigError for anything else */
export function webPage(value: string, name: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new ConfigError(`${name} 应以 https:// 或 http:// 开头，当前为 ${value}`);
  return value.replace(/\/$/, '');
}
