import type { ModuleDef } from '#kit/server/module.ts';

/** Codes of the module's own calls and screens. */
export const permissions = {
  'sys:dict:view': '查看数据字典',
  'sys:dict:add': '新增字典与数据项',
  'sys:dict:edit': '修改字典与数据项',
  'sys:dict:delete': '删除字典与数据项',
  'sys:holiday:view': '查看节假日',
  'sys:holiday:add': '生成年度日历',
  'sys:holiday:edit': '修改日期类型',
  'sys:tag:view': '查看标签',
  'sys:tag:add': '新增标签',
  'sys:tag:edit': '修改与合并标签',
  'sys:tag:delete': '删除标签',
  'sys:task:view': '查看任务',
  'sys:task:run': '执行、取消与重试任务',
  'sys:task:config': '设置定时任务',
  'sys:log:view': '查看登录与操作日志',
  'sys:log:export': '导出日志',
  'sys:security:view': '查看安全设置与在线用户',
  'sys:security:edit': '修改安全设置',
  'sys:apidoc:view': '查看接口文档',
  'sys:apidoc:run': '在接口文档中调用接口',
};

/** The operator keeps what is the same for all companies with the same calls. */
export const operatorToo = Object.keys(permissions);

export const operatorPermissions = {
  'sys:platform:view': '查看平台管理',
  'sys:platform:edit': '启用与关闭平台',
};

const screen = (title: string, path: string, component: string, permission: string, sort: number) => ({
  title,
  path,
  component,
  permission,
  sort,
});

export const menu: NonNullable<ModuleDef['menu']> = {
  system: [
    {
      title: '基础设置',
      sort: 20,
      children: [
        screen('数据字典', '/sys/dict', 'system/Dictionaries', 'sys:dict:view', 10),
        screen('节假日', '/sys/holiday', 'system/Holidays', 'sys:holiday:view', 20),
        screen('标签', '/sys/tags', 'system/Tags', 'sys:tag:view', 30),
        screen('任务', '/sys/task', 'system/Tasks', 'sys:task:view', 40),
      ],
    },
    {
      title: '安全与日志',
      sort: 40,
      children: [
        screen('安全设置', '/sys/security', 'identity/SecuritySettings', 'sys:security:view', 10),
        screen('在线用户', '/sys/online', 'identity/OnlineUsers', 'sys:security:view', 20),
        screen('登录日志', '/sys/loginlog', 'identity/LoginLog', 'sys:log:view', 30),
        screen('操作日志', '/sys/operlog', 'system/Operlog', 'sys:log:view', 40),
        screen('接口文档', '/doc/api/index', 'system/ApiDocs', 'sys:apidoc:view', 50),
      ],
    },
    {
      title: '平台运营',
      sort: 90,
      children: [screen('平台管理', '/sys/platform', 'system/Platforms', 'sys:platform:view', 40)],
    },
  ],
};
