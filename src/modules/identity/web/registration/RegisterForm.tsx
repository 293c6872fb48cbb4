import { Button, Input } from 'antd';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { normalised, PHONE } from '../../contract/account.ts';
import { getSmsCode } from '../../contract/codes.ts';
import { type Registration, register, registrationProblem } from '../../contract/registration.ts';
import { CodeField } from './CodeField.tsx';

const EMPTY: Registration = {
  account: '',
  code: '',
  key: '',
  password: '',
  oldpassword: '',
  name: '',
  email: '',
  company: '',
};
const TO_LOGIN_MS = 500;

type Field = keyof Registration;

function useRegistration() {
  const navigate = useNavigate();
  const [form, setForm] = useState(EMPTY);
  const [problem, setProblem] = useState<{ field: string; msg: string }>({ field: '', msg: '' });
  const [busy, setBusy] = useState(false);

  const set = (field: Field) => (value: string) => setForm((known) => ({ ...known, [field]: value }));
  const show = (field: string, msg: string) => {
    setProblem({ field, msg });
    document.getElementById(field)?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const wrong = registrationProblem(form);
    if (wrong) return show(wrong.field, wrong.msg);
    setProblem({ field: '', msg: '' });
    setBusy(true);
    try {
      await call(register, { body: form }, { quiet: true });
      notice.success('注册成功');
      setTimeout(() => void navigate('/login'), TO_LOGIN_MS);
    } catch (error) {
      const field = error instanceof ApiError ? (error.fields[0]?.field ?? 'code') : '';
      show(field, messageOf(error));
      setBusy(false);
    }
  };
  return { form, set, problem, setProblem, busy, submit };
}

function phoneProblem(account: string): string | undefined {
  if (account.trim() === '') return '手机号码不能为空';
  return PHONE.test(normalised(account)) ? undefined : '请输入正确的手机号';
}

function Field({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      {children}
    </div>
  );
}

/** A company and its first user. */
export function RegisterForm() {
  const { form, set, problem, setProblem, busy, submit } = useRegistration();
  const input = (field: Field) => ({
    id: field,
    size: 'large' as const,
    value: form[field],
    'aria-invalid': problem.field === field,
    ...(problem.field === field ? { status: 'error' as const } : {}),
    onChange: (event: { target: { value: string } }) => set(field)(event.target.value),
  });
  const sendCode = async (captchaVerification?: string) => {
    const query = { mobile: normalised(form.account), ftype: 'register' as const, captchaVerification };
    set('key')(await call(getSmsCode, { query }, { quiet: true }));
  };

  return (
    <form className="login-form register-form" onSubmit={(event) => void submit(event)} noValidate>
      <Field id="account" label="手机号">
        <Input {...input('account')} placeholder="用于登录和接收验证码" autoComplete="tel" inputMode="tel" autoFocus />
      </Field>
      <Field id="code" label="验证码">
        <CodeField
          value={form.code}
          onChange={set('code')}
          obstacle={() => phoneProblem(form.account)}
          send={sendCode}
          onError={(msg) => setProblem({ field: msg ? 'account' : '', msg })}
          invalid={problem.field === 'code'}
        />
      </Field>
      <div className="register-pair">
        <Field id="password" label="密码">
          <Input.Password {...input('password')} placeholder="8-30位，至少三类字符" autoComplete="new-password" />
        </Field>
        <Field id="oldpassword" label="确认密码">
          <Input.Password {...input('oldpassword')} placeholder="再输入一次" autoComplete="new-password" />
        </Field>
      </div>
      <div className="register-pair">
        <Field id="name" label="用户名">
          <Input {...input('name')} placeholder="您的姓名" autoComplete="name" maxLength={100} />
        </Field>
        <Field id="email" label="邮箱">
          <Input {...input('email')} placeholder="name@example.com" autoComplete="email" inputMode="email" />
        </Field>
      </div>
      <Field id="company" label="公司名称">
        <Input {...input('company')} placeholder="营业执照上的名称" autoComplete="organization" maxLength={50} />
      </Field>
      <div className="login-error" role="alert" title={problem.msg}>
        {problem.msg}
      </div>
      <Button type="primary" size="large" htmlType="submit" block loading={busy}>
        同意条款并注册
      </Button>
      <p className="login-more">
        <a href="/clause.html" target="_blank" rel="noopener">
          《用户协议》
        </a>
        <span>
          已有账号？<Link to="/login">去登录</Link>
        </span>
      </p>
    </form>
  );
}
