const KEY = 'wechatPending';

/** What this browser began and will finish when WeChat sends it back. */
export interface Pending {
  purpose: 'bind' | 'login';
  nonce: string;
}

/** Leaves for WeChat's page with the QR picture; only this tab can finish what it began. */
export function leaveForWechat(purpose: Pending['purpose'], start: { url: string; nonce: string }): void {
  sessionStorage.setItem(KEY, JSON.stringify({ purpose, nonce: start.nonce }));
  window.location.assign(start.url);
}

/** Takes what was begun out of the store; null where nothing was. */
export function takePending(): Pending | null {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!text) return null;
  try {
    const value = JSON.parse(text) as Partial<Pending>;
    return value.nonce && (value.purpose === 'bind' || value.purpose === 'login')
      ? { purpose: value.purpose, nonce: value.nonce }
      : null;
  } catch {
    return null;
  }
}
