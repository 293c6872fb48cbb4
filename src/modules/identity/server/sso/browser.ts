import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '#kit/server/config.ts';
import type { CookieToSet, RequestInfo } from '#kit/server/http/serve.ts';

/** What tells one browser from another. */
export type Browser = Pick<RequestInfo, 'ip' | 'userAgent' | 'cookies'>;

const HOLDER = /^[\w-]{43}$/;
const SECOND = 1;
const DAY = 86_400 * SECOND;

/** With the prefix no other host of the same domain can plant the cookie; browsers honour it over https only. */
function cookieName(config: Pick<Config, 'publicUrl'>): string {
  return config.publicUrl.startsWith('https:') ? '__Host-sso' : 'sso';
}

/** The secret that a browser was given when its log-in began, undefined where it shows none. */
export function holderOf(config: Pick<Config, 'publicUrl'>, browser: Pick<Browser, 'cookies'>): string | undefined {
  const value = browser.cookies[cookieName(config)];
  return value && HOLDER.test(value) ? value : undefined;
}

/** The browser's secret, or a new one. Tabs that log in at the same time share it. */
export function holderFor(config: Pick<Config, 'publicUrl'>, browser: Pick<Browser, 'cookies'>): string {
  return holderOf(config, browser) ?? randomBytes(32).toString('base64url');
}

/** Gives a browser its secret for as long as a session can last; an empty text takes it back. */
export function holderCookie(config: Pick<Config, 'publicUrl'>, holder: string): CookieToSet {
  return { name: cookieName(config), value: holder, maxAge: 7 * DAY };
}

/** Hash of the browser's secret and name: whoever finds the id of a session elsewhere has neither. */
export function signatureOf(
  config: Pick<Config, 'publicUrl'>,
  browser: Pick<Browser, 'cookies' | 'userAgent'>,
): string {
  return createHash('sha256')
    .update(`${holderOf(config, browser) ?? ''}\n${browser.userAgent}`)
    .digest('hex');
}
