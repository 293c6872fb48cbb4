import { Button, Input, type InputRef } from 'antd';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, call, queryClient } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { saveSession, takeReturnUrl } from '#kit/web/session.ts';
import { type CaptchaType, login } from '../../contract/session.ts';
import { Captcha } from '../captcha/Captcha.tsx';
import { type Challenge, challengeOf, MfaStep } from './MfaStep.tsx';
import { SsoEntrance } from './SsoEntrance.tsx';
import { WechatLogin } from './WechatLogin.tsx';

/** Failures after which the slider no longer suffices. */
const STRICT_FROM = 3;

function useLogin() {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [failures, setFailures] = useState(0);
  const [challenge, setChallenge] = useState<Challenge | null>(null);

  const submit = async (account: string, password: string, captchaVerification: string) => {
    setBusy(true);
    setError('');
    try {
      const uid = localStorage.getItem('uid');
      const verifition = JSON.stringify({ captchaVerification });
      const body = { account, password, verifition, ...(uid ? { uid } : {}) };
      const { session, id } = await call(login, { body }, { quiet: true });
      queryClient.clear();
      saveSession({ id: session, uid: id, loginType: 'api' });
      notice.success('登录成功');
      void navigate(takeReturnUrl(), { replace: true });
    } catch (failure) {
      const asked = challengeOf(failure);
      if (asked) {
        setBusy(false);
        return setChallenge(asked);
      }
      // The server remembers failures of other browsers too, and says when the slider is not enough.
      const strict = failure instanceof ApiError && failure.reason === 'B0108';
      setFailures((count) => (strict ? STRICT_FROM : count + 1));
      setError(failure instanceof ApiError && failure.message ? `登录失败：${failure.message}` : '登录失败');
      setBusy(false);
    }
  };
  const type: CaptchaType = failures >= STRICT_FROM ? 'clickWord' : 'blockPuzzle';
  return { busy, error, setError, type, submit, challenge, setChallenge };
}

/** Account and password; the security check comes before they are sent. */
export function LoginForm() {
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [checking, setChecking] = useState(false);
  const passwordInput = useRef<InputRef>(null);
  const { busy, error, setError, type, submit, challenge, setChallenge } = useLogin();

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!account.trim()) return setError('请输入手机号或邮箱');
    if (!password) {
      setError('请输入密码');
      return passwordInput.current?.focus();
    }
    setError('');
    setChecking(true);
  };
  const onPassed = (verification: string) => {
    setChecking(false);
    void submit(account.trim(), password, verification);
  };

  if (challenge) return <MfaStep challenge={challenge} onBack={() => setChallenge(null)} />;
  return (
    <>
      <form className="login-form" onSubmit={onSubmit} noValidate>
        <label htmlFor="account">账号</label>
        <Input
          id="account"
          size="large"
          placeholder="手机号或邮箱"
          autoComplete="username"
          autoFocus
          value={account}
          onChange={(event) => setAccount(event.target.value)}
        />
        <label htmlFor="password">密码</label>
        <Input.Password
          id="password"
          ref={passwordInput}
          size="large"
          placeholder="请输入密码"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <div className="login-error" role="alert">
          {error}
        </div>
        <Button type="primary" size="large" htmlType="submit" block loading={busy}>
          登录
        </Button>
        <SsoEntrance />
        <WechatLogin />
        <p className="login-more">
          <Link to="/resetPassword">忘记密码</Link>
          <span>
            还没有账号？<Link to="/register">注册新账号</Link>
          </span>
        </p>
      </form>
      {checking && <Captcha type={type} onPassed={onPassed} onClose={() => setChecking(false)} />}
    </>
  );
}
