import '../organisation/organisation.css';
import { PlusOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import { ListHead, ListScreen } from '#kit/web/list/index.ts';
import {
  listMenus,
  menuTreeSelect,
  PermissionFilter,
  PermissionRow,
  pagePermissions,
} from '../../contract/menu-editor.ts';
import { MenuDialog, type MenuTask } from '../operator/MenuDialog.tsx';
import { MenuTable } from '../operator/MenuTable.tsx';

/** 菜单与权限 (operator): the menu of all companies, and what each call of the product asks for. */
export default function MenuEditor() {
  const [list, setList] = useState(false);
  const [task, setTask] = useState<MenuTask>();
  const parents = useCall(menuTreeSelect, {});
  const refresh = () => {
    for (const each of [listMenus, menuTreeSelect]) void queryClient.invalidateQueries({ queryKey: cacheKey(each) });
  };
  const views = (
    <Segmented
      value={list ? 'permissions' : 'menu'}
      options={[
        { value: 'menu', label: '菜单' },
        { value: 'permissions', label: '权限' },
      ]}
      onChange={(view) => setList(view === 'permissions')}
    />
  );
  if (list) {
    return (
      <ListScreen
        name="identity/permissions"
        title="菜单与权限"
        unit="个接口"
        endpoint={pagePermissions}
        row={PermissionRow}
        filter={PermissionFilter}
        density="dense"
        head={views}
      />
    );
  }
  return (
    <div className="page-list">
      <ListHead title="菜单与权限">
        {views}
        <Allowed code="sys:menu:add">
          <Button
            type="primary"
            icon={<PlusOutlined />}
            onClick={() => setTask({ kind: 'add', parent: parents.data?.[0]?.value ?? '' })}
          >
            新增外链或目录
          </Button>
        </Allowed>
      </ListHead>
      <MenuTable onTask={setTask} />
      <MenuDialog task={task} parents={parents.data ?? []} onClose={() => setTask(undefined)} onDone={refresh} />
    </div>
  );
}
