import type { ModuleDef } from '#kit/server/module.ts';

/** Codes of the module's own calls and screens. */
export const permissions = {
  'sys:user:view': '查看子账号',
  'sys:user:add': '新增子账号',
  'sys:user:edit': '修改、启停子账号与重置密码',
  'sys:user:delete': '删除子账号',
  'sys:user:assign': '强制下线与离职交接',
  'sys:user:import': '导入子账号',
  'sys:user:export': '导出子账号',
  'sys:role:view': '查看角色权限',
  'sys:role:add': '新增与复制角色',
  'sys:role:edit': '修改角色权限',
  'sys:role:delete': '删除角色',
  'sys:dept:view': '查看部门',
  'sys:dept:add': '新增部门',
  'sys:dept:edit': '修改与移动部门',
  'sys:dept:delete': '删除部门',
};

/** Codes that the operator of the product alone holds. */
export const operatorPermissions = {
  'sys:menu:view': '查看菜单与权限',
  'sys:menu:add': '新增目录与外链',
  'sys:menu:edit': '修改菜单',
  'sys:menu:delete': '删除与恢复菜单',
  'sys:customer:view': '查看客户',
  'sys:customer:edit': '修改与停用客户',
  'sys:client:view': '查看客户端',
  'sys:client:add': '新增客户端',
  'sys:client:edit': '修改客户端与轮换密钥',
  'sys:client:delete': '删除客户端',
  'sys:outbox:view': '查看发件箱',
  'sys:sso:view': '查看单点登录域名',
  'sys:sso:add': '新增单点登录域名',
  'sys:sso:delete': '删除单点登录域名',
};

const screen = (title: string, path: string, component: string, permission: string, sort: number) => ({
  title,
  path,
  component: `identity/${component}`,
  permission,
  sort,
});

export const menu: NonNullable<ModuleDef['menu']> = {
  system: [
    {
      title: '组织',
      sort: 10,
      children: [
        screen('子账号', '/sys/subuser', 'SubUsers', 'sys:user:view', 10),
        screen('角色权限', '/sys/ruleAuth', 'RoleRights', 'sys:role:view', 20),
        screen('部门', '/sys/dept', 'Departments', 'sys:dept:view', 30),
      ],
    },
    {
      title: '平台运营',
      sort: 90,
      children: [
        screen('客户', '/sys/customer', 'Customers', 'sys:customer:view', 10),
        screen('客户端', '/sys/client', 'Clients', 'sys:client:view', 20),
        screen('菜单与权限', '/sys/menu', 'MenuEditor', 'sys:menu:view', 30),
        screen('发件箱', '/sys/outbox', 'Outbox', 'sys:outbox:view', 40),
      ],
    },
  ],
};
