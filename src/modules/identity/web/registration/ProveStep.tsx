import { Button, Input } from 'antd';
import { type FormEvent, useState } from 'react';
import { call, messageOf } from '#kit/web/api/index.ts';
import { normalised } from '../../contract/account.ts';
import { getEmailCode, getSmsCode, verifySmsCode } from '../../contract/codes.ts';
import { accountProblem, type PasswordReset } from '../../contract/registration.ts';
import { CodeField } from './CodeField.tsx';

export type Proof = Pick<PasswordReset, 'account' | 'key' | 'code'>;

function askFor(account: string, captchaVerification?: string): Promise<string> {
  const ftype = 'losepassword' as const;
  if (account.includes('@')) {
    return call(getEmailCode, { query: { email: normalised(account), ftype, captchaVerification } }, { quiet: true });
  }
  return call(getSmsCode, { query: { mobile: normalised(account), ftype, captchaVerification } }, { quiet: true });
}

/** Step 1: the code sent to the account is right. */
export function ProveStep({ onProven }: { onProven: (proof: Proof) => void }) {
  const [proof, setProof] = useState<Proof>({ account: '', key: '', code: '' });
  const [problem, setProblem] = useState({ field: '', msg: '' });
  const [busy, setBusy] = useState(false);
  const show = (field: string, msg: string) => {
    setProblem({ field, msg });
    document.getElementById(field)?.focus();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const account = accountProblem(proof.account);
    if (account) return show('account', account);
    if (proof.code === '') return show('code', '验证码不能为空');
    if (proof.key === '') return show('code', '请先获取验证码');
    setProblem({ field: '', msg: '' });
    setBusy(true);
    try {
      await call(verifySmsCode, { query: { key: proof.key, code: proof.code } }, { quiet: true });
      onProven(proof);
    } catch (error) {
      show('code', messageOf(error));
      setBusy(false);
    }
  };

  return (
    <form className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      <label htmlFor="account">账号</label>
      <Input
        id="account"
        size="large"
        placeholder="手机号或邮箱"
        autoComplete="username"
        autoFocus
        aria-invalid={problem.field === 'account'}
        value={proof.account}
        // A code belongs to the account that it was sent to.
        onChange={(event) => setProof({ account: event.target.value, key: '', code: '' })}
      />
      <label htmlFor="code">验证码</label>
      <CodeField
        value={proof.code}
        onChange={(code) => setProof((known) => ({ ...known, code }))}
        obstacle={() => accountProblem(proof.account)}
        send={async (captcha) => {
          const key = await askFor(proof.account, captcha);
          setProof((known) => ({ ...known, key }));
        }}
        onError={(msg) => setProblem({ field: msg ? 'account' : '', msg })}
        invalid={problem.field === 'code'}
      />
      <div className="login-error" role="alert" title={problem.msg}>
        {problem.msg}
      </div>
      <Button type="primary" size="large" htmlType="submit" block loading={busy}>
        下一步
      </Button>
    </form>
  );
}
