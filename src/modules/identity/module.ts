import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { scopeDimensions } from '#kit/server/scope.ts';
import { PermissionRow } from './contract/menu-editor.ts';
import { ClientRow, CustomerRow } from './contract/operator.ts';
import { OutboxRow } from './contract/outbox.ts';
import { LoginLogRow, OnlineRow } from './contract/security.ts';
import { SubUserRow } from './contract/sub-users.ts';
import { purgeCodes, purgeCron } from './server/codes/purge.ts';
import { mergeTask } from './server/merge/task.ts';
import { ownerDimension } from './server/organisation/owner-dimension.ts';
import { expiredCron, expiredJob } from './server/organisation/people/expired.ts';
import { handovers, ledDepartments } from './server/organisation/people/handover.ts';
import { menu, operatorPermissions, permissions } from './server/rights.ts';
import { routes } from './server/routes.ts';
import { purgeLogins, purgeLoginsCron } from './server/security/retention.ts';
import { eraseJob } from './server/self/closure.ts';

export default defineModule({
  name: 'identity',
  title: '身份',
  needs: [],
  permissions,
  operatorPermissions,
  menu,
  objects: {
    'identity.bind': '账号绑定',
    'identity.login_log': '登录日志',
    'identity.sso': '单点登录',
    'identity.wechat': '微信绑定',
    'identity.member': '账号',
    'identity.role': '角色',
    'identity.department': '部门',
    'identity.company': '公司',
    'identity.session': '登录会话',
    'identity.security_policy': '安全设置',
    'identity.menu_overlay': '菜单',
    'identity.oauth_client': '客户端',
    'identity.mfa': '动态验证码',
    'identity.outbox': '发件箱消息',
  },
  routes,
  lists: {
    'identity/users': SubUserRow,
    'identity/customers': CustomerRow,
    'identity/clients': ClientRow,
    'identity/outbox': OutboxRow,
    'identity/permissions': PermissionRow,
    'identity/online': OnlineRow,
    'identity/loginlog': LoginLogRow,
  },
  extensions: [extend(scopeDimensions, ownerDimension), extend(handovers, ledDepartments)],
  jobs: [eraseJob, expiredJob, purgeCodes, purgeLogins],
  tasks: [mergeTask],
  crons: [{ pattern: '20 18 * * *', job: 'identity.erase' }, expiredCron, purgeCron, purgeLoginsCron],
});
