import { dropExpiredFiles } from '#kit/server/files-expiry.ts';
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

/** Raw reports and exports have an end: disks are not endless, and what buyers wrote is not ours to keep. */
export const purgeFilesHandler: ScheduleHandler = {
  key: 'system.purgeFiles',
  title: '清理到期文件',
  group: '维护',
  description: '删除已过保留期的文件内容（平台原始报表、导出文件），保留文件记录',
  scope: 'global',
  defaultCron: '45 3 * * *',
  run: async (runtime) => `清理${await dropExpiredFiles(runtime)}个文件`,
};
