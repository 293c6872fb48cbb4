import '../organisation/organisation.css';
import { PlusOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, queryClient, useCall, useSend } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import {
  companyMenuTree,
  listDimensions,
  listRoles,
  previewRole,
  type RoleRow,
  removeRole,
  rolePermissions,
  roleScopes,
  saveDimensions,
} from '../../contract/roles.ts';
import { roleChoices } from '../../contract/sub-users.ts';
import { checkAdminByCompanyId } from '../../contract/users.ts';
import { CompareDialog } from '../organisation/CompareDialog.tsx';
import { MenuPane } from '../organisation/MenuPane.tsx';
import { PreviewDrawer } from '../organisation/PreviewDrawer.tsx';
import { RightsPane } from '../organisation/RightsPane.tsx';
import { RoleDialog, type RoleTask } from '../organisation/RoleDialog.tsx';
import { RoleRail } from '../organisation/RoleRail.tsx';
import { useRole } from '../organisation/use-role.ts';

const STALE = [listRoles, rolePermissions, roleScopes, previewRole, roleChoices];

const refresh = () => {
  for (const each of STALE) void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
};

/** Leaving a role with unsaved changes asks first. */
function guarded(changes: number, go: () => void): void {
  if (changes === 0) go();
  else Modal.confirm({ title: '有未保存的内容，确定离开吗？', okText: '离开', onOk: go });
}

function useSwitches() {
  const admin = useCall(checkAdminByCompanyId, {});
  const dimensions = useCall(listDimensions, {});
  const send = useSend(saveDimensions, {
    refreshes: [listDimensions, roleScopes, previewRole],
    onSuccess: () => notice.success('已更新，全公司几秒内生效'),
  });
  const list = dimensions.data ?? [];
  const put = (name: string, on: boolean) => {
    const names = list.filter((each) => (each.name === name ? on : each.enabled)).map((each) => each.name);
    const title = list.find((each) => each.name === name)?.title ?? '';
    if (on) return send.mutate({ body: { names } });
    Modal.confirm({
      title: `停用「${title}」`,
      content: '停用后全公司任何人都不再受该维度限制，各角色的设置会保留。',
      okText: '停用',
      okButtonProps: { danger: true },
      onOk: () => send.mutateAsync({ body: { names } }),
    });
  };
  return { list, put: admin.data === true ? put : undefined };
}

/** 角色权限: roles at left, the screens that one opens, and its actions, fields and data. */
export default function RoleRights() {
  const [chosen, setChosen] = useState<string>();
  const [focus, setFocus] = useState<string>();
  const [task, setTask] = useState<RoleTask>();
  const [previewing, setPreviewing] = useState<string>();
  const [comparing, setComparing] = useState<string>();
  const roles = useCall(listRoles, {}, { staleTime: 0 });
  const tree = useCall(companyMenuTree, {});
  const switches = useSwitches();
  const mayEdit = useAllowed('sys:role:edit');
  const mayAdd = useAllowed('sys:role:add');
  const mayDelete = useAllowed('sys:role:delete');
  const id = roles.data?.some((role) => role.id === chosen) ? chosen : roles.data?.[0]?.id;
  const role = useRole(id, refresh);
  const remove = useSend(removeRole, { refreshes: STALE, onSuccess: () => notice.success('角色已删除') });
  const current = roles.data?.find((each) => each.id === id);

  const actions = (each: RoleRow) => [
    { key: 'preview', label: '权限预览', onClick: () => setPreviewing(each.id) },
    { key: 'compare', label: '权限对比', onClick: () => setComparing(each.id) },
    ...(mayEdit
      ? [{ key: 'rename', label: '修改名称', onClick: () => setTask({ kind: 'rename' as const, role: each }) }]
      : []),
    ...(mayAdd
      ? [{ key: 'copy', label: '复制新增', onClick: () => setTask({ kind: 'copy' as const, role: each }) }]
      : []),
    ...(mayDelete
      ? [
          {
            key: 'delete',
            label: '删除',
            danger: true,
            disabled: each.members > 0,
            onClick: () =>
              Modal.confirm({
                title: `删除角色「${each.name}」`,
                content: '删除后不能恢复。',
                okText: '删除',
                okButtonProps: { danger: true },
                onOk: () => remove.mutateAsync({ params: { id: each.id } }),
              }),
          },
        ]
      : []),
  ];
  const failed = roles.error ?? tree.error ?? role.error;
  return (
    <div className="page-list">
      <ListHead
        title="角色权限"
        tabs={<span className="label">{current ? `${current.members} 人使用「${current.name}」` : ''}</span>}
      >
        {current && (
          <>
            <Button onClick={() => setPreviewing(current.id)}>权限预览</Button>
            <Button onClick={() => setComparing(current.id)}>权限对比</Button>
          </>
        )}
        <Allowed code="sys:role:add">
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setTask({ kind: 'add' })}>
            添加角色
          </Button>
        </Allowed>
      </ListHead>
      {failed ? (
        <ErrorState
          error={failed}
          onRetry={() => {
            void roles.refetch();
            void tree.refetch();
            role.retry();
          }}
        />
      ) : (
        <div className="org-body">
          <RoleRail
            roles={roles.data ?? []}
            value={id}
            onChange={(next) => guarded(role.changes, () => setChosen(next))}
            actions={actions}
          />
          {roles.data?.length === 0 && (
            <Empty
              title="还没有角色"
              text="角色决定能打开哪些页面、看到哪些字段和哪些店铺；可以从采购、仓库、运营、财务、客服模板开始。"
            />
          )}
          {id !== undefined && tree.data && (
            <>
              <MenuPane
                key={id}
                tree={tree.data}
                held={role.held}
                disabled={!mayEdit || role.loading}
                focus={focus}
                onFocus={setFocus}
                onHeld={role.setHeld}
              />
              <RightsPane
                tree={tree.data}
                held={role.held}
                onHeld={role.setHeld}
                scopes={role.scopes}
                onScopes={role.setScopes}
                dimensions={switches.list}
                onSwitch={switches.put}
                disabled={!mayEdit || role.loading}
                focus={focus}
              />
            </>
          )}
        </div>
      )}
      {mayEdit && id !== undefined && (
        <div className="org-foot">
          <span className="label">
            {role.changes > 0
              ? `${role.changes} 处未保存；保存后 ${current?.members ?? 0} 人的权限几秒内改变`
              : '勾选后保存；不能授予本人没有的权限'}
          </span>
          <span className="spring" />
          <Button disabled={role.changes === 0} onClick={role.abandon}>
            放弃
          </Button>
          <Button
            data-save
            type="primary"
            disabled={role.changes === 0}
            loading={role.busy}
            onClick={() => void role.save()}
          >
            保存权限
          </Button>
        </div>
      )}
      <RoleDialog
        task={task}
        onClose={() => setTask(undefined)}
        onDone={(made) => {
          refresh();
          setChosen(made);
        }}
      />
      <PreviewDrawer id={previewing} onClose={() => setPreviewing(undefined)} />
      <CompareDialog
        roles={roles.data ?? []}
        tree={tree.data ?? []}
        first={comparing}
        onClose={() => setComparing(undefined)}
      />
    </div>
  );
}
