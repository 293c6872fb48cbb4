import { Button, Input, Modal } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { endSession } from '#kit/web/session.ts';
import { closeAccount } from '../../contract/self.ts';
import { Line } from './Line.tsx';
import { SelfCode } from './SelfCode.tsx';
import type { Detail } from './types.ts';
import { useStep } from './use-step.ts';

function CloseDialog({ user, onClose }: { user: Detail; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [key, setKey] = useState('');
  const [code, setCode] = useState('');
  const [company, setCompany] = useState('');
  const { busy, error, setError, run } = useStep();
  const owner = user.usertype === 'owner';
  const submit = () => {
    if (!password) return setError('请输入密码');
    if (!key) return setError('请先获取验证码');
    if (code.length < 6) return setError('验证码不能为空');
    if (owner && company !== user.company) return setError('请输入公司名称以确认注销');
    return void run(async () => {
      await call(closeAccount, { body: { password, key, code, ...(owner ? { company } : {}) } }, { quiet: true });
      endSession('/login');
    });
  };
  return (
    <Modal
      title="注销账号"
      open
      width={460}
      okText="确认注销"
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={submit}
      onCancel={onClose}
    >
      <Line id="closepw" title="登录密码">
        <Input.Password
          id="closepw"
          autoComplete="current-password"
          value={password}
          onChange={(e) => setPassword(e.target.value)}
        />
      </Line>
      <Line id="closecode" title="验证码" hint={`将发送到 ${user.account}`}>
        <SelfCode id="closecode" purpose="closeaccount" value={code} onChange={setCode} onKey={setKey} />
      </Line>
      {owner && (
        <Line id="closecompany" title="公司名称" hint={`请输入「${user.company}」以确认`}>
          <Input id="closecompany" autoComplete="off" value={company} onChange={(e) => setCompany(e.target.value)} />
        </Line>
      )}
      <div className="self-error" role="alert">
        {error}
      </div>
    </Modal>
  );
}

/** What closing an account means, and the way to it. */
export function CloseTab({ user }: { user: Detail }) {
  const [open, setOpen] = useState(false);
  const owner = user.usertype === 'owner';
  return (
    <div className="self-close">
      <div className="note is-warning">注销后数据将在30天内清除且无法恢复</div>
      <ul>
        {owner ? (
          <>
            <li>公司的店铺授权将被解除，全部业务数据、账号资料与文件一并清除；操作日志与登录日志依法保留。</li>
            <li>注销前须先停用或删除全部子账号{user.colleagues > 0 && `（当前还有 ${user.colleagues} 个）`}。</li>
            <li>提交后有 7 天冷静期，期间重新登录即撤销注销。</li>
          </>
        ) : (
          <>
            <li>账号立即停用并退出所有设备，登录账号可被重新注册。</li>
            <li>您在公司中完成的业务记录保留，姓名、联系方式与头像将被清除。</li>
          </>
        )}
      </ul>
      <Button danger disabled={owner && user.colleagues > 0} onClick={() => setOpen(true)}>
        申请注销
      </Button>
      {open && <CloseDialog user={user} onClose={() => setOpen(false)} />}
    </div>
  );
}
