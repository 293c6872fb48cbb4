import { cashSources } from '#kit/server/cash.ts';
import { extend } from '#kit/server/extension.ts';
import { ledgerSources } from '#kit/server/ledger-source.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { reportLoaders, reportPlans, streams } from '#modules/marketplace/server/index.ts';
import { searchProviders } from '#modules/system/server/index.ts';
import { BalanceRow } from './contract/balances.ts';
import { OpenRow, OpenSumRow } from './contract/open.ts';
import { MoneyLineRow, SettlementRow } from './contract/settlements.ts';
import { eventGroups } from './server/balance/stream.ts';
import { deferredCash, payoutCash } from './server/cash.ts';
import { settlementSource } from './server/ledger-source.ts';
import { settlementLoader, settlementPlan } from './server/loader.ts';
import { settlementMonthEnd } from './server/month-end.ts';
import { routes } from './server/routes.ts';
import { settlementSearch } from './server/search.ts';
import { finances, financesAgain } from './server/stream.ts';
import { onUploadUndone } from './server/undone.ts';

export default defineModule({
  name: 'settlement',
  title: '结算',
  needs: ['identity', 'system', 'marketplace'],
  permissions: {
    'fin:settlement:view': '查看结算',
    'fin:settlement:run': '校验结算',
    'fin:settlement:export': '导出结算',
  },
  menu: {
    finance: [
      {
        title: '账目',
        sort: 10,
        children: [
          {
            title: '结算记录',
            path: '/amazon/payment/record',
            component: 'settlement/SettlementList',
            permission: 'fin:settlement:view',
            sort: 10,
          },
          {
            title: '未结算明细',
            path: '/amazon/report/open',
            component: 'settlement/OpenMoney',
            permission: 'fin:settlement:view',
            sort: 12,
          },
          {
            title: '余额核对',
            path: '/amazon/payment/balance',
            component: 'settlement/Balances',
            permission: 'fin:settlement:view',
            sort: 14,
          },
        ],
      },
    ],
  },
  objects: {
    'settlement.settlement': '结算',
    'settlement.event_group': '账期余额',
  },
  routes,
  lists: {
    'settlement/list': SettlementRow,
    'settlement/lines': MoneyLineRow,
    'settlement/open': OpenRow,
    'settlement/openSum': OpenSumRow,
    'settlement/balances': BalanceRow,
  },
  extensions: [
    extend(ledgerSources, settlementSource),
    extend(monthEndLedgers, settlementMonthEnd),
    extend(cashSources, payoutCash),
    extend(cashSources, deferredCash),
    extend(reportLoaders, settlementLoader),
    extend(reportPlans, settlementPlan),
    extend(streams, finances),
    extend(streams, financesAgain),
    extend(streams, eventGroups),
    extend(searchProviders, settlementSearch),
  ],
  on: [onUploadUndone],
});
