import { Input, Modal } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type Enrolment, mfaConfirm, mfaDisable, mfaEnrol, mfaRecovery } from '../../contract/mfa.ts';
import { Line } from './Line.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useStep } from './use-step.ts';

export type MfaAction = 'enable' | 'disable' | 'renew';

const TITLES: Record<MfaAction, string> = {
  enable: '启用动态验证码',
  disable: '停用动态验证码',
  renew: '重新生成恢复码',
};

/** Sets the second factor up, gives it up, or renews the recovery codes; always by the password. */
export function MfaDialog({ action, onClose }: { action: MfaAction; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { busy, error, setError, run } = useStep();
  const asksPassword = action !== 'enable' || enrolment === null;
  const asksCode = action !== 'enable' || enrolment !== null;

  const submit = () => {
    if (codes) return onClose();
    if (asksPassword && !password) return setError('请输入密码');
    if (asksCode && code.trim().length < 6) return setError('请输入6位动态验证码');
    return void run(async () => {
      if (action === 'disable') {
        await call(mfaDisable, { body: { password, code } }, { quiet: true });
        notice.success('动态验证码已停用');
        return onClose();
      }
      if (action === 'renew') {
        return setCodes((await call(mfaRecovery, { body: { password, code } }, { quiet: true })).recoveryCodes);
      }
      if (!enrolment) return setEnrolment(await call(mfaEnrol, { body: { password } }, { quiet: true }));
      setCodes((await call(mfaConfirm, { body: { code } }, { quiet: true })).recoveryCodes);
    });
  };

  return (
    <Modal
      title={TITLES[action]}
      open
      width={460}
      okText={codes ? '我已保存' : '下一步'}
      okButtonProps={{ danger: action === 'disable' }}
      confirmLoading={busy}
      onOk={submit}
      onCancel={onClose}
    >
      {codes ? (
        <RecoveryCodes codes={codes} />
      ) : (
        <>
          {asksPassword && (
            <Line id="mfapw" title="登录密码">
              <Input.Password
                id="mfapw"
                autoFocus
                autoComplete="current-password"
                value={password}
                onChange={(e) => setPassword(e.target.value)}
                onPressEnter={submit}
              />
            </Line>
          )}
          {enrolment && (
            <div className="mfa-enrol">
              <img src={enrolment.qr} width={180} height={180} alt="动态验证码二维码" />
              <p>
                用身份验证器应用扫描二维码，然后输入显示的6位数字。
                <br />
                <span className="text3">
                  无法扫描时手动输入密钥：<code>{enrolment.secret}</code>
                </span>
              </p>
            </div>
          )}
          {asksCode && (
            <Line id="mfacode" title="动态验证码">
              <Input
                id="mfacode"
                autoFocus
                placeholder={action === 'enable' ? '6位数字' : '6位数字，或恢复码'}
                autoComplete="one-time-code"
                maxLength={20}
                value={code}
                onChange={(e) => setCode(e.target.value)}
                onPressEnter={submit}
              />
            </Line>
          )}
        </>
      )}
      <div className="self-error" role="alert">
        {error}
      </div>
    </Modal>
  );
}
