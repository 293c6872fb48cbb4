import { Button, Checkbox, DatePicker, Input, Select } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { cacheKey, queryClient, useCall, useSend } from '#kit/web/api/index.ts';
import { Tag, When } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { type FieldSetting, SchemaForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { departmentOptions } from '../../contract/departments.ts';
import { type Dimension, listDimensions, type ScopeGrant } from '../../contract/roles.ts';
import { countSubUsers, forceOff, listSubUsers, roleChoices, subUserDetail } from '../../contract/sub-users.ts';
import { ExplainPanel } from './ExplainPanel.tsx';
import { ScopePicker } from './ScopePicker.tsx';
import { type Detail, usePerson } from './use-person.ts';

interface Props {
  /** Id of the person, 'new' for another one; undefined: closed. */
  id: string | undefined;
  onClose: () => void;
  onMade: (made: { account: string; password: string }) => void;
}

type Editor = ReturnType<typeof usePerson>;

/** A long text that stands on one line all the same. */
function line(placeholder: string) {
  return ({ id, value, onChange, invalid }: Parameters<NonNullable<FieldSetting['render']>>[0]) => (
    <Input
      id={id}
      maxLength={254}
      placeholder={placeholder}
      value={(value as string | undefined) ?? ''}
      status={invalid ? 'error' : ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Facts({ editor, owner }: { editor: Editor; owner: boolean }) {
  const depts = useCall(departmentOptions, {});
  return (
    <div className="drawer-section">
      <SchemaForm
        form={editor.form}
        columns={2}
        fields={{
          account: { help: '用于登录，全平台唯一', render: line('手机号或邮箱') },
          email: { render: line('') },
          deptId: {
            render: ({ id, value, onChange }) => (
              <Select
                id={id}
                allowClear
                showSearch={{ optionFilterProp: 'label' }}
                placeholder="不属于任何部门"
                style={{ width: '100%' }}
                value={(value as string | null | undefined) ?? null}
                onChange={(next) => onChange(next ?? undefined)}
                options={(depts.data ?? []).map((dept) => ({ value: dept.id, label: dept.path }))}
              />
            ),
          },
          expireDate: {
            help: owner ? '主账号一般不设到期时间' : '留空：长期有效；到期后不能登录，数据保留',
            render: ({ id, value, onChange }) => (
              <DatePicker
                id={id}
                style={{ width: '100%' }}
                value={value ? dayjs(String(value)) : null}
                onChange={(day) => onChange(day ? day.format('YYYY-MM-DD') : undefined)}
              />
            ),
          },
          remark: { span: 2 },
        }}
      />
    </div>
  );
}

function Roles({ editor, blocked }: { editor: Editor; blocked: string | undefined }) {
  const { data, isError, error, refetch } = useCall(roleChoices, {});
  if (blocked) return <div className="line-table-none">{blocked}</div>;
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.length === 0) return <div className="line-table-none">还没有角色，请先在「角色权限」中新增</div>;
  return (
    <div>
      {data?.map((role) => {
        const on = editor.roleIds.includes(role.id);
        return (
          <div className="role-choice" key={role.id}>
            <Checkbox
              checked={on}
              disabled={!role.grantable && !on}
              onChange={() =>
                editor.setRoleIds(on ? editor.roleIds.filter((each) => each !== role.id) : [...editor.roleIds, role.id])
              }
            >
              {role.name}
            </Checkbox>
            <span className="text3 ellipsis">{role.description}</span>
            <span className="spring" />
            {!role.grantable && <span className="text3">含您没有的权限，不能分配</span>}
          </div>
        );
      })}
    </div>
  );
}

function Scope({ dimension, editor, detail }: { dimension: Dimension; editor: Editor; detail: Detail | undefined }) {
  const value: ScopeGrant = editor.scopes.find((each) => each.dimension === dimension.name) ?? {
    dimension: dimension.name,
    mode: 'ALL',
    ids: [],
  };
  const now = detail?.byRoles.find((each) => each.dimension === dimension.name)?.text;
  return (
    <div className="drawer-section">
      <ScopePicker
        dimension={dimension}
        value={value}
        allText="不另外限制（以角色为准）"
        onChange={(next) =>
          editor.setScopes([...editor.scopes.filter((each) => each.dimension !== dimension.name), next])
        }
        note={<p style={{ marginTop: 8 }}>最终范围 = 角色的范围 ∩ 这里的设置{now ? `；当前：${now}` : ''}</p>}
      />
    </div>
  );
}

function Sessions({ detail, onOff }: { detail: Detail; onOff: () => void }) {
  const may = useAllowed('sys:user:assign');
  return (
    <div className="line-table is-dense">
      <table aria-label="登录设备">
        <thead>
          <tr>
            <th>设备</th>
            <th>IP</th>
            <th>登录时间</th>
            <th>最后活动</th>
          </tr>
        </thead>
        <tbody>
          {detail.sessions.map((session) => (
            <tr key={session.id}>
              <td>{session.device}</td>
              <td className="code">{session.ip ?? '—'}</td>
              <td>
                <When at={session.loginAt} />
              </td>
              <td>
                <When at={session.seenAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {detail.sessions.length === 0 && <div className="line-table-none">现在没有登录</div>}
      {may && detail.sessions.length > 0 && (
        <div className="drawer-section">
          <Button danger size="small" onClick={onOff}>
            强制下线全部 {detail.sessions.length} 个会话
          </Button>
        </div>
      )}
    </div>
  );
}

const STATES = { active: ['done', '正常'], expired: ['waiting', '过期'], disabled: ['off', '停用'] } as const;

/** One sub-user: data, roles, each dimension of data rights, devices, and why he can or cannot see something. */
export function PersonDrawer({ id, onClose, onMade }: Props) {
  const fresh = id === 'new';
  const [tab, setTab] = useState('facts');
  const open = id !== undefined;
  const { data, isError, error, refetch } = useCall(
    subUserDetail,
    { params: { id: id ?? '' } },
    { enabled: open && !fresh, staleTime: 0 },
  );
  const detail = fresh ? undefined : data;
  const dimensions = useCall(listDimensions, {}, { enabled: open });
  const mayExplain = useAllowed('sys:role:view');
  const maySave = useAllowed(fresh ? 'sys:user:add' : 'sys:user:edit');
  const close = () => {
    setTab('facts');
    onClose();
  };
  const refresh = () => {
    for (const each of [listSubUsers, countSubUsers, subUserDetail]) {
      void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
    }
  };
  const editor = usePerson(detail, (made) => {
    refresh();
    close();
    if (made) onMade(made);
  });
  const off = useSend(forceOff, {
    refreshes: [subUserDetail, listSubUsers],
    onSuccess: ({ sessions }) => notice.success(`已下线 ${sessions} 个会话`),
  });
  const owner = detail?.userType === 'owner';
  const tabs = [
    { key: 'facts', title: '资料' },
    { key: 'roles', title: '角色', count: editor.roleIds.length },
    ...(owner ? [] : (dimensions.data ?? []).map((each) => ({ key: `scope:${each.name}`, title: each.title }))),
    ...(detail ? [{ key: 'sessions', title: '登录设备', count: detail.sessions.length }] : []),
    ...(detail && mayExplain ? [{ key: 'explain', title: '权限解释' }] : []),
  ];
  const dimension = dimensions.data?.find((each) => `scope:${each.name}` === tab);
  const state = detail && STATES[detail.state];
  return (
    <DetailDrawer
      open={open}
      onClose={close}
      title={fresh ? '添加子账号' : (detail?.name ?? '')}
      subtitle={detail?.account}
      extra={state && <Tag tone={state[0]} title={state[1]} />}
      tabs={tabs}
      tab={tab}
      onTab={setTab}
      foot={<span className="label">{editor.changed ? '有未保存的修改' : ''}</span>}
      actions={
        <>
          <Button onClick={close}>取消</Button>
          {maySave && (
            <Button
              type="primary"
              loading={editor.busy}
              disabled={!fresh && !editor.changed}
              onClick={() => void editor.save().then((saved) => (saved ? undefined : setTab('facts')))}
            >
              {fresh ? '添加子账号' : '保存'}
            </Button>
          )}
        </>
      }
    >
      {isError && !fresh && <ErrorState error={error} onRetry={() => void refetch()} />}
      <div hidden={tab !== 'facts'}>
        <Facts editor={editor} owner={owner} />
      </div>
      {tab === 'roles' && (
        <Roles editor={editor} blocked={owner ? '主账号拥有全部权限与数据，无需设置角色' : undefined} />
      )}
      {dimension && <Scope dimension={dimension} editor={editor} detail={detail} />}
      {tab === 'sessions' && detail && (
        <Sessions detail={detail} onOff={() => off.mutate({ params: { ids: detail.id } })} />
      )}
      {tab === 'explain' && detail && (
        <ExplainPanel id={detail.id} name={detail.name} dimensions={dimensions.data ?? []} />
      )}
    </DetailDrawer>
  );
}
