import { Button, Spin } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { call, messageOf } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { wechatBind, wechatLogin } from '../../contract/wechat.ts';
import { DoorPage } from '../login/DoorPage.tsx';
import { type Challenge, challengeOf, MfaStep, useEntrance } from '../login/MfaStep.tsx';
import { type Pending, takePending } from '../self/wechat.ts';
import '../self/usercenter.css';

const USER_CENTRE = '/usercenter?title=个人中心&path=/usercenter&tab=wechat';

type Choice = { id: string; account: string; name: string; companyname: string };

interface Step {
  error?: string;
  challenge?: Challenge;
  choices?: { state: string; nonce: string; list: Choice[] };
}

/** What came back in the address, read once: React may run effects twice, a code works only once. */
function arrive(): { pending: Pending | null; code: string; state: string } {
  const search = new URLSearchParams(window.location.search);
  window.history.replaceState(null, '', window.location.pathname);
  return { pending: takePending(), code: search.get('code') ?? '', state: search.get('state') ?? '' };
}

/** /wechatresult: WeChat sent the browser back; finishes the log-in or the binding that this tab began. */
export default function WechatResult() {
  const [arrival] = useState(arrive);
  const [step, setStep] = useState<Step>({});
  const navigate = useNavigate();
  const enter = useEntrance('other');

  const failed = (error: unknown) => {
    const challenge = challengeOf(error);
    setStep(challenge ? { challenge } : { error: messageOf(error) });
  };
  const logIn = async (body: { state: string; nonce: string; code?: string; id?: string }) => {
    try {
      const reply = await call(wechatLogin, { body }, { quiet: true });
      if (reply.session && reply.id) enter(reply.session, reply.id);
      else setStep({ choices: { state: reply.state ?? '', nonce: body.nonce, list: reply.choices ?? [] } });
    } catch (error) {
      failed(error);
    }
  };
  const bind = async (body: { state: string; nonce: string; code: string }) => {
    try {
      await call(wechatBind, { body }, { quiet: true });
      notice.success('微信绑定成功');
      void navigate(USER_CENTRE, { replace: true });
    } catch (error) {
      failed(error);
    }
  };
  const finish = useEffectEvent(() => {
    const { pending, code, state } = arrival;
    if (!pending || !code || !state) return setStep({ error: '二维码已失效，请重新扫码' });
    const body = { state, nonce: pending.nonce, code };
    void (pending.purpose === 'bind' ? bind(body) : logIn(body));
  });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    finish();
  }, []);

  const back = arrival.pending?.purpose === 'bind' ? USER_CENTRE : '/login';
  return (
    <DoorPage
      title="微信登录"
      subtitle={
        step.choices ? '该微信绑定了多个账号，请选择要登录的账号' : step.error ? '未能登录' : '正在确认微信授权'
      }
    >
      {step.challenge && (
        <MfaStep challenge={step.challenge} loginType="other" onBack={() => void navigate('/login')} />
      )}
      {step.choices && (
        <ul className="wechat-choices">
          {step.choices.list.map((each) => (
            <li key={each.id}>
              <button
                type="button"
                onClick={() =>
                  void logIn({ state: step.choices?.state ?? '', nonce: step.choices?.nonce ?? '', id: each.id })
                }
              >
                <b>{each.companyname}</b>
                <span className="text2">
                  {each.name} · {each.account}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {step.error && (
        <>
          <div className="note is-danger" role="alert">
            {step.error}
          </div>
          <Button block size="large" className="wechat-back" onClick={() => void navigate(back, { replace: true })}>
            返回
          </Button>
        </>
      )}
      {!step.error && !step.choices && !step.challenge && <Spin />}
    </DoorPage>
  );
}
