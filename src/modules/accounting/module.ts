import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { rowMoves } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { EDIT_SUBJECTS, VIEW } from './contract/fields.ts';
import { CLOSE, REOPEN } from './contract/periods.ts';
import { APPROVE, CREATE, CREATE_PATH, POST, REVERSE, VoucherRow, voucher } from './contract/vouchers.ts';
import { booksMonthEnd } from './server/month-end.ts';
import { routes } from './server/routes.ts';

const screen = (title: string, path: string, name: string, permission: string, sort: number) => ({
  title,
  path,
  component: `accounting/${name}`,
  permission,
  sort,
});

/** The books of a legal entity are its own: they end with it. */
const TABLES = ['book', 'subject', 'period', 'voucher', 'entry', 'balance', 'rule', 'voucher_fact'];

export default defineModule({
  name: 'accounting',
  title: '总账',
  needs: ['identity', 'system', 'message', 'finance'],
  permissions: {
    [VIEW]: '查看科目、凭证与账簿',
    [EDIT_SUBJECTS]: '维护科目与账套',
    [CREATE]: '录入凭证',
    [APPROVE]: '审核凭证',
    [POST]: '凭证过账',
    [REVERSE]: '红字冲销凭证',
    [CLOSE]: '总账结账',
    [REOPEN]: '总账反结账',
  },
  menu: {
    finance: [
      {
        title: '总账',
        sort: 60,
        children: [
          screen('录入凭证', CREATE_PATH, 'VoucherEdit', CREATE, 10),
          screen('凭证', '/fin/voucher/list', 'VoucherList', VIEW, 20),
          screen('科目余额表', '/fin/ledger/balance', 'TrialBalance', VIEW, 30),
          screen('总账', '/fin/ledger/general', 'GeneralLedger', VIEW, 35),
          screen('明细账', '/fin/ledger/detail', 'SubjectLedger', VIEW, 40),
          screen('财务报表', '/fin/report', 'Statements', VIEW, 42),
          screen('结账', '/fin/periods', 'Periods', VIEW, 45),
          screen('科目', '/fin/subjects', 'Subjects', VIEW, 50),
          screen('凭证模板', '/fin/rules', 'Rules', VIEW, 55),
        ],
      },
    ],
  },
  objects: {
    'accounting.subject': '科目',
    'accounting.period': '会计期间',
    'accounting.statement': '财务报表',
    'accounting.rule': '凭证模板',
  },
  routes,
  documents: [voucher],
  lists: { 'accounting/vouchers': VoucherRow },
  extensions: [
    extend(monthEndLedgers, booksMonthEnd),
    ...TABLES.map((table) => extend(rowMoves, { table: `accounting.${table}`, how: 'stay' })),
    documentRoute({ documentType: voucher.name, title: voucher.title, path: (id) => `${voucher.detail}?id=${id}` }),
  ],
});
