import '../login/login.css';
import { Button, Spin } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, call, queryClient } from '#kit/web/api/index.ts';
import { currentSession, saveSession, takeReturnUrl } from '#kit/web/session.ts';
import { SSO_PROBLEMS, ssoTake } from '../../contract/sso.ts';
import { DoorPage } from '../login/DoorPage.tsx';
import { type Challenge, MfaStep } from '../login/MfaStep.tsx';
import { forgetRounds, mayLeave } from '../login/rounds.ts';
import { findAuthServer, leaveForSso } from '../login/sso.ts';

/** What stood in the address. */
interface Arrival {
  session: string | null;
  problem: string | null;
  challenge: Challenge | null;
}

/** Read once and taken out of the address at once, so that it stays out of the history. */
function arrive(): Arrival {
  const search = new URLSearchParams(window.location.search);
  const step = new URLSearchParams(window.location.hash.slice(1));
  const mfaToken = step.get('mfaToken');
  const arrival = {
    session: search.get('jsessionid'),
    problem: search.get('error'),
    challenge: mfaToken ? { mfaToken, enrol: step.get('enrol') === 'true' } : null,
  };
  search.delete('jsessionid');
  search.delete('error');
  const rest = search.toString();
  window.history.replaceState(null, '', window.location.pathname + (rest ? `?${rest}` : ''));
  return arrival;
}

/**
 * Takes up a session: the server binds it to this browser first. An id that was not made for it here, just now, is not
 * even stored.
 */
async function takeUp(id: string): Promise<void> {
  const user = await call(ssoTake, { body: { jsessionid: id } }, { quiet: true });
  queryClient.clear();
  saveSession({ id, uid: user.id, loginType: 'sso' });
}

/** The log-in ended here: why, and the two ways on. */
function Stopped({ problem, onAgain }: { problem: string; onAgain: () => void }) {
  const navigate = useNavigate();
  return (
    <DoorPage title="单点登录" subtitle="未能登录">
      <div className="note is-danger login-reason" role="alert">
        {SSO_PROBLEMS[problem] ?? SSO_PROBLEMS.failed}
      </div>
      <div className="login-form">
        <Button type="primary" size="large" block onClick={onAgain}>
          重新登录
        </Button>
        <Button size="large" block onClick={() => void navigate('/login', { replace: true })}>
          使用密码登录
        </Button>
      </div>
    </DoorPage>
  );
}

/** /ssologin: a session in the address, else the stored one, else the auth server, else /login. */
export default function SsoLogin() {
  const [arrival] = useState(arrive);
  const [problem, setProblem] = useState(arrival.problem);
  const navigate = useNavigate();

  const leave = async () => {
    const address = await findAuthServer();
    if (!address) return void navigate('/login', { replace: true });
    if (!mayLeave(sessionStorage, Date.now())) return setProblem('rounds');
    leaveForSso(address);
  };
  const begin = useEffectEvent(async () => {
    if (arrival.problem !== null || arrival.challenge) return;
    try {
      if (arrival.session) await takeUp(arrival.session);
    } catch (error) {
      return setProblem(error instanceof ApiError ? 'planted' : 'failed');
    }
    if (currentSession()) return void navigate(takeReturnUrl(), { replace: true });
    await leave();
  });
  // An id works once: React may run effects twice.
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void begin();
  }, []);

  const again = () => {
    forgetRounds(sessionStorage);
    setProblem(null);
    void leave();
  };
  if (problem !== null) return <Stopped problem={problem} onAgain={again} />;
  if (arrival.challenge) {
    return (
      <DoorPage title="单点登录" subtitle="还差一步：动态验证码">
        <MfaStep
          challenge={arrival.challenge}
          loginType="sso"
          onBack={() => void navigate('/login', { replace: true })}
        />
      </DoorPage>
    );
  }
  return (
    <main className="sso" aria-busy="true">
      <Spin />
      <span>登录信息检查中…</span>
    </main>
  );
}
