import { approvables } from '#kit/server/approval.ts';
import { cashSources } from '#kit/server/cash.ts';
import { on } from '#kit/server/events.ts';
import { extend } from '#kit/server/extension.ts';
import { ledgerSources } from '#kit/server/ledger-source.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { paidDocuments, requestMoved } from '#modules/finance/server/index.ts';
import { handovers, messageEvents, openDocuments, rowMoves } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { todoSources } from '#modules/system/server/index.ts';
import { APPLY, APPROVE, ExpenseRow, expenseDocument, PAY, REVERSE, VIEW } from './contract/document.ts';
import { PeriodRow } from './contract/period.ts';
import { RecurringRow } from './contract/recurring.ts';
import { expenseApproval } from './server/approval.ts';
import { expenseCash, recurringCash } from './server/cash.ts';
import { expenseSource } from './server/ledger-source.ts';
import { expenseMonthEnd } from './server/month-end.ts';
import { onRequestMoved, paidExpenses } from './server/pay.ts';
import { crons, jobs } from './server/recurring/job.ts';
import { routes } from './server/routes.ts';
import { EXPENSE_EVENT } from './server/tell.ts';
import { expenseTodos } from './server/todos.ts';

export default defineModule({
  name: 'expense',
  title: '费用管理',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'finance', 'costshare'],
  permissions: {
    [VIEW]: '查看费用单与期间费用',
    [APPLY]: '填写与提交费用单',
    [APPROVE]: '审核费用单',
    [PAY]: '为费用单申请付款',
    [REVERSE]: '冲销费用单',
  },
  menu: {
    finance: [
      {
        title: '资金',
        sort: 30,
        children: [
          { title: '费用管理', path: '/finance/expense', component: 'expense/ExpenseList', permission: VIEW, sort: 18 },
        ],
      },
    ],
  },
  objects: { [expenseDocument.name]: '费用单', 'expense.recurring': '周期费用' },
  routes,
  documents: [expenseDocument],
  lists: { 'expense/documents': ExpenseRow, 'expense/period': PeriodRow, 'expense/recurring': RecurringRow },
  jobs,
  crons,
  on: [on(requestMoved, onRequestMoved)],
  extensions: [
    extend(ledgerSources, expenseSource),
    extend(monthEndLedgers, expenseMonthEnd),
    extend(cashSources, expenseCash),
    extend(cashSources, recurringCash),
    extend(approvables, expenseApproval),
    extend(paidDocuments, paidExpenses),
    extend(todoSources, expenseTodos),
    extend(
      handovers,
      openDocuments({
        key: 'expense.documents',
        title: '未付清的费用单',
        table: 'expense.document',
        over: ['paid', 'void', 'reversed'],
      }),
    ),
    extend(rowMoves, { table: 'expense.document', title: '费用单', clash: { rename: 'number' } }),
    documentRoute({
      documentType: expenseDocument.name,
      title: expenseDocument.title,
      path: (id) => `${expenseDocument.detail}?id=${id}`,
    }),
    extend(messageEvents, { event: EXPENSE_EVENT, title: '费用单待办与结果', group: '财务', channels: ['site'] }),
  ],
});
