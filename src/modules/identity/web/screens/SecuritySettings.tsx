import { Button, Select } from 'antd';
import { useEffect } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { When } from '#kit/web/cells/index.ts';
import { SchemaForm, useForm } from '#kit/web/form/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { getSecurity, SecuritySettings as Settings, saveSecurity } from '../../contract/security.ts';

const PROFILE_HELP: Record<string, string> = {
  standard: '8-30位，数字、小写、大写、特殊符号中至少三种',
  amazonDpp: '至少12位、四种字符、不含姓名，365天更换',
};

function Networks({ id, value, disabled, invalid, onChange }: NetworksProps) {
  return (
    <Select
      id={id}
      mode="tags"
      style={{ width: '100%' }}
      open={false}
      suffixIcon={null}
      tokenSeparators={[' ', ',', '，', ';', '；', '\n']}
      placeholder="不限制；例如 203.0.113.0/24"
      value={Array.isArray(value) ? value.map(String) : []}
      disabled={disabled}
      status={invalid ? 'error' : ''}
      onChange={onChange}
    />
  );
}

interface NetworksProps {
  id: string;
  value: unknown;
  disabled: boolean;
  invalid: boolean;
  onChange: (value: unknown) => void;
}

/** 安全设置: what the company asks of its people's log-ins. */
export default function SecuritySettings() {
  const mayEdit = useAllowed('sys:security:edit');
  const security = useCall(getSecurity, {});
  const form = useForm(Settings, {});
  const { reset } = form;
  const data = security.data;
  useEffect(() => {
    if (!data) return;
    const { mfaRequired, passwordProfile, idleMinutes, maxSessions, ipAllow } = data;
    reset({ mfaRequired, passwordProfile, idleMinutes, maxSessions, ipAllow });
  }, [data, reset]);
  const send = useSend(saveSecurity, {
    quiet: true,
    refreshes: [getSecurity],
    onSuccess: () => notice.success('安全设置已保存，立即生效'),
  });
  const save = () => {
    const body = form.check();
    if (!body) return;
    send.mutate({ body }, { onError: (error) => void (form.refuse(error) || notice.error(error.message)) });
  };
  if (security.isError) return <ErrorState error={security.error} onRetry={() => void security.refetch()} />;
  const disabled = !mayEdit;
  const addMine = () => {
    const known = Array.isArray(form.values.ipAllow) ? form.values.ipAllow : [];
    if (data?.ip && !known.includes(data.ip)) form.set('ipAllow', [...known, data.ip]);
  };
  return (
    <div className="page-list">
      <ListHead title="安全设置">
        {data?.updatedAt && (
          <span className="label">
            {data.updatedByName} 修改于 <When at={data.updatedAt} />
          </span>
        )}
        {mayEdit && (
          <>
            <Button disabled={!form.dirty} onClick={form.abandon}>
              放弃
            </Button>
            <Button type="primary" disabled={!form.dirty} loading={send.isPending} onClick={save}>
              保存
            </Button>
          </>
        )}
      </ListHead>
      {data && (
        <div style={{ maxWidth: 880, padding: '20px 24px', overflow: 'auto' }}>
          <SchemaForm
            form={form}
            columns={2}
            fields={{
              mfaRequired: {
                disabled,
                help:
                  data.withoutMfa > 0
                    ? `${data.withoutMfa} 个账号还没有设置，开启后下次登录时设置`
                    : '所有账号都已设置',
              },
              passwordProfile: { disabled, help: PROFILE_HELP[String(form.values.passwordProfile)] ?? '' },
              idleMinutes: { disabled, help: '分钟，这么久没有操作就退出登录' },
              maxSessions: { disabled, help: '同一账号超出后，最早的会话退出' },
              ipAllow: {
                span: 2,
                render: (props) => <Networks {...props} disabled={disabled} />,
                help: (
                  <>
                    留空不限制；您当前的 IP 地址是 <span className="code">{data.ip}</span>
                    {mayEdit && (
                      <button type="button" className="link" style={{ marginLeft: 8 }} onClick={addMine}>
                        加入名单
                      </button>
                    )}
                  </>
                ),
              },
            }}
          />
        </div>
      )}
    </div>
  );
}
