import '../organisation/organisation.css';
import { Button, Modal } from 'antd';
import { useMemo, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, queryClient, useCall, useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ImportDialog } from '#kit/web/import/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, useAllowed, usePermissions } from '#kit/web/session.ts';
import { departmentOptions } from '../../contract/departments.ts';
import {
  countSubUsers,
  disableSubUsers,
  enableSubUsers,
  exportSubUsers,
  forceOff,
  listSubUsers,
  removeSubUsers,
  resetPassword,
  roleChoices,
  SubUserFilter,
  SubUserRow,
} from '../../contract/sub-users.ts';
import { HandoverDialog } from '../organisation/HandoverDialog.tsx';
import { check, commit, template, type UserCheck } from '../organisation/import.ts';
import { PersonDrawer } from '../organisation/PersonDrawer.tsx';
import { SecretDialog, type SecretLine } from '../organisation/SecretDialog.tsx';

const LISTS = [listSubUsers, countSubUsers];

const refresh = () => {
  for (const each of LISTS) void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
};

function useActions(show: (lines: SecretLine[]) => void) {
  const permissions = usePermissions();
  const enable = useSend(enableSubUsers, { refreshes: LISTS, onSuccess: () => notice.success('已启用') });
  const disable = useSend(disableSubUsers, { refreshes: LISTS, onSuccess: () => notice.success('已停用并下线') });
  const remove = useSend(removeSubUsers, {
    refreshes: LISTS,
    onSuccess: () => notice.success('已删除，登录账号可重新使用'),
  });
  const off = useSend(forceOff, {
    refreshes: LISTS,
    onSuccess: ({ sessions }) => notice.success(sessions > 0 ? `已下线 ${sessions} 个会话` : '该账号没有登录中的会话'),
  });
  const reset = useSend(resetPassword, { refreshes: LISTS });
  const ask = (title: string, content: string, okText: string, onOk: () => Promise<unknown>) =>
    Modal.confirm({ title, content, okText, okButtonProps: { danger: true }, onOk });
  const may = (code: string) => allows(permissions, code);
  return {
    may,
    enable: (rows: readonly SubUserRow[]) => enable.mutate({ params: { ids: idsOf(rows) } }),
    disable: (rows: readonly SubUserRow[]) =>
      ask(`停用 ${namesOf(rows)}`, '停用后立即下线，不能登录；数据与权限设置保留，可随时启用。', '停用', () =>
        disable.mutateAsync({ params: { ids: idsOf(rows) } }),
      ),
    remove: (rows: readonly SubUserRow[]) =>
      ask(`删除 ${namesOf(rows)}`, '删除后不能恢复，登录账号可被重新使用；历史单据中仍显示其姓名。', '删除', () =>
        remove.mutateAsync({ params: { ids: idsOf(rows) } }),
      ),
    off: (row: SubUserRow) => off.mutate({ params: { ids: row.id } }),
    reset: (row: SubUserRow) =>
      ask(
        `重置 ${row.name} 的密码`,
        '生成一次性显示的新密码，原密码立即失效，已登录的设备全部下线。',
        '重置密码',
        async () => {
          const made = await reset.mutateAsync({ params: { id: row.id } });
          show([
            { label: '登录账号', value: row.account },
            { label: '新密码', value: made.password ?? '' },
          ]);
        },
      ),
  };
}

const idsOf = (rows: readonly SubUserRow[]) => rows.map((row) => row.id).join(',');
const namesOf = (rows: readonly SubUserRow[]) =>
  rows.length > 3 ? `${rows.length} 个子账号` : rows.map((row) => row.name).join('、');
const notOwner = (row: SubUserRow) => (row.userType === 'owner' ? '主账号' : undefined);

/** 子账号: the people of the company, what they may do and reach. */
export default function SubUsers() {
  const [person, setPerson] = useState<string>();
  const [leaver, setLeaver] = useState<SubUserRow>();
  const [importing, setImporting] = useState(false);
  const [secret, setSecret] = useState<SecretLine[]>();
  const acts = useActions(setSecret);
  const mayExport = useAllowed('sys:user:export');
  const roles = useCall(roleChoices, {});
  const depts = useCall(departmentOptions, {});
  const options = useMemo(
    () => ({
      roleIds: roles.data?.map((role) => ({ value: role.id, label: role.name })) ?? [],
      deptIds: depts.data?.map((dept) => ({ value: dept.id, label: dept.path })) ?? [],
    }),
    [roles.data, depts.data],
  );
  const actions = (row: SubUserRow): RowAction[] => {
    const blocked = notOwner(row);
    return [
      { label: acts.may('sys:user:edit') ? '编辑' : '查看', onClick: () => setPerson(row.id) },
      ...(acts.may('sys:user:edit')
        ? [
            row.state === 'disabled'
              ? { label: '启用', onClick: () => acts.enable([row]) }
              : { label: '停用', onClick: () => acts.disable([row]), blocked },
            { label: '重置密码', onClick: () => acts.reset(row), blocked },
          ]
        : []),
      ...(acts.may('sys:user:assign')
        ? [
            { label: '强制下线', onClick: () => acts.off(row) },
            { label: '离职交接', onClick: () => setLeaver(row), blocked },
          ]
        : []),
      ...(acts.may('sys:user:delete')
        ? [{ label: '删除', danger: true, onClick: () => acts.remove([row]), blocked }]
        : []),
    ];
  };
  return (
    <>
      <ListScreen
        name="identity/users"
        title="子账号"
        unit="个账号"
        endpoint={listSubUsers}
        {...(mayExport ? { exportEndpoint: exportSubUsers } : {})}
        row={SubUserRow}
        filter={SubUserFilter}
        options={options}
        tabs={{ field: 'state', counts: countSubUsers }}
        density="two"
        actions={actions}
        onOpen={(row) => setPerson(row.id)}
        current={person}
        batch={
          acts.may('sys:user:edit')
            ? [
                {
                  label: '启用',
                  unfit: (row) => (row.state === 'disabled' ? undefined : '未停用'),
                  onClick: acts.enable,
                },
                {
                  label: '停用',
                  unfit: (row) => notOwner(row) ?? (row.state === 'disabled' ? '已停用' : undefined),
                  onClick: acts.disable,
                },
              ]
            : []
        }
        head={
          <>
            <Allowed code="sys:user:import">
              <Button onClick={() => setImporting(true)}>导入</Button>
            </Allowed>
            <Allowed code="sys:user:add">
              <Button type="primary" onClick={() => setPerson('new')}>
                添加子账号
              </Button>
            </Allowed>
          </>
        }
      />
      <PersonDrawer
        id={person}
        onClose={() => setPerson(undefined)}
        onMade={({ account, password }) =>
          setSecret([
            { label: '登录账号', value: account },
            { label: '初始密码', value: password },
          ])
        }
      />
      <HandoverDialog person={leaver} onClose={() => setLeaver(undefined)} />
      <SecretDialog
        title="请记下密码"
        lines={secret}
        note="密码只显示这一次，请通过安全的方式交给本人，首次登录时系统会要求修改。"
        onClose={() => setSecret(undefined)}
      />
      <ImportDialog<UserCheck>
        title="导入子账号"
        open={importing}
        onClose={() => setImporting(false)}
        check={check}
        commit={async (checked) => {
          const made = await commit(checked);
          setSecret(made.map((each) => ({ label: `${each.name} ${each.account}`, value: each.password })));
        }}
        template={template}
        onDone={refresh}
        accept=".xlsx"
      />
    </>
  );
}
