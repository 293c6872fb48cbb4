import { Button, Input, Modal, Progress, Result, Steps } from 'antd';
import { useState } from 'react';
import { ApiError, cacheKey, call, queryClient, useCall } from '#kit/web/api/index.ts';
import { MERGE_WARNING, mergeAccount, mergeState } from '../../contract/merge.ts';
import { mfaStatus } from '../../contract/mfa.ts';
import { Line } from './Line.tsx';
import { SelfCode } from './SelfCode.tsx';
import type { Detail } from './types.ts';
import { useStep } from './use-step.ts';

interface Conflict {
  title: string;
  value: string;
}

const EMPTY = { account: '', targetPassword: '', targetMfa: '', password: '', key: '', code: '', mfa: '', company: '' };
type Form = typeof EMPTY;

/** Milliseconds between two looks at a move that is under way. */
const LOOK_EVERY = 1500;

function conflictsIn(error: unknown): Conflict[] {
  const data = error instanceof ApiError ? (error.data as { conflicts?: Conflict[] } | null) : null;
  return data?.conflicts ?? [];
}

/** The first thing missing, in the order of the form. */
function problemOf(form: Form, user: Detail): string | undefined {
  if (!form.account.trim()) return '请输入目标账号';
  if (!form.targetPassword) return '请输入目标账号密码';
  if (!form.password) return '请输入当前账号密码';
  if (!form.key) return '请先获取验证码';
  if (form.code.length < 6) return '验证码不能为空';
  return form.company === user.company ? undefined : '请输入公司名称以确认迁移';
}

function Terms({ user }: { user: Detail }) {
  return (
    <div className="self-merge-terms">
      <div className="note is-danger" role="alert">
        {MERGE_WARNING}
      </div>
      <ul>
        <li>「{user.company}」的店铺、商品、订单、财务、文件与全部账号迁入目标账号所在的公司。</li>
        <li>目标账号必须是其公司的主账号；迁移后您与同事成为该公司的子账号，登录账号和密码不变。</li>
        <li>重名的角色、部门、店铺会加上「（{user.company}）」；汇率、字典、节假日、安全设置以目标公司为准。</li>
        <li>两家公司有相同的卖家账号或商品SKU时不会迁移，并列出冲突的数据。</li>
        <li>迁移期间两家公司只能查看；任何一步失败都会恢复原状。</li>
        <li>本公司的操作日志连同防篡改封存留在已关闭的公司中，不并入目标公司。</li>
      </ul>
    </div>
  );
}

interface FieldsProps {
  user: Detail;
  form: Form;
  withMfa: boolean;
  onChange: (change: Partial<Form>) => void;
}

function Fields({ user, form, withMfa, onChange }: FieldsProps) {
  const text = (key: keyof Form) => ({
    id: `merge-${key}`,
    value: form[key],
    onChange: (event: { target: { value: string } }) => onChange({ [key]: event.target.value }),
  });
  return (
    <>
      <div className="self-merge-pair">
        <Line id="merge-account" title="目标账号" hint="目标公司主账号的手机号或邮箱">
          <Input {...text('account')} autoComplete="off" />
        </Line>
        <Line id="merge-targetPassword" title="目标账号密码">
          <Input.Password {...text('targetPassword')} autoComplete="new-password" />
        </Line>
      </div>
      <Line id="merge-targetMfa" title="目标账号动态验证码" hint="目标账号已启用动态验证码时填写">
        <Input {...text('targetMfa')} autoComplete="off" maxLength={20} />
      </Line>
      <div className="self-merge-pair">
        <Line id="merge-password" title="当前账号密码">
          <Input.Password {...text('password')} autoComplete="current-password" />
        </Line>
        <Line id="merge-code" title="验证码" hint={`将发送到 ${user.account}`}>
          <SelfCode
            id="merge-code"
            purpose="mergeaccount"
            value={form.code}
            onChange={(code) => onChange({ code })}
            onKey={(key) => onChange({ key })}
          />
        </Line>
      </div>
      {withMfa && (
        <Line id="merge-mfa" title="当前账号动态验证码">
          <Input {...text('mfa')} autoComplete="one-time-code" maxLength={20} />
        </Line>
      )}
      <Line id="merge-company" title="公司名称" hint={`请输入「${user.company}」以确认`}>
        <Input {...text('company')} autoComplete="off" />
      </Line>
    </>
  );
}

function Conflicts({ rows }: { rows: readonly Conflict[] }) {
  return (
    <div className="line-table self-merge-conflicts">
      <table aria-label="冲突的数据">
        <thead>
          <tr>
            <th>数据</th>
            <th>两家公司都有</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, value }) => (
            <tr key={`${title} ${value}`}>
              <td>{title}</td>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Looks until the session ends: the log-in page then says what happened. A failure is said here. */
function Moving() {
  const { data } = useCall(mergeState, {}, { every: LOOK_EVERY });
  if (data?.state === 'failed') return <Result status="error" title="迁移失败，数据未变动" subTitle={data.error} />;
  return (
    <div className="self-merge-moving" aria-busy="true">
      <Progress percent={100} status="active" showInfo={false} />
      <b>{data?.state === 'queued' ? '等待迁移' : '迁移中'}</b>
      <span className="text3">两家公司暂时只能查看。完成后将退出登录，请用原账号和密码重新登录。</span>
    </div>
  );
}

/** 账号迁移: what it means, who it is, and how far it is. */
export function MergeDialog({ user, moving, onClose }: { user: Detail; moving: boolean; onClose: () => void }) {
  const [step, setStep] = useState(moving ? 2 : 0);
  const [form, setForm] = useState(EMPTY);
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const { data: mfa } = useCall(mfaStatus, {});
  const { busy, error, setError, run } = useStep();

  const submit = () => {
    const problem = problemOf(form, user);
    if (problem) return setError(problem);
    return void run(async () => {
      setConflicts([]);
      const { targetMfa, mfa: own, ...rest } = form;
      const body = { ...rest, ...(targetMfa ? { targetMfa } : {}), ...(own ? { mfa: own } : {}) };
      try {
        await call(mergeAccount, { body }, { quiet: true });
      } catch (failure) {
        setConflicts(conflictsIn(failure));
        throw failure;
      }
      void queryClient.invalidateQueries({ queryKey: cacheKey(mergeState) });
      setStep(2);
    });
  };
  const listed = conflicts.length > 0;
  const ways = [
    <Button key="cancel" onClick={onClose}>
      {step === 2 ? '关闭' : '取消'}
    </Button>,
    step === 0 && (
      <Button key="next" type="primary" danger onClick={() => setStep(1)}>
        我已了解，继续
      </Button>
    ),
    step === 1 && (
      <Button key="go" type="primary" danger loading={busy} onClick={submit}>
        确认迁移
      </Button>
    ),
  ];
  return (
    <Modal title="账号迁移" open width={600} footer={ways} onCancel={onClose}>
      <Steps
        className="self-steps"
        size="small"
        current={step}
        items={[{ title: '迁移须知' }, { title: '身份验证' }, { title: '迁移' }]}
      />
      {step === 0 && <Terms user={user} />}
      {step === 1 && (
        <Fields
          user={user}
          form={form}
          withMfa={mfa?.enabled ?? false}
          onChange={(change) => setForm((known) => ({ ...known, ...change }))}
        />
      )}
      {step === 2 && <Moving />}
      <div className="self-error" role="alert">
        {listed ? '两家公司存在冲突的数据，无法迁移，请处理后重试：' : error}
      </div>
      {listed && <Conflicts rows={conflicts} />}
    </Modal>
  );
}
