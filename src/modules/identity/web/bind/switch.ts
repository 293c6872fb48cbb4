import { call, queryClient } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { currentSession, saveSession } from '#kit/web/session.ts';
import { type BoundAccount, changeLogin } from '../../contract/bind.ts';

/**
 * Goes on as another account of the same person: new session, nothing kept of the old one. `forget` drops what the
 * frame remembers (tabs). Other tabs of the browser notice the change and reload.
 */
export async function switchTo(account: BoundAccount, forget: () => void): Promise<void> {
  const session = currentSession();
  if (!session) return;
  const { jsessionid, currentuser } = await call(changeLogin, {
    body: { openid: account.lastloginsession, account: account.account, appType: 'web', jsessionid: session.id },
  });
  forget();
  queryClient.clear();
  saveSession({ id: jsessionid, uid: currentuser.id, loginType: 'api' });
  notice.success(`已切换到 ${currentuser.companyname}`);
  setTimeout(() => window.location.assign('/home'), 300);
}
