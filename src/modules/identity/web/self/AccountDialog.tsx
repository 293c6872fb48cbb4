import { Input, Modal, Result, Steps } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { updateAccountSelf, verifyPassword } from '../../contract/self.ts';
import { Line } from './Line.tsx';
import { SelfCode } from './SelfCode.tsx';
import { useStep } from './use-step.ts';

/** Another account to log in with: who it is, the new account, done. */
export function AccountDialog({ account, onClose }: { account: string; onClose: () => void }) {
  const [step, setStep] = useState(0);
  const [password, setPassword] = useState('');
  const [old, setOld] = useState({ key: '', code: '' });
  const [target, setTarget] = useState('');
  const [fresh, setFresh] = useState({ key: '', code: '' });
  const { busy, error, setError, run } = useStep();

  const next = () => {
    if (step === 2) return onClose();
    if (step === 0) {
      if (!password) return setError('请输入密码');
      if (!old.key) return setError('请先获取验证码');
      if (old.code.length < 6) return setError('验证码不能为空');
      return void run(async () => {
        await call(verifyPassword, { body: { password } }, { quiet: true });
        setStep(1);
      });
    }
    if (!target.trim()) return setError('手机号或邮箱不能为空');
    if (!fresh.key) return setError('请先获取验证码');
    if (fresh.code.length < 6) return setError('验证码不能为空');
    return void run(async () => {
      const body = { password, oldkey: old.key, oldcode: old.code, account: target, ...fresh };
      await call(updateAccountSelf, { body }, { quiet: true });
      setStep(2);
    });
  };

  return (
    <Modal
      title="更换登录账号"
      open
      width={520}
      okText={step === 2 ? '完成' : '下一步'}
      confirmLoading={busy}
      onOk={next}
      onCancel={onClose}
    >
      <Steps
        className="self-steps"
        size="small"
        current={step}
        items={[{ title: '身份验证' }, { title: '新账号' }, { title: '完成' }]}
      />
      {step === 0 && (
        <>
          <Line id="pw" title="登录密码">
            <Input.Password
              id="pw"
              autoComplete="current-password"
              value={password}
              onChange={(e) => setPassword(e.target.value)}
            />
          </Line>
          <Line id="oldcode" title="验证码" hint={`将发送到当前账号 ${account}`}>
            <SelfCode
              id="oldcode"
              purpose="old"
              value={old.code}
              onChange={(code) => setOld((v) => ({ ...v, code }))}
              onKey={(key) => setOld((v) => ({ ...v, key }))}
            />
          </Line>
        </>
      )}
      {step === 1 && (
        <>
          <Line id="target" title="新账号" hint="手机号或邮箱，今后用它登录">
            <Input id="target" autoComplete="off" value={target} onChange={(e) => setTarget(e.target.value)} />
          </Line>
          <Line id="newcode" title="验证码">
            <SelfCode
              id="newcode"
              purpose="account"
              target={target}
              value={fresh.code}
              onChange={(code) => setFresh((v) => ({ ...v, code }))}
              onKey={(key) => setFresh((v) => ({ ...v, key }))}
            />
          </Line>
        </>
      )}
      {step === 2 && (
        <Result status="success" title="登录账号已更换" subTitle={`请使用 ${target} 登录，其他设备须重新登录`} />
      )}
      <div className="self-error" role="alert">
        {error}
      </div>
    </Modal>
  );
}
