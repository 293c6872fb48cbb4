import '../login/authorize.css';
import { CheckOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { call, messageOf, useCall } from '#kit/web/api/index.ts';
import { currentSession, loseSession } from '#kit/web/session.ts';
import { type Asked, OAUTH_PROBLEMS, oauthAnswer, oauthAsked, SCOPES } from '../../contract/oauth.ts';
import { logout } from '../../contract/session.ts';
import { DoorPage } from '../login/DoorPage.tsx';

/** Leaves the session, and comes back here with another one. */
function changeAccount(): void {
  void call(logout, {}, { quiet: true })
    .catch(() => undefined)
    .finally(() => loseSession());
}

function Stopped({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <DoorPage title="登录应用" subtitle="未能登录">
      <div className="note is-danger login-reason" role="alert">
        {children}
      </div>
      <div className="login-form">
        <Button size="large" block onClick={() => void navigate('/', { replace: true })}>
          返回首页
        </Button>
      </div>
    </DoorPage>
  );
}

function Waiting({ text }: { text: string }) {
  return (
    <main className="sso" aria-busy="true">
      <Spin />
      <span>{text}</span>
    </main>
  );
}

interface QuestionProps {
  asked: Asked;
  busy: boolean;
  onAnswer: (agree: boolean) => void;
}

function Question({ asked, busy, onAnswer }: QuestionProps) {
  return (
    <DoorPage title={`登录「${asked.client}」`} subtitle="该应用请求使用您的账号登录">
      <div className="authorize-who">
        <div>
          <strong>{asked.name}</strong>
          <span>{asked.account}</span>
          <span>{asked.company}</span>
        </div>
        <button type="button" className="login-leave" onClick={changeAccount}>
          切换账号
        </button>
      </div>
      <p className="authorize-title">同意后，该应用可以查看您的</p>
      <ul className="authorize-scopes">
        {asked.scopes.map((scope) => (
          <li key={scope}>
            <CheckOutlined />
            {SCOPES[scope]}
          </li>
        ))}
      </ul>
      {asked.again ? (
        <>
          <div className="note is-warning login-reason" role="status">
            该应用要求您重新登录后继续
          </div>
          <Button type="primary" size="large" block onClick={changeAccount}>
            重新登录
          </Button>
        </>
      ) : (
        <div className="login-form">
          <Button type="primary" size="large" block loading={busy} onClick={() => onAnswer(true)}>
            同意并登录
          </Button>
          <Button size="large" block disabled={busy} onClick={() => onAnswer(false)}>
            拒绝
          </Button>
        </div>
      )}
      <p className="authorize-note">
        同意后将前往 {asked.back}。该应用不会得到您的密码，也不能查看系统中的业务数据；退出本系统后授权即失效。
      </p>
    </DoorPage>
  );
}

function UnderWay({ uid }: { uid: string }) {
  const { data: asked, error } = useCall(oauthAsked, { params: { uid } }, { staleTime: Number.POSITIVE_INFINITY });
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sent = useRef(false);

  const answer = async (agree: boolean) => {
    // A log-in ends once: React may run effects twice, and people click twice.
    if (sent.current) return;
    sent.current = true;
    setBusy(true);
    try {
      const { location } = await call(oauthAnswer, { params: { uid }, body: { agree } }, { quiet: true });
      window.location.replace(location);
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  };
  const goOn = useEffectEvent(() => void answer(true));
  const unasked = asked !== undefined && !asked.ask && !asked.again;
  useEffect(() => {
    if (unasked) goOn();
  }, [unasked]);

  if (problem ?? error) return <Stopped>{problem ?? messageOf(error)}</Stopped>;
  if (!asked) return <Waiting text="登录信息检查中…" />;
  if (unasked) return <Waiting text={`正在登录「${asked.client}」…`} />;
  return <Question asked={asked} busy={busy} onAnswer={(agree) => void answer(agree)} />;
}

/** /oauth/authorize: another system sent somebody here to be logged in; whoever has no session logs in first. */
export default function Authorize() {
  const [search] = useState(() => new URLSearchParams(window.location.search));
  const [known] = useState(() => currentSession() !== null);
  const problem = search.get('error');
  const uid = search.get('uid') ?? '';
  const stays = known || problem !== null;
  useEffect(() => {
    if (!stays) loseSession();
  }, [stays]);
  if (problem !== null) return <Stopped>{OAUTH_PROBLEMS[problem] ?? OAUTH_PROBLEMS.invalid_request}</Stopped>;
  return known ? <UnderWay uid={uid} /> : <Waiting text="请先登录…" />;
}
