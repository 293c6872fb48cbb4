import { type Extension, extend } from '#kit/server/extension.ts';
import { handovers, rowMoves } from '#modules/identity/server/index.ts';
import { openSubmissions, openTasks } from './leavers.ts';

/** What becomes of approvals when somebody leaves, and when a company moves into another one. */
export const approvalMoves: Extension[] = [
  extend(handovers, openTasks),
  extend(handovers, openSubmissions),
  extend(rowMoves, { table: 'approval.flow', title: '审批流程', clash: { rename: 'name' } }),
  extend(rowMoves, { table: 'approval.setting', clash: 'target' }),
];
