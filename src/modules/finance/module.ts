import { approvables, rateSources } from '#kit/server/approval.ts';
import { cashSources } from '#kit/server/cash.ts';
import { on } from '#kit/server/events.ts';
import { extend } from '#kit/server/extension.ts';
import { ledgerSources } from '#kit/server/ledger-source.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { handovers, messageEvents } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { searchProviders, todoSources } from '#modules/system/server/index.ts';
import { JournalRow } from './contract/accounts.ts';
import { BankRow, MATCH } from './contract/bank.ts';
import { BillRow, platformBill, UPLOAD, VIEW } from './contract/bills/bill.ts';
import { BillOrderRow, BillPaymentRow, RefundRow, RepaymentRow, TopupRow } from './contract/bills/lines.ts';
import { BlocRow, blocRequest } from './contract/bloc.ts';
import { GainRow } from './contract/gains.ts';
import { DealingRow, ItemRow } from './contract/payables.ts';
import { PaidRow } from './contract/payments.ts';
import { RateRow } from './contract/rates.ts';
import { paymentRequest, RequestRow } from './contract/requests.ts';
import { SettlementRow, supplierSettlement } from './contract/settlements.ts';
import { onBillRequestMoved } from './server/bills/requests.ts';
import { blocApproval } from './server/bloc/approval.ts';
import { blocSearch } from './server/bloc/search.ts';
import { BLOC_EVENT } from './server/bloc/tell.ts';
import { payableCash, receivableCash, requestCash } from './server/cash.ts';
import { financeHandovers } from './server/handover.ts';
import { crons, jobs } from './server/jobs.ts';
import { moneySource } from './server/ledger/source.ts';
import { cashMonthEnd } from './server/month-end.ts';
import { financeMoves } from './server/moves.ts';
import { RATES_LATE } from './server/rates/feed/feed.ts';
import { knownRates } from './server/rates/rates.ts';
import { requestMoved } from './server/requests/act.ts';
import { requestApproval } from './server/requests/approval.ts';
import { requestSearch } from './server/requests/search.ts';
import { REQUEST_EVENT } from './server/requests/tell.ts';
import { requestTodos } from './server/requests/todos.ts';
import { routes } from './server/routes.ts';

const screen = (title: string, path: string, name: string, permission: string, sort: number) => ({
  title,
  path,
  component: `finance/${name}`,
  permission,
  sort,
});

export default defineModule({
  name: 'finance',
  title: '财务',
  needs: ['identity', 'system', 'message', 'supplier'],
  permissions: {
    'fin:account:view': '查看资金账户与流水',
    'fin:account:edit': '维护账户、记账与互转',
    'fin:payreq:view': '查看请款单',
    'fin:payreq:apply': '申请付款',
    'fin:payreq:approve': '审核请款单',
    'fin:payreq:pay': '付款',
    'fin:payreq:reverse': '冲销付款',
    'fin:dealing:view': '查看应付与往来',
    'fin:dealing:apply': '核销、登记往来与往来申请',
    'fin:dealing:approve': '审核往来申请',
    'fin:dealing:pay': '执行往来申请',
    'fin:dealing:void': '作废已执行的往来申请',
    [VIEW]: '查看平台账单',
    [UPLOAD]: '上传与匹配平台账单',
    [MATCH]: '导入与匹配银行流水',
    'fin:fx:view': '查看汇率与会计期间',
    'fin:fx:edit': '维护汇率',
    'fin:period:close': '资金关账',
    'fin:period:reopen': '资金反关账',
  },
  menu: {
    finance: [
      {
        title: '资金',
        sort: 30,
        children: [
          screen('资金账户', '/finance/account', 'Accounts', 'fin:account:view', 10),
          screen('银行流水', '/finance/bank', 'BankLines', 'fin:account:view', 15),
          screen('请款单', '/finance/paymentRequest', 'RequestList', 'fin:payreq:view', 20),
          screen('付款明细', '/erp/purchase/paymentDetail', 'PaymentReport', 'fin:payreq:view', 25),
          screen('应付与预付', '/finance/payable', 'Payables', 'fin:dealing:view', 30),
          screen('付款计划', '/finance/paymentPlan', 'PaymentPlan', 'fin:dealing:view', 35),
          screen('往来', '/finance/groupDealings', 'Dealings', 'fin:dealing:view', 40),
          screen('汇兑损益', '/finance/exchangeGain', 'ExchangeGains', 'fin:dealing:view', 42),
          screen('供应商结算', '/finance/supplierSettlement', 'Settlements', 'fin:dealing:view', 45),
          screen('供应商平台结算', platformBill.detail, 'PlatformBills', VIEW, 46),
          screen('汇率与关账', '/finance/exchangeRate', 'ExchangeRates', 'fin:fx:view', 50),
        ],
      },
    ],
  },
  objects: {
    'finance.account': '资金账户',
    'finance.bankLine': '银行流水',
    'finance.category': '收支项',
    'finance.journal': '收支流水',
    'finance.openItem': '应付与预付',
    'finance.partner': '往来单位',
    'finance.exchangeRate': '汇率',
    'finance.period': '会计期间',
    'finance.setting': '请款设置',
    [paymentRequest.name]: '请款单',
    [blocRequest.name]: '往来申请',
    [supplierSettlement.name]: '供应商结算单',
    [platformBill.name]: '平台账单',
  },
  routes,
  documents: [paymentRequest, blocRequest, supplierSettlement, platformBill],
  lists: {
    'finance/journal': JournalRow,
    'finance/bank': BankRow,
    'finance/requests': RequestRow,
    'finance/payments': PaidRow,
    'finance/payables': ItemRow,
    'finance/dealings': DealingRow,
    'finance/blocRequests': BlocRow,
    'finance/gains': GainRow,
    'finance/rates': RateRow,
    'finance/settlements': SettlementRow,
    'finance/bills': BillRow,
    'finance/billOrders': BillOrderRow,
    'finance/billRepayments': RepaymentRow,
    'finance/billRefunds': RefundRow,
    'finance/billTopups': TopupRow,
    'finance/billPayments': BillPaymentRow,
  },
  jobs,
  crons,
  on: [on(requestMoved, onBillRequestMoved)],
  extensions: [
    extend(ledgerSources, moneySource),
    extend(monthEndLedgers, cashMonthEnd),
    extend(cashSources, receivableCash),
    extend(cashSources, payableCash),
    extend(cashSources, requestCash),
    extend(approvables, requestApproval),
    extend(approvables, blocApproval),
    extend(todoSources, requestTodos),
    extend(searchProviders, requestSearch),
    extend(searchProviders, blocSearch),
    extend(rateSources, {
      rates: async (ctx, currencies, day) =>
        new Map([...(await knownRates(ctx, currencies, day))].map(([currency, { rate }]) => [currency, rate])),
    }),
    ...financeMoves,
    ...financeHandovers.map((each) => extend(handovers, each)),
    documentRoute({ documentType: paymentRequest.name, title: '请款单', path: (id) => `/f/p/d?id=${id}` }),
    documentRoute({
      documentType: blocRequest.name,
      title: blocRequest.title,
      path: (id) => `${blocRequest.detail}?id=${id}`,
    }),
    documentRoute({
      documentType: supplierSettlement.name,
      title: '供应商结算单',
      path: (id) => `${supplierSettlement.detail}?id=${id}`,
    }),
    documentRoute({
      documentType: platformBill.name,
      title: '平台账单',
      path: (id) => `${platformBill.detail}?id=${id}`,
    }),
    extend(messageEvents, { event: REQUEST_EVENT, title: '请款单待办与结果', group: '财务', channels: ['site'] }),
    extend(messageEvents, { event: BLOC_EVENT, title: '往来申请待办与结果', group: '财务', channels: ['site'] }),
    extend(messageEvents, { event: RATES_LATE, title: '官方汇率迟到', group: '财务', channels: ['site', 'email'] }),
    extend(messageEvents, {
      event: 'finance.healthBroken',
      title: '资金账自检异常',
      group: '财务',
      channels: ['site', 'email'],
    }),
  ],
});
