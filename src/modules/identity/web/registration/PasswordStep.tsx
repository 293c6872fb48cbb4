import { Button, Input } from 'antd';
import { type FormEvent, useState } from 'react';
import { ApiError, call, messageOf } from '#kit/web/api/index.ts';
import { passwordsProblem, updatePasswordForget } from '../../contract/registration.ts';
import type { Proof } from './ProveStep.tsx';

/** Step 2: the new password. */
export function PasswordStep({ proof, onDone }: { proof: Proof; onDone: () => void }) {
  const [password, setPassword] = useState('');
  const [repassword, setRepassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const problem = passwordsProblem(password, repassword);
    setError(problem ?? '');
    if (problem) return;
    setBusy(true);
    try {
      await call(updatePasswordForget, { body: { ...proof, password, repassword } }, { quiet: true });
      onDone();
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : messageOf(failure));
      setBusy(false);
    }
  };

  return (
    <form className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      <label htmlFor="password">新密码</label>
      <Input.Password
        id="password"
        className="is-spaced"
        size="large"
        placeholder="8-30位，至少三类字符"
        autoComplete="new-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <label htmlFor="repassword">确认密码</label>
      <Input.Password
        id="repassword"
        size="large"
        placeholder="再输入一次"
        autoComplete="new-password"
        value={repassword}
        onChange={(event) => setRepassword(event.target.value)}
      />
      <div className="login-error is-tall" role="alert">
        {error}
      </div>
      <Button type="primary" size="large" htmlType="submit" block loading={busy}>
        确定
      </Button>
    </form>
  );
}
