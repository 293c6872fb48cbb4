import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import type { Reply } from '#kit/contract/endpoint.ts';
import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import { DayText, When } from '#kit/web/cells/Time.tsx';
import { MERGE_STATES, mergeState } from '../../contract/merge.ts';
import { mfaStatus } from '../../contract/mfa.ts';
import { listDevices, userDetail } from '../../contract/self.ts';
import { userInfo } from '../../contract/users.ts';
import { AccountDialog } from './AccountDialog.tsx';
import { Devices } from './Devices.tsx';
import { EmailDialog } from './EmailDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { type MfaAction, MfaDialog } from './MfaDialog.tsx';
import { PasswordDialog } from './PasswordDialog.tsx';
import type { Detail } from './types.ts';

type Open = 'account' | 'password' | 'email' | 'merge' | MfaAction | null;

function Row({
  title,
  children,
  hint,
  actions,
}: {
  title: string;
  children: ReactNode;
  hint: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="self-row">
      <div className="self-row-title">{title}</div>
      <div className="self-row-text">
        <b>{children}</b>
        <span className="text3">{hint}</span>
      </div>
      {actions}
    </div>
  );
}

/** What the changes of this tab make old. */
function refresh(): void {
  for (const endpoint of [userDetail, userInfo, mfaStatus, mergeState, listDevices]) {
    void queryClient.invalidateQueries({ queryKey: cacheKey(endpoint) });
  }
}

function Mfa({ onOpen }: { onOpen: (action: MfaAction) => void }) {
  const { data } = useCall(mfaStatus, {});
  const enabled = data?.enabled ?? false;
  const hint = enabled ? (
    <>
      <When at={data?.since} /> 启用 · 剩余恢复码 {data?.recoveryLeft} 个
    </>
  ) : (
    '登录时除密码外再输入手机应用上的6位数字'
  );
  return (
    <Row
      title="动态验证码"
      hint={hint}
      actions={
        enabled ? (
          <>
            <Button size="small" onClick={() => onOpen('renew')}>
              恢复码
            </Button>
            {!data?.required && (
              <Button size="small" onClick={() => onOpen('disable')}>
                停用
              </Button>
            )}
          </>
        ) : (
          <Button size="small" onClick={() => onOpen('enable')}>
            启用
          </Button>
        )
      }
    >
      {enabled ? '已启用' : '未启用'}
    </Row>
  );
}

/** The way into another company, for owners. */
function Merge({ state, onOpen }: { state: Reply<typeof mergeState> | undefined; onOpen: () => void }) {
  const moving = state?.state === 'queued' || state?.state === 'running';
  const hint =
    state?.state === 'failed' ? `上次迁移失败：${state.error ?? ''}` : '把本公司全部数据迁入另一家公司，不可撤销';
  return (
    <Row
      title="账号迁移"
      hint={hint}
      actions={
        <Button size="small" danger onClick={onOpen}>
          {moving ? '查看进度' : '迁移'}
        </Button>
      }
    >
      {MERGE_STATES[state?.state ?? 'none']}
    </Row>
  );
}

/** 账号安全: account, password, e-mail, expiry, second factor, move to another company, devices. */
export function SafetyTab({ user }: { user: Detail }) {
  const [open, setOpen] = useState<Open>(null);
  const owner = user.usertype === 'owner';
  const { data: merge } = useCall(mergeState, {}, { enabled: owner });
  const close = () => {
    setOpen(null);
    refresh();
  };
  return (
    <>
      <div className="self-list">
        <Row
          title="账户"
          hint="用于登录的手机号或邮箱"
          actions={
            <Button size="small" onClick={() => setOpen('account')}>
              更换
            </Button>
          }
        >
          {user.account}
        </Row>
        <Row
          title="密码"
          hint={
            <>
              上次修改 <When at={user.passwordChangedAt} />
            </>
          }
          actions={
            <Button size="small" onClick={() => setOpen('password')}>
              修改
            </Button>
          }
        >
          ••••••••
        </Row>
        <Row
          title="邮箱"
          hint={user.emailVerified ? '已激活' : '未激活，无法接收邮件通知'}
          actions={
            <Button size="small" onClick={() => setOpen('email')}>
              {user.emailVerified ? '更换' : '激活'}
            </Button>
          }
        >
          {user.email ?? '未填写'}
        </Row>
        <Row title="到期时间" hint="到期后无法登录，数据保留">
          {user.expireDate ? <DayText day={user.expireDate} /> : '长期有效'}
        </Row>
        <Mfa onOpen={setOpen} />
        {owner && <Merge state={merge} onOpen={() => setOpen('merge')} />}
      </div>
      <Devices />
      {open === 'account' && <AccountDialog account={user.account} onClose={close} />}
      {open === 'password' && <PasswordDialog account={user.account} onClose={close} />}
      {open === 'email' && <EmailDialog email={user.email} onClose={close} />}
      {open === 'merge' && (
        <MergeDialog user={user} moving={merge?.state === 'queued' || merge?.state === 'running'} onClose={close} />
      )}
      {(open === 'enable' || open === 'disable' || open === 'renew') && <MfaDialog action={open} onClose={close} />}
    </>
  );
}
