import '../self/usercenter.css';
import { Button, Input } from 'antd';
import { type FormEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, call, messageOf, queryClient } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type LoginType, saveSession, takeReturnUrl } from '#kit/web/session.ts';
import { type Enrolment, loginMfa, loginMfaEnrol } from '../../contract/mfa.ts';
import { RecoveryCodes } from '../self/RecoveryCodes.tsx';

/** The second step that a log-in asked for. */
export interface Challenge {
  mfaToken: string;
  /** Nothing is set up yet, and the company wants it. */
  enrol: boolean;
}

const MFA_NEEDED = 428;
/** The step is over: the password has to be given again. */
const OVER = 'B0140';

/** What an answer asks for, or undefined where it is another refusal. */
export function challengeOf(failure: unknown): Challenge | undefined {
  if (!(failure instanceof ApiError) || failure.code !== MFA_NEEDED) return undefined;
  const data = failure.data as Partial<Challenge> | null;
  return data?.mfaToken ? { mfaToken: data.mfaToken, enrol: data.enrol === true } : undefined;
}

/** Goes on as the person who was let in; the type of the log-in decides how he will log out. */
export function useEntrance(loginType: LoginType = 'api') {
  const navigate = useNavigate();
  return (session: string, id: string) => {
    queryClient.clear();
    saveSession({ id: session, uid: id, loginType });
    notice.success('登录成功');
    void navigate(takeReturnUrl(), { replace: true });
  };
}

/** What the app needs to know; asked for once per step. */
function useEnrolment({ mfaToken, enrol }: Challenge, onError: (message: string) => void) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  useEffect(() => {
    if (!enrol) return;
    call(loginMfaEnrol, { body: { mfaToken } }, { quiet: true }).then(setEnrolment, (error: unknown) =>
      onError(messageOf(error)),
    );
  }, [mfaToken, enrol, onError]);
  return enrolment;
}

interface StepProps {
  challenge: Challenge;
  /** How the first step was taken. */
  loginType?: LoginType;
  onBack: () => void;
  /** Words of the way back. */
  back?: string;
  /** What happens with the new session; the person goes on as it where left out. */
  onEntered?: (session: string, id: string) => void;
}

/** Six digits of the authenticator app, or a recovery code; sets the app up first where the company wants it. */
export function MfaStep({ challenge, loginType = 'api', onBack, back = '返回密码登录', onEntered }: StepProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const [entered, setEntered] = useState<{ session: string; id: string; codes: string[] } | null>(null);
  const enrolment = useEnrolment(challenge, setError);
  const entrance = useEntrance(loginType);
  const enter = onEntered ?? entrance;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim().length < 6) return setError('请输入6位动态验证码');
    setBusy(true);
    try {
      const body = { mfaToken: challenge.mfaToken, code: code.trim() };
      const { session, id, recoveryCodes } = await call(loginMfa, { body }, { quiet: true });
      if (recoveryCodes) setEntered({ session, id, codes: recoveryCodes });
      else enter(session, id);
    } catch (failure) {
      setError(messageOf(failure));
      setCode('');
      if (failure instanceof ApiError && failure.reason === OVER) {
        notice.error(failure.message);
        onBack();
      }
    } finally {
      setBusy(false);
    }
  };

  if (entered) {
    return (
      <div className="login-form">
        <RecoveryCodes codes={entered.codes} />
        <Button type="primary" size="large" block onClick={() => enter(entered.session, entered.id)}>
          我已保存，进入系统
        </Button>
      </div>
    );
  }
  return (
    <form className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      {enrolment && (
        <div className="mfa-enrol">
          <p>公司要求启用动态验证码：用身份验证器应用扫描二维码，然后输入显示的6位数字。</p>
          <img src={enrolment.qr} width={160} height={160} alt="动态验证码二维码" />
          <p className="text3">
            无法扫描时手动输入密钥：<code>{enrolment.secret}</code>
          </p>
        </div>
      )}
      <label htmlFor="mfa">动态验证码</label>
      <Input
        id="mfa"
        size="large"
        autoFocus
        placeholder={challenge.enrol ? '6位数字' : '6位数字，或恢复码'}
        autoComplete="one-time-code"
        maxLength={20}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <div className="login-error" role="alert">
        {error}
      </div>
      <Button type="primary" size="large" htmlType="submit" block loading={busy}>
        验证并登录
      </Button>
      <p className="login-more">
        <button type="button" className="link" onClick={onBack}>
          {back}
        </button>
      </p>
    </form>
  );
}
