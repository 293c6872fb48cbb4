import { Input, Modal } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { passwordProblem } from '../../contract/account.ts';
import { updatePasswordSelf } from '../../contract/self.ts';
import { Line } from './Line.tsx';
import { useStep } from './use-step.ts';

/** A new password by the old one. */
export function PasswordDialog({ account, onClose }: { account: string; onClose: () => void }) {
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const { busy, error, setError, run } = useStep();
  const submit = () => {
    if (!old) return setError('请输入原密码');
    const problem = passwordProblem(password);
    if (problem) return setError(problem);
    if (!again) return setError('请再次输入密码');
    if (again !== password) return setError('两次输入的密码不一致');
    return void run(async () => {
      await call(updatePasswordSelf, { body: { account, oldpassword: old, password } }, { quiet: true });
      notice.success('密码已修改，其他设备须重新登录');
      onClose();
    });
  };
  return (
    <Modal title="修改密码" open width={440} okText="保存" confirmLoading={busy} onOk={submit} onCancel={onClose}>
      <Line id="old" title="原密码">
        <Input.Password
          id="old"
          autoFocus
          autoComplete="current-password"
          value={old}
          onChange={(e) => setOld(e.target.value)}
        />
      </Line>
      <Line id="new" title="新密码" hint="8-30位，包含数字、小写字母、大写字母、特殊符号中的至少三种">
        <Input.Password
          id="new"
          autoComplete="new-password"
          value={password}
          onChange={(e) => setPassword(e.target.value)}
        />
      </Line>
      <Line id="again" title="确认新密码">
        <Input.Password
          id="again"
          autoComplete="new-password"
          value={again}
          onChange={(e) => setAgain(e.target.value)}
          onPressEnter={submit}
        />
      </Line>
      <div className="self-error" role="alert">
        {error}
      </div>
    </Modal>
  );
}
