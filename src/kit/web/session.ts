import { useSyncExternalStore } from 'react';
import { notice } from './notice.tsx';
import { createStore } from './store.ts';

export type LoginType = 'api' | 'sso' | 'other';

/** What the browser knows of a session; `time` tells two sessions of one browser apart. */
export interface Session {
  id: string;
  /** Epoch ms at which this browser stored the session, as text. */
  time: string;
  uid: string;
  loginType: LoginType;
}

const KEYS = { id: 'jsessionid', time: 'jsessiontime', uid: 'uid', loginType: 'logintype' } as const;
const RETURN_URL = 'attemptedUrl';
const END = 'sessionEnd';

function read(): Session | null {
  const storage = globalThis.localStorage;
  const id = storage?.getItem(KEYS.id);
  if (!id) return null;
  const type = storage.getItem(KEYS.loginType);
  return {
    id,
    time: storage.getItem(KEYS.time) ?? '',
    uid: storage.getItem(KEYS.uid) ?? '',
    loginType: type === 'sso' || type === 'other' ? type : 'api',
  };
}

const session = createStore<Session | null>(read());
const permissions = createStore<ReadonlySet<string> | undefined>(undefined);

export const currentSession = session.get;

export function useSession(): Session | null {
  return useSyncExternalStore(session.subscribe, session.get);
}

/** Stores a new session; other tabs of the browser notice it by its time and reload. */
export function saveSession(next: { id: string; uid?: string; loginType: LoginType }): void {
  const time = String(Date.now());
  localStorage.setItem(KEYS.id, next.id);
  localStorage.setItem(KEYS.time, time);
  localStorage.setItem(KEYS.loginType, next.loginType);
  if (next.uid !== undefined) localStorage.setItem(KEYS.uid, next.uid);
  session.set({ id: next.id, time, uid: next.uid ?? localStorage.getItem(KEYS.uid) ?? '', loginType: next.loginType });
}

/** Forgets the session id; the user id stays as a hint for the next login. */
export function clearSession(): void {
  localStorage.removeItem(KEYS.id);
  localStorage.removeItem(KEYS.time);
  session.set(null);
  permissions.set(undefined);
}

/** Keeps the address to come back to after the next login. */
export function rememberReturnUrl(url: string): void {
  sessionStorage.setItem(RETURN_URL, url);
}

/** Stands for whatever origin the page has. */
const HERE = 'http://here.invalid';

/** Whether `url` is a page to come back to: on this origin, as a browser reads it, and none of the doors themselves. */
export function isReturnTarget(url: string | null): url is string {
  if (!url?.startsWith('/') || !URL.canParse(url, HERE) || new URL(url, HERE).origin !== HERE) return false;
  if (url.includes('auth/getJSession') || url.includes('ssologin')) return false;
  const path = url.split(/[?#]/)[0];
  return path !== '/' && path !== '/login';
}

/** Takes the remembered address out of the store; /home where there is none worth returning to. */
export function takeReturnUrl(): string {
  const url = sessionStorage.getItem(RETURN_URL);
  sessionStorage.removeItem(RETURN_URL);
  return isReturnTarget(url) ? url : '/home';
}

/** How the last session ended; shown once on the login page. */
export interface SessionEnd {
  text: string;
  /** Whether its holder ended it himself. */
  wanted: boolean;
}

function rememberEnd(end: SessionEnd): void {
  sessionStorage.setItem(END, JSON.stringify(end));
}

/** Takes the end of the last session out of the store, if there is one to tell. */
export function takeSessionEnd(): SessionEnd | null {
  const end = sessionStorage.getItem(END);
  sessionStorage.removeItem(END);
  return end === null ? null : (JSON.parse(end) as SessionEnd);
}

let leaving = false;

/** The server no longer knows the session: forget it, keep where the user was, start over at /ssologin. */
export function loseSession(reason?: string): void {
  if (leaving) return;
  const here = window.location.pathname + window.location.search;
  if (here.startsWith('/ssologin') || here.startsWith('/login')) {
    clearSession();
    return;
  }
  leaving = true;
  if (isReturnTarget(here)) rememberReturnUrl(here);
  if (reason) rememberEnd({ text: reason, wanted: false });
  clearSession();
  window.location.assign('/ssologin');
}

/** Something has to be done on another page first; the way back is kept. */
export function leaveFor(page: string): void {
  const here = window.location.pathname + window.location.search;
  if (leaving || here.startsWith(page)) return;
  leaving = true;
  if (isReturnTarget(here)) rememberReturnUrl(here);
  window.location.assign(page);
}

/**
 * Leaving on purpose has begun: that the server ends the session meanwhile is no loss that somebody must hear of. The
 * returned function takes it back, for a leave that failed.
 */
export function beginLeaving(): () => void {
  leaving = true;
  return () => {
    leaving = false;
  };
}

/** Leaves on purpose: no way back to this page is kept; `word` is what the login page says of it. */
export function endSession(to: string, word?: string): void {
  leaving = true;
  if (word) rememberEnd({ text: word, wanted: true });
  sessionStorage.removeItem(RETURN_URL);
  clearSession();
  window.location.assign(to);
}

/** The page is about to be left; whoever would send it elsewhere keeps still. */
export function isLeaving(): boolean {
  return leaving;
}

/**
 * False if another tab logged in or out meanwhile: this tab then holds data of another account, says so and reloads.
 * Checked before every call and whenever the browser reports a change of the store.
 */
export function sessionStands(): boolean {
  const known = session.get();
  if (known === null || leaving) return true;
  if (localStorage.getItem(KEYS.time) === known.time) return true;
  leaving = true;
  notice.error('账户异常，正在刷新浏览器');
  setTimeout(() => window.location.reload(), 800);
  return false;
}

/** Called once by the entry. */
export function watchOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === KEYS.time) sessionStands();
  });
}

/** The codes that came with the menu; undefined shows everything. */
export function setPermissions(codes: readonly string[] | undefined): void {
  permissions.set(codes === undefined ? undefined : new Set(codes));
}

export function usePermissions(): ReadonlySet<string> | undefined {
  return useSyncExternalStore(permissions.subscribe, permissions.get);
}

/** Whether `code` may be used; no set yet means yes, an empty code means no: the server decides in any case. */
export function allows(set: ReadonlySet<string> | undefined, code: string | undefined): boolean {
  if (set === undefined) return true;
  return code !== undefined && code !== '' && set.has(code);
}

/** As `allows`, for the codes of the current user. */
export function useAllowed(code: string | undefined): boolean {
  return allows(usePermissions(), code);
}
