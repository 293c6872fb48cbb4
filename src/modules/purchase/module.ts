import { cashSources } from '#kit/server/cash.ts';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { orderPayments, paidDocuments } from '#modules/finance/server/index.ts';
import { handovers, messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { productTabs, productUses } from '#modules/product/server/index.ts';
import { scoredLines } from '#modules/supplier/server/index.ts';
import { searchProviders, todoSources } from '#modules/system/server/index.ts';
import { stockSources } from '#modules/warehouse/server/index.ts';
import { amendment } from './contract/amend.ts';
import { ClauseRow } from './contract/clause.ts';
import { ExchangeRow, purchaseExchange } from './contract/exchange.ts';
import { InvoiceRow } from './contract/invoice.ts';
import { LeadRow } from './contract/lead.ts';
import { OrderRow, purchaseOrder } from './contract/order.ts';
import { PlanRow } from './contract/plan.ts';
import { PriceRow } from './contract/price-trend.ts';
import { ProcessRow, processOrder } from './contract/process.ts';
import { ReceiptRow } from './contract/receipt.ts';
import { DetailRow, SummaryRow } from './contract/report.ts';
import { RequisitionRow, requisition } from './contract/requisition.ts';
import { purchaseReturn, ReturnRow } from './contract/return.ts';
import { SurplusRow } from './contract/surplus.ts';
import { purchaseApprovals } from './server/approval.ts';
import { EXCHANGE_EVENT } from './server/exchange/tell.ts';
import { purchaseHandovers } from './server/handover.ts';
import { orderCash } from './server/order/cash.ts';
import { SOURCE } from './server/order/events.ts';
import { namedOrders } from './server/order/named.ts';
import { paidOrders } from './server/order/paid.ts';
import { crons, jobs } from './server/order/sums.ts';
import { ORDER_EVENT } from './server/order/tell.ts';
import { orderTodos } from './server/order/todos.ts';
import { paidFees } from './server/process/request.ts';
import { inspectionsTab, purchasesTab } from './server/product-tabs.ts';
import { routes } from './server/routes.ts';
import { scoredSource } from './server/score.ts';
import { orderSearch, ordersUsing } from './server/uses.ts';

const screen = (title: string, path: string, name: string, permission: string, sort: number) => ({
  title,
  path,
  component: `purchase/${name}`,
  permission,
  sort,
});
const VIEW = 'erp:purchase:order:view';
const REPORT = 'erp:report:purchase:view';
const SUPPLIER = 'erp:supplier:view';
const detail = (id: string) => `${purchaseOrder.detail}?id=${id}`;

const exchangePath = (id: string) => `${purchaseExchange.detail}?id=${id}`;
const requisitionPath = (id: string) => `${requisition.detail}?id=${id}`;
const processPath = (id: string) => `${processOrder.detail}?id=${id}`;

export default defineModule({
  name: 'purchase',
  title: '采购',
  needs: ['identity', 'system', 'message', 'supplier', 'finance', 'product', 'warehouse'],
  permissions: {
    [VIEW]: '查看采购单',
    'erp:purchase:order:edit': '编辑采购单',
    'erp:purchase:order:submit': '提交采购单',
    'erp:purchase:order:approve': '审核采购单',
    'erp:purchase:order:place': '采购下单',
    'erp:purchase:order:void': '作废采购单',
    'erp:purchase:order:receive': '登记到货与质检',
    'erp:purchase:order:overReceive': '超收接收与处理',
    'erp:purchase:order:reverse': '撤销到货',
    'erp:purchase:order:closeLine': '结束收货',
    'erp:purchase:order:return': '采购退货',
    'erp:purchase:exchange:add': '采购换货',
    'erp:purchase:exchange:approve': '确认与终止换货',
    'erp:purchase:order:amend': '变更采购单',
    'erp:purchase:invoice:edit': '登记采购发票',
    'erp:purchase:invoice:approve': '核对采购发票',
    'erp:purchase:charge:add': '登记与冲销后到费用',
    'erp:purchase:order:export': '导出采购单',
    'erp:purchase:field:price': '采购价格与金额',
    'erp:purchase:oversea': '海外采购',
    'erp:report:purchase:view': '查看采购报表',
    'erp:plan:edit': '编辑采购规划',
    'erp:plan:submit': '提交采购计划',
    'erp:process:view': '查看采购加工单',
    'erp:process:edit': '编辑采购加工单',
    'erp:process:release': '审核采购加工单',
    'erp:process:receive': '加工发料与完工',
    'erp:process:close': '终止与撤销加工',
  },
  menu: {
    purchase: [
      {
        title: '采购',
        sort: 10,
        children: [
          screen('采购规划', '/erp/purchase/plan', 'PlanList', VIEW, 10),
          screen('采购计划', '/erp/purchase/requisition', 'RequisitionList', VIEW, 15),
          screen('采购单', '/erp/purchase/orders', 'OrderList', VIEW, 20),
          screen('到货与质检', '/erp/purchase/arrival', 'ReceiptList', VIEW, 30),
          screen('超收处理', '/erp/purchase/surplus', 'SurplusList', VIEW, 35),
          screen('采购发票', '/erp/purchase/invoice', 'InvoiceList', VIEW, 38),
          screen('采购退货', '/erp/purchase/return', 'ReturnList', VIEW, 40),
          screen('采购换货', '/erp/purchase/change', 'ExchangeList', VIEW, 42),
          screen('采购加工单', '/erp/purchase/process', 'ProcessList', 'erp:process:view', 45),
          screen('合同条款模板', '/erp/purchase/clause', 'ClauseList', VIEW, 48),
          screen('采购统计', '/erp/purchase/summary', 'SummaryReport', REPORT, 50),
          screen('采购明细', '/erp/purchase/detailinfo', 'DetailReport', REPORT, 60),
          screen('采购时效', '/erp/purchase/time', 'LeadReport', REPORT, 62),
          { ...screen('供应商评分', '/erp/purchase/scorecard', '', SUPPLIER, 63), component: 'supplier/Scorecards' },
          screen('价格波动', '/erp/purchase/priceTrend', 'PriceReport', REPORT, 64),
        ],
      },
    ],
  },
  objects: {
    'purchase.plan': '采购规划',
    'purchase.requisition': '采购计划',
    'purchase.order': '采购单',
    'purchase.receipt': '到货单',
    'purchase.surplus': '超收单',
    'purchase.invoice': '采购发票',
    'purchase.return': '采购退货单',
    'purchase.exchange': '采购换货单',
    'purchase.amendment': '采购变更单',
    'purchase.process': '采购加工单',
    'purchase.charge': '后到费用',
    'purchase.setting': '采购设置',
    'purchase.clause': '合同条款模板',
  },
  routes,
  documents: [purchaseOrder, purchaseReturn, purchaseExchange, amendment, processOrder, requisition],
  lists: {
    'purchase/plan': PlanRow,
    'purchase/requisitions': RequisitionRow,
    'purchase/summary': SummaryRow,
    'purchase/detail': DetailRow,
    'purchase/lead': LeadRow,
    'purchase/prices': PriceRow,
    'purchase/orders': OrderRow,
    'purchase/receipts': ReceiptRow,
    'purchase/surplus': SurplusRow,
    'purchase/invoices': InvoiceRow,
    'purchase/returns': ReturnRow,
    'purchase/exchanges': ExchangeRow,
    'purchase/processes': ProcessRow,
    'purchase/clauses': ClauseRow,
  },
  jobs,
  crons,
  extensions: [
    ...purchaseApprovals,
    extend(todoSources, orderTodos),
    extend(cashSources, orderCash),
    extend(paidDocuments, paidOrders),
    extend(paidDocuments, paidFees),
    extend(orderPayments, namedOrders),
    ...purchaseHandovers.map((each) => extend(handovers, each)),
    documentRoute({ documentType: purchaseOrder.name, title: '采购单', path: detail }),
    documentRoute({ documentType: processOrder.name, title: '采购加工单', path: processPath }),
    documentRoute({ documentType: requisition.name, title: '采购计划', path: requisitionPath }),
    documentRoute({ documentType: amendment.name, title: '采购变更单', path: (id) => `${amendment.detail}?id=${id}` }),
    documentRoute({ documentType: purchaseExchange.name, title: '采购换货单', path: exchangePath }),
    documentRoute({ documentType: purchaseReturn.name, title: '采购退货单', path: () => purchaseReturn.detail }),
    extend(stockSources, { type: 'purchase.charge', title: '采购后到费用', events: { add: '补录成本' } }),
    extend(stockSources, {
      type: SOURCE,
      title: '采购单',
      events: {
        place: '下单',
        receive: '到货',
        inspect: '质检',
        close: '结束收货',
        cancel: '取消',
        return: '退货',
        exchange: '换货',
        exchangeReceive: '换货到货',
        exchangeEnd: '终止换货',
        amend: '变更',
        correct: '更正待入库',
      },
      path: detail,
    }),
    extend(stockSources, {
      type: processOrder.name,
      title: '采购加工单',
      events: { reserve: '占用', release: '释放', issue: '发料', output: '完工', stop: '退料' },
      path: processPath,
    }),
    extend(scoredLines, scoredSource),
    extend(productUses, ordersUsing),
    extend(productTabs, purchasesTab),
    extend(productTabs, inspectionsTab),
    extend(searchProviders, orderSearch),
    extend(rowMoves, { table: 'purchase.purchase_order', title: '采购单', clash: { rename: 'number' } }),
    // They are counted anew as the orders arrive.
    extend(rowMoves, { table: 'purchase.order_sum', how: 'drop' }),
    extend(rowMoves, { table: 'purchase.receipt', title: '到货单', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.surplus', title: '超收单', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.invoice', title: '采购发票', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.return_order', title: '采购退货单', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.exchange_order', title: '采购换货单', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.amendment', title: '采购变更单', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.process_order', title: '采购加工单', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.requisition', title: '采购计划', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'purchase.plan_line', title: '采购规划' }),
    extend(rowMoves, { table: 'purchase.setting', clash: 'target' }),
    extend(rowMoves, { table: 'purchase.clause_template', title: '合同条款模板', clash: { rename: 'name' } }),
    extend(rowMoves, { table: 'purchase.clause_default', clash: 'target' }),
    extend(messageEvents, { event: ORDER_EVENT, title: '采购单审核', group: '采购', channels: ['site'] }),
    extend(messageEvents, { event: EXCHANGE_EVENT, title: '采购换货确认', group: '采购', channels: ['site'] }),
  ],
});
