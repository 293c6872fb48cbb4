import { Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { call, messageOf, queryClient } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { currentSession, saveSession } from '#kit/web/session.ts';
import { type BoundAccount, changeLogin } from '../../contract/bind.ts';
import { logout } from '../../contract/session.ts';
import { type Challenge, challengeOf, MfaStep } from '../login/MfaStep.tsx';

/** Opens a session of the other account; the one of before is ended by the server. */
async function opened(account: BoundAccount, session: string): Promise<{ session: string; id: string }> {
  const body = { openid: account.lastloginsession, account: account.account, appType: 'web', jsessionid: session };
  const { jsessionid, currentuser } = await call(changeLogin, { body }, { quiet: true });
  return { session: jsessionid, id: currentuser.id };
}

/**
 * Goes on as another account of the same person: new session, nothing kept of the old one but the type of the log-in,
 * which decides how he will log out. An account with a second factor asks for it first, in `dialog`. `forget` drops what
 * the frame remembers (tabs). Other tabs of the browser notice the change and reload.
 */
export function useSwitch(forget: () => void): { start: (account: BoundAccount) => Promise<void>; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ account: BoundAccount; challenge: Challenge }>();
  const goOn = (account: BoundAccount, session: string, id: string) => {
    const loginType = currentSession()?.loginType ?? 'api';
    forget();
    queryClient.clear();
    saveSession({ id: session, uid: id, loginType });
    notice.success(`已切换到 ${account.companyname}`);
    setTimeout(() => window.location.assign('/home'), 300);
  };
  const start = async (account: BoundAccount) => {
    const mine = currentSession();
    if (!mine) return;
    try {
      const { session, id } = await opened(account, mine.id);
      goOn(account, session, id);
    } catch (failure) {
      const challenge = challengeOf(failure);
      if (challenge) setAsked({ account, challenge });
      else notice.error(messageOf(failure));
    }
  };
  const proven = async ({ account }: { account: BoundAccount }, session: string, id: string) => {
    // Ends the session of before; where that fails it ends by itself.
    await call(logout, {}, { quiet: true }).catch(() => {});
    goOn(account, session, id);
  };
  const dialog = asked && (
    <Modal
      open
      width={400}
      title={`切换到 ${asked.account.companyname} · ${asked.account.account}`}
      footer={null}
      onCancel={() => setAsked(undefined)}
    >
      <MfaStep
        challenge={asked.challenge}
        back="取消"
        onBack={() => setAsked(undefined)}
        onEntered={(session, id) => void proven(asked, session, id)}
      />
    </Modal>
  );
  return { start, dialog };
}
