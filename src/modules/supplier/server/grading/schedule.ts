import { extend } from '#kit/server/extension.ts';
import { messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { type ScheduleHandler, schedules } from '#modules/system/server/index.ts';
import { gradeNight } from './run.ts';
import { GRADED_EVENT, SCORES } from './tell.ts';

const handler: ScheduleHandler = {
  key: 'supplier.grading',
  title: '供应商季度评分',
  group: '采购',
  description: '每晚计算本季度的供应商评分；季度结束并过宽限天数后定稿，生成评级建议或自动调整等级',
  scope: 'company',
  defaultCron: '30 2 * * *',
  async run(runtime, { companyId }) {
    const { closed, running } = await gradeNight(runtime, companyId);
    const done = closed.map(
      ({ quarter, scored, proposed, applied }) => `${quarter}定稿${scored}家（建议${proposed}，调整${applied}）`,
    );
    return [...done, `本季度评分${running}家`].join('；');
  },
};

/** Goes into the manifest: the schedule, its message, and how the rows move with their company. */
export const gradingExtensions = [
  extend(schedules, handler),
  extend(messageEvents, { event: GRADED_EVENT, title: '供应商季度评分定稿', group: '采购', channels: ['site'] }),
  documentRoute({
    documentType: SCORES,
    title: '供应商评分',
    path: (quarter) => `/erp/purchase/scorecard?f.quarter=${quarter}`,
  }),
  extend(rowMoves, { table: 'supplier.grading', clash: 'target' }),
];
