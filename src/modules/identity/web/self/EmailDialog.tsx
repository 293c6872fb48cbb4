import { Input, Modal } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { EMAIL } from '../../contract/account.ts';
import { updateEmailSelf } from '../../contract/self.ts';
import { Line } from './Line.tsx';
import { SelfCode } from './SelfCode.tsx';
import { useStep } from './use-step.ts';

/** Proves an address by the code that was sent to it. */
export function EmailDialog({ email: known, onClose }: { email: string | null; onClose: () => void }) {
  const [email, setEmail] = useState(known ?? '');
  const [key, setKey] = useState('');
  const [code, setCode] = useState('');
  const { busy, error, setError, run } = useStep();
  const submit = () => {
    if (!email.trim()) return setError('邮箱不能为空');
    if (!EMAIL.test(email.trim())) return setError('请输入正确的邮箱');
    if (!key) return setError('请先获取验证码');
    if (code.length < 6) return setError('验证码不能为空');
    return void run(async () => {
      await call(updateEmailSelf, { body: { email, key, code } }, { quiet: true });
      notice.success('邮箱已激活');
      onClose();
    });
  };
  return (
    <Modal title="激活邮箱" open width={440} okText="确定" confirmLoading={busy} onOk={submit} onCancel={onClose}>
      <Line id="email" title="邮箱" hint="用于接收通知，并可在忘记密码时找回">
        <Input id="email" autoFocus autoComplete="email" value={email} onChange={(e) => setEmail(e.target.value)} />
      </Line>
      <Line id="emailcode" title="验证码">
        <SelfCode id="emailcode" purpose="email" target={email} value={code} onChange={setCode} onKey={setKey} />
      </Line>
      <div className="self-error" role="alert">
        {error}
      </div>
    </Modal>
  );
}
