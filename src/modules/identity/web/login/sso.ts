import { call } from '#kit/web/api/index.ts';
import { ssoIsRun } from '../../contract/session.ts';

const SERVER = 'authserver';

/** Address of the auth server without a slash at the end; undefined where people log in on the page itself. */
export async function findAuthServer(): Promise<string | undefined> {
  try {
    const address = await call(ssoIsRun, { body: {} }, { quiet: true });
    return /^https?:\/\//.test(address) ? address.replace(/\/$/, '') : undefined;
  } catch {
    return undefined;
  }
}

/** Leaves for the auth server, which begins the log-in. */
export function leaveForSso(address: string): void {
  localStorage.setItem(SERVER, address);
  window.location.assign(`${address}/getJSession`);
}

/** Where a session that did not begin with a password here is ended; undefined where no auth server is known. */
export function knownAuthServer(): string | undefined {
  const address = localStorage.getItem(SERVER);
  return address && /^https?:\/\//.test(address) ? address : undefined;
}
