import { CheckCircleFilled } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { DoorPage } from '../login/DoorPage.tsx';
import { PasswordStep } from '../registration/PasswordStep.tsx';
import { type Proof, ProveStep } from '../registration/ProveStep.tsx';

const STEPS = ['身份验证', '重置登录密码', '完成'];

function Steps({ at }: { at: number }) {
  return (
    <ol className="door-steps">
      {STEPS.map((title, index) => (
        <li
          key={title}
          className={index < at ? 'is-done' : index === at ? 'is-now' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          <span>{index + 1}</span>
          {title}
        </li>
      ))}
    </ol>
  );
}

function Done() {
  const navigate = useNavigate();
  return (
    <div className="door-done" role="status">
      <CheckCircleFilled />
      <h2>修改成功</h2>
      <p>请返回登录页面登录</p>
      <Button type="primary" size="large" block autoFocus onClick={() => void navigate('/login')}>
        去登录
      </Button>
    </div>
  );
}

/** /resetPassword: who it is, the new password, done. */
export default function ResetPassword() {
  const [proof, setProof] = useState<Proof | null>(null);
  const [done, setDone] = useState(false);
  const step = done ? 2 : proof ? 1 : 0;
  return (
    <DoorPage title="重置密码" subtitle="验证码将发送到您登录用的手机或邮箱" wide>
      <Steps at={step} />
      {step === 0 && <ProveStep onProven={setProof} />}
      {step === 1 && proof && <PasswordStep proof={proof} onDone={() => setDone(true)} />}
      {step === 2 && <Done />}
      {step < 2 && (
        <p className="login-more is-centred">
          <span>
            想起来了？<Link to="/login">返回登录</Link>
          </span>
        </p>
      )}
    </DoorPage>
  );
}
