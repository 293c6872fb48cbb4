import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { reportLoaders, reportPlans, streams } from '#modules/marketplace/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { listingStocks } from '#modules/product/server/index.ts';
import { VIEW as VIEW_FEES } from '#modules/ratecard/contract/calculator.ts';
import { RATE_EDIT } from './contract/aging.ts';
import { CLAIM_EDIT, ClaimRow, fbaClaim } from './contract/claims.ts';
import { PaidSumRow, ReimbursementRow, RemovalRow } from './contract/events.ts';
import { AMOUNTS } from './contract/facts.ts';
import { FeeAuditRow } from './contract/fee-audit.ts';
import { ChargedSumRow } from './contract/fee-charged.ts';
import { AgedRow, FeePreviewRow, OverageRow, StorageRow, StorageSumRow } from './contract/fees.ts';
import { BalanceRow, MovementRow } from './contract/ledger.ts';
import { MerchantReturnRow } from './contract/merchant-returns.ts';
import { PlanningRow, StrandedRow } from './contract/planning.ts';
import { ShipmentRow } from './contract/shipments.ts';
import { CountryStockRow, RemovalAdviceRow } from './contract/stock-reports.ts';
import { StockRow } from './contract.ts';
import { agingHandlers, agingJobs } from './server/aging/jobs.ts';
import { CLAIM_CRON, CLAIM_EVENT, claimHandlers, claimJobs } from './server/claims/jobs.ts';
import { eventLoaders, eventPlans } from './server/facts/events.ts';
import { feeLoaders, feePlans } from './server/facts/fees.ts';
import { ledgerLoaders, ledgerPlans } from './server/facts/ledger.ts';
import { merchantReturnLoaders, merchantReturnPlans } from './server/facts/merchant-returns.ts';
import { planningLoaders, planningPlans } from './server/facts/planning.ts';
import { shipmentLoaders, shipmentPlans } from './server/facts/shipments.ts';
import { stockReportLoaders, stockReportPlans } from './server/facts/stock-reports.ts';
import { fbaPieces } from './server/fba-pieces.ts';
import { feeAuditHandlers, feeAuditJobs } from './server/fee-audit/jobs.ts';
import { stockLoader } from './server/loader.ts';
import { routes } from './server/routes.ts';
import { fbaStock } from './server/stream.ts';

const screen = (title: string, path: string, name: string, sort: number) => ({
  title,
  path,
  component: `inventory/${name}`,
  permission: 'amz:inventory:view',
  sort,
});

const LOADERS = [
  ...ledgerLoaders,
  ...eventLoaders,
  ...feeLoaders,
  ...planningLoaders,
  ...shipmentLoaders,
  ...stockReportLoaders,
  ...merchantReturnLoaders,
];
const PLANS = [
  ...ledgerPlans,
  ...eventPlans,
  ...feePlans,
  ...planningPlans,
  ...shipmentPlans,
  ...stockReportPlans,
  ...merchantReturnPlans,
];

export default defineModule({
  name: 'inventory',
  title: 'FBA库存',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'order', 'settlement', 'product', 'ratecard'],
  permissions: {
    'amz:inventory:view': '查看FBA库存',
    'amz:inventory:export': '导出FBA库存与报表',
    [CLAIM_EDIT]: '处理FBA索赔',
    [RATE_EDIT]: '维护FBA仓储费率',
    [AMOUNTS]: '查看FBA赔偿与费用金额',
  },
  menu: {
    warehouse: [
      {
        title: 'FBA库存',
        sort: 10,
        children: [
          {
            title: 'FBA库存',
            path: '/amazon/inventory/quantity',
            component: 'inventory/FbaStock',
            permission: 'amz:inventory:view',
            sort: 10,
          },
          screen('欧洲各国库存', '/amazon/inventory/country', 'CountryStock', 15),
          screen('FBA每日库存', '/amazon/inventory/daily', 'LedgerDays', 20),
          screen('FBA库存明细', '/amazon/inventory/detail', 'Ledger', 30),
          screen('FBA库龄', '/amazon/inventory/planning', 'Planning', 32),
          screen('无在售库存', '/amazon/inventory/stranded', 'Stranded', 34),
          screen('建议移除', '/amazon/inventory/removalAdvice', 'RemovalAdvice', 36),
          screen('FBA发货明细', '/amazon/inventory/shipment', 'Shipments', 38),
          screen('赔偿', '/amazon/report/reimbursements', 'Reimbursements', 40),
          screen('索赔发现', '/amazon/report/claims', 'ClaimList', 45),
          screen('仓储费', '/amazon/report/storage', 'StorageFees', 50),
          screen('超龄附加费', '/amazon/report/agedFee', 'AgedFees', 60),
          screen('超量仓储费', '/amazon/report/overageFee', 'OverageFees', 65),
          screen('FBA费用', '/amazon/report/fbafee', 'FeeAudit', 70),
          screen('FBA费用预览', '/amazon/report/fbafeePreview', 'FeePreviews', 75),
        ],
      },
    ],
    finance: [
      {
        title: '利润',
        sort: 20,
        children: [
          {
            title: 'FBA费用',
            path: '/amazon/profit/fbafee',
            component: 'inventory/FeeTables',
            permission: VIEW_FEES,
            sort: 50,
          },
        ],
      },
    ],
    sales: [
      {
        title: '售后与移除',
        sort: 30,
        children: [screen('自发货退货', '/amazon/sale/order/merchantReturn', 'MerchantReturns', 15)],
      },
    ],
  },
  objects: {
    'inventory.fbaStock': 'FBA库存',
    'inventory.ledger': 'FBA库存明细',
    'inventory.ledgerDay': 'FBA每日库存',
    'inventory.reimbursement': '赔偿',
    'inventory.removal': '移除订单',
    'inventory.storageFee': 'FBA仓储费',
    'inventory.agedFee': '超龄库存附加费',
    'inventory.fbaFee': 'FBA费用预览',
    'inventory.feeAudit': 'FBA费用核对',
    'inventory.planning': 'FBA库龄',
    'inventory.stranded': '无在售库存',
    'inventory.shipment': 'FBA发货明细',
    'inventory.countryStock': '欧洲各国库存',
    'inventory.removalAdvice': '建议移除',
    'inventory.overageFee': '超量仓储费',
    'inventory.merchantReturn': '自发货退货',
    [fbaClaim.name]: fbaClaim.title,
    'inventory.claimRule': '索赔规则',
    'inventory.rateCard': '仓储费率',
  },
  routes,
  jobs: [...claimJobs, ...agingJobs, ...feeAuditJobs],
  crons: [CLAIM_CRON],
  on: [...claimHandlers, ...agingHandlers, ...feeAuditHandlers],
  documents: [fbaClaim],
  lists: {
    'inventory/fba': StockRow,
    'inventory/ledger': MovementRow,
    'inventory/ledgerDay': BalanceRow,
    'inventory/reimbursements': ReimbursementRow,
    'inventory/removals': RemovalRow,
    'inventory/storageFees': StorageRow,
    'inventory/storageSums': StorageSumRow,
    'inventory/paidSums': PaidSumRow,
    'inventory/agedFees': AgedRow,
    'inventory/feePreviews': FeePreviewRow,
    'inventory/feeAudit': FeeAuditRow,
    'inventory/chargedSum': ChargedSumRow,
    'inventory/planning': PlanningRow,
    'inventory/stranded': StrandedRow,
    'inventory/shipments': ShipmentRow,
    'inventory/countryStock': CountryStockRow,
    'inventory/removalAdvice': RemovalAdviceRow,
    'inventory/overageFees': OverageRow,
    'inventory/merchantReturns': MerchantReturnRow,
    'inventory/claims': ClaimRow,
  },
  extensions: [
    extend(streams, fbaStock),
    extend(listingStocks, fbaPieces),
    ...[stockLoader, ...LOADERS].map((loader) => extend(reportLoaders, loader)),
    ...PLANS.map((plan) => extend(reportPlans, plan)),
    documentRoute({ documentType: fbaClaim.name, title: fbaClaim.title, path: (id) => `${fbaClaim.detail}?id=${id}` }),
    extend(messageEvents, { event: CLAIM_EVENT, title: 'FBA索赔截止', group: '库存', channels: ['site'] }),
    extend(rowMoves, { table: 'inventory.claim', title: fbaClaim.title, clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'inventory.claim_policy', title: '索赔规则' }),
    extend(rowMoves, { table: 'inventory.claim_reason', clash: 'target' }),
  ],
});
