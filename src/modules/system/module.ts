import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { handovers, messageEvents } from '#modules/identity/server/index.ts';
import { JobRow } from './contract/jobs.ts';
import { OperlogRow } from './contract/operlog.ts';
import { ScheduleRow } from './contract/schedules.ts';
import { calendarRoutes } from './server/calendar/routes.ts';
import { dictionaryRoutes } from './server/dictionaries/routes.ts';
import { favouriteRoutes } from './server/favourites.ts';
import { systemMoves } from './server/moves.ts';
import { retentionHandler } from './server/operlog/retention.ts';
import { operlogRoutes } from './server/operlog/routes.ts';
import { auditBroken } from './server/operlog/seal.ts';
import { sealHandler, verifyTask } from './server/operlog/verify-task.ts';
import { platformRoutes } from './server/platforms/platforms.ts';
import { queryFieldRoutes } from './server/query-field-routes.ts';
import { menu, operatorPermissions, operatorToo, permissions } from './server/rights.ts';
import { searchRoutes } from './server/search.ts';
import { shellRoutes } from './server/shell.ts';
import { tagRoutes } from './server/tags/routes.ts';
import { taskHandover } from './server/task-handover.ts';
import { schedules } from './server/tasks/handlers.ts';
import { purgeFilesHandler, purgeHandler } from './server/tasks/purge.ts';
import { workRoutes } from './server/tasks/routes.ts';
import { fireJob, tickJob } from './server/tasks/tick.ts';
import { viewRoutes } from './server/view-routes.ts';

export default defineModule({
  name: 'system',
  title: '系统',
  needs: ['identity'],
  permissions,
  operatorPermissions,
  operatorToo,
  menu,
  objects: {
    'system.dict': '数据字典',
    'system.dict_item': '数据项',
    'system.holiday': '节假日',
    'system.tag': '标签',
    'system.tag_group': '标签组',
    'system.schedule': '定时任务',
    'system.platform': '平台',
    'system.query_version': '列方案',
    'system.list_view': '列表视图',
    'kit.audit': '操作日志',
  },
  routes: [
    ...queryFieldRoutes,
    ...viewRoutes,
    ...dictionaryRoutes,
    ...calendarRoutes,
    ...tagRoutes,
    ...workRoutes,
    ...operlogRoutes,
    ...platformRoutes,
    ...favouriteRoutes,
    ...searchRoutes,
    ...shellRoutes,
  ],
  lists: { 'system/schedules': ScheduleRow, 'system/jobs': JobRow, 'system/operlog': OperlogRow },
  extensions: [
    ...systemMoves,
    extend(handovers, taskHandover),
    extend(schedules, sealHandler),
    extend(schedules, purgeHandler),
    extend(schedules, purgeFilesHandler),
    extend(schedules, retentionHandler),
    extend(messageEvents, {
      event: auditBroken.name,
      title: '操作日志被改动',
      group: '系统',
      channels: ['site', 'email'],
    }),
  ],
  tasks: [verifyTask],
  jobs: [tickJob, fireJob],
  crons: [{ pattern: '* * * * *', job: 'system.tick' }],
});
