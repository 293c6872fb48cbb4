import '../login/login.css';
import { Button, Input } from 'antd';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { call, messageOf } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { currentSession, endSession, takeReturnUrl } from '#kit/web/session.ts';
import { passwordProblem } from '../../contract/account.ts';
import { updatePasswordSelf } from '../../contract/self.ts';
import { logout } from '../../contract/session.ts';
import { DoorPage } from '../login/DoorPage.tsx';

interface FieldProps {
  id: string;
  title: string;
  placeholder: string;
  current?: boolean;
  value: string;
  onChange: (value: string) => void;
}

function Field({ id, title, placeholder, current = false, value, onChange }: FieldProps): ReactNode {
  return (
    <>
      <label htmlFor={id}>{title}</label>
      <Input.Password
        id={id}
        className="is-spaced"
        size="large"
        placeholder={placeholder}
        autoComplete={current ? 'current-password' : 'new-password'}
        autoFocus={current}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}

/** What is wrong with the form, before anything is sent. */
function problemOf(old: string, password: string, again: string): string | undefined {
  if (!old) return '请输入一次性密码';
  const problem = passwordProblem(password);
  if (problem) return problem;
  if (!again) return '请再次输入密码';
  if (again !== password) return '两次输入的密码不一致';
  return old === password ? '新密码不能与一次性密码相同' : undefined;
}

/** Whoever came in with a password that somebody else made up gives himself one of his own before anything else. */
export default function FirstPassword() {
  const [known] = useState(() => currentSession() !== null);
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const problem = problemOf(old, password, again);
    setError(problem ?? '');
    if (problem) return;
    setBusy(true);
    try {
      await call(updatePasswordSelf, { body: { oldpassword: old, password } }, { quiet: true });
      notice.success('密码已修改');
      void navigate(takeReturnUrl(), { replace: true });
    } catch (failure) {
      setError(messageOf(failure));
      setBusy(false);
    }
  };

  const leave = () => {
    const ended = call(logout, {}, { quiet: true });
    void ended.catch(() => undefined).finally(() => endSession('/login', '退出成功'));
  };

  if (!known) return <Navigate to="/login" replace />;
  return (
    <DoorPage title="修改初始密码" subtitle="您正在使用一次性密码，请先设置自己的密码">
      <form className="login-form" onSubmit={(event) => void submit(event)} noValidate>
        <Field id="old" title="一次性密码" placeholder="本次登录使用的密码" current value={old} onChange={setOld} />
        <Field
          id="password"
          title="新密码"
          placeholder="8-30位，至少三类字符"
          value={password}
          onChange={setPassword}
        />
        <Field id="again" title="确认新密码" placeholder="再输入一次" value={again} onChange={setAgain} />
        <div className="login-error is-tall" role="alert">
          {error}
        </div>
        <Button type="primary" size="large" htmlType="submit" block loading={busy}>
          保存并进入系统
        </Button>
        <p className="login-more">
          <button type="button" className="login-leave" onClick={leave}>
            退出登录
          </button>
        </p>
      </form>
    </DoorPage>
  );
}
