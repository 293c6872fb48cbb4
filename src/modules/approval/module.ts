import { approvalGate } from '#kit/server/approval.ts';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { messageEvents } from '#modules/identity/server/index.ts';
import { FlowRow } from './contract/flows.ts';
import { DeskRow } from './contract/instance.ts';
import { dueJob } from './server/engine/due.ts';
import { gate } from './server/engine/gate.ts';
import { RESULT_EVENT, TASK_EVENT } from './server/engine/tell.ts';
import { onMemberLeft } from './server/leavers.ts';
import { approvalMoves } from './server/moves.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'approval',
  title: '审批',
  needs: ['identity', 'system', 'message'],
  permissions: {
    'erp:examine:view': '查看审批流程',
    'erp:examine:config': '编辑审批流程与配置',
    'erp:examine:authorize': '发布审批流程、改派和终止审批',
  },
  menu: {
    system: [
      {
        title: '审批',
        sort: 20,
        children: [
          { title: '审批工作台', path: '/examine/desk', component: 'approval/Desk', sort: 10 },
          {
            title: '流程管理',
            path: '/examine/flowlist',
            component: 'approval/FlowList',
            permission: 'erp:examine:view',
            sort: 20,
          },
          {
            title: '审批配置',
            path: '/examine/config',
            component: 'approval/Config',
            permission: 'erp:examine:view',
            sort: 30,
          },
        ],
      },
    ],
  },
  objects: {
    'approval.instance': '审批',
    'approval.flow': '审批流程',
    'approval.setting': '审批配置',
    'approval.delegation': '审批委托',
  },
  routes,
  lists: { 'approval/desk': DeskRow, 'approval/flows': FlowRow },
  on: [onMemberLeft],
  jobs: [dueJob],
  crons: [{ pattern: '*/5 * * * *', job: 'approval.due' }],
  extensions: [
    extend(approvalGate, gate),
    ...approvalMoves,
    extend(messageEvents, { event: TASK_EVENT, title: '待我审批', group: '审批', channels: ['site'] }),
    extend(messageEvents, { event: RESULT_EVENT, title: '审批结果与抄送', group: '审批', channels: ['site'] }),
  ],
});
