import type { ScheduleHandler } from './handlers.ts';
import { forgetRuns } from './tick.ts';

/** Records of scheduled work are kept for three months. */
export const purgeHandler: ScheduleHandler = {
  key: 'system.purgeRuns',
  title: '清理任务执行记录',
  group: '维护',
  description: '删除90天前的定时任务执行记录',
  scope: 'global',
  defaultCron: '15 3 * * *',
  run: async (runtime) => `删除${await forgetRuns(runtime)}条`,
};
