import { approvables } from '#kit/server/approval.ts';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { paidDocuments } from '#modules/finance/server/index.ts';
import { messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { streams, writeKinds } from '#modules/marketplace/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { todoSources } from '#modules/system/server/index.ts';
import { plannedUses, scanPicks, stockSources } from '#modules/warehouse/server/index.ts';
import { ClaimRow, claimCase } from './contract/claim/claim.ts';
import { ADD, AUDIT, BOX, CLOSE, EXPORT, PICK, SHIP, VIEW } from './contract/fields.ts';
import { FreightBillRow, freightBill } from './contract/freight/bill.ts';
import * as freight from './contract/freight/fields.ts';
import { FreightFeeRow } from './contract/freight/report.ts';
import { ShipRow, shipOrder } from './contract/order.ts';
import * as plan from './contract/plan.ts';
import { QUOTA_APPLY, QUOTA_EDIT, QUOTA_EXPORT, QUOTA_VIEW, QuotaRow } from './contract/quota/fields.ts';
import * as quotes from './contract/quote-request/fields.ts';
import { QuoteRequestRow, quoteRequest } from './contract/quote-request/request.ts';
import { ShipOrderReportRow } from './contract/report/detail.ts';
import { ShipSumRow } from './contract/report/summary.ts';
import { selfDoc } from './contract/self/doc.ts';
import * as self from './contract/self/fields.ts';
import { SelfRow, WaitingRow } from './contract/self/rows.ts';
import { FbaShipmentRow } from './contract/shipment.ts';
import { TransitRow } from './contract/transit.ts';
import { CarrierRow } from './contract/transport/carrier.ts';
import { TRANS_EDIT, TRANS_IMPORT, TRANS_VIEW } from './contract/transport/fields.ts';
import { claimHandlers, DUE_CRON, dueJob } from './server/claim/jobs.ts';
import { claimJobs } from './server/claim/payments.ts';
import { CLAIM_EVENT } from './server/claim/settle.ts';
import { paidFreight } from './server/freight/bill/paid.ts';
import { changeJobs } from './server/inbound/change.ts';
import { inboundJobs } from './server/inbound/run.ts';
import { TROUBLE_EVENT } from './server/inbound/tell.ts';
import { orderApproval } from './server/order/approval.ts';
import { SOURCE } from './server/order/events.ts';
import { orderTodos } from './server/order/todos.ts';
import { shipPicks } from './server/pick/scan.ts';
import { shipHolds } from './server/plan/holds.ts';
import { QUOTE_EVENT } from './server/quote-request/tell.ts';
import { routes } from './server/routes.ts';
import { SELF_CRON, selfHandlers, selfJobs } from './server/self/jobs.ts';
import { labelKind, labelVoidKind } from './server/self/label/amazon-kinds.ts';
import { amazonLabels } from './server/self/label/buy-shipping.ts';
import { labelCarriers } from './server/self/label/carrier.ts';
import { selfPicks } from './server/self/scan.ts';
import { DUE_EVENT, SELF_EVENT } from './server/self/tell.ts';
import { waitingTodos } from './server/self/todos.ts';
import { ARRIVAL_EVENT } from './server/shipment/arrivals.ts';
import { GONE_EVENT, jobs } from './server/shipment/receive.ts';
import { fbaShipments } from './server/shipment/stream.ts';

const orderPath = (id: string) => `${shipOrder.detail}?id=${id}`;
const selfPath = (id: string) => `${selfDoc.detail}?id=${id}`;
const quotePath = (id: string) => `${quoteRequest.detail}?id=${id}`;
const billPath = (id: string) => `${freightBill.detail}?id=${id}`;

export default defineModule({
  name: 'shipping',
  title: '发货',
  needs: [
    'identity',
    'system',
    'message',
    'supplier',
    'finance',
    'marketplace',
    'listing',
    'order',
    'inventory',
    'sales',
    'product',
    'warehouse',
    'purchase',
  ],
  permissions: {
    [VIEW]: '查看发货单',
    [ADD]: '编辑发货单',
    [AUDIT]: '审核发货单',
    [PICK]: '发货配货',
    [BOX]: '发货装箱',
    [SHIP]: '发货出库与接收',
    [CLOSE]: '发货本地完成',
    [EXPORT]: '导出发货单',
    [TRANS_VIEW]: '查看物流商与报价',
    [TRANS_EDIT]: '编辑物流商与报价',
    [TRANS_IMPORT]: '导入物流报价',
    [freight.FREIGHT_VIEW]: '查看头程费用与物流账单',
    [freight.FREIGHT_ADD]: '编辑物流账单',
    [freight.FREIGHT_AUDIT]: '审核物流账单',
    [freight.FREIGHT_REVERSE]: '冲销物流账单',
    [freight.FREIGHT_IMPORT]: '导入物流账单',
    [freight.FREIGHT_EXPORT]: '导出头程费用与物流账单',
    [quotes.QUOTE_VIEW]: '查看物流询价',
    [quotes.QUOTE_ADD]: '发起物流询价与录入报价',
    [quotes.QUOTE_AUDIT]: '选中物流报价与订舱',
    [quotes.QUOTE_IMPORT]: '导入物流报价',
    [quotes.QUOTE_EXPORT]: '导出物流询价',
    [QUOTA_VIEW]: '查看仓容额度',
    [QUOTA_EDIT]: '编辑仓容额度',
    [QUOTA_APPLY]: '申请仓容额度',
    [QUOTA_EXPORT]: '导出仓容额度',
    [self.SELF_VIEW]: '查看自发货单',
    [self.SELF_ADD]: '编辑自发货单',
    [self.SELF_AUDIT]: '审核自发货单',
    [self.SELF_PICK]: '自发货拣货',
    [self.SELF_SHIP]: '自发货出库与标记发货',
    [self.SELF_VOID]: '取消自发货单',
    [self.SELF_EXPORT]: '导出自发货单',
    [self.SELF_IMPORT]: '导入自发货运单号',
    [self.SELF_LABEL]: '申请与作废自发货面单',
    [plan.PLAN_VIEW]: '查看发货规划',
    [plan.PLAN_EDIT]: '编辑发货规划',
    [plan.PLAN_SUBMIT]: '提交发货规划',
    [plan.PLAN_CLEAR]: '清空发货规划',
    [plan.PLAN_EXPORT]: '导出发货规划',
  },
  menu: {
    logistics: [
      {
        title: 'FBA发货',
        sort: 10,
        children: [
          {
            title: 'FBA发货规划',
            path: '/erp/ship/ship_plan',
            component: 'shipping/PlanList',
            permission: plan.PLAN_VIEW,
            sort: 10,
          },
          {
            title: '发货单',
            path: '/erp/ship/shipment_add/list',
            component: 'shipping/OrderList',
            permission: VIEW,
            sort: 20,
          },
          {
            title: '货件跟踪',
            path: '/erp/ship/shipment_handing',
            component: 'shipping/ShipmentList',
            permission: VIEW,
            sort: 30,
          },
          {
            title: '差异与索赔',
            path: '/erp/ship/discrepancy',
            component: 'shipping/ClaimList',
            permission: VIEW,
            sort: 40,
          },
          {
            title: '在途看板',
            path: '/erp/ship/transit',
            component: 'shipping/Transit',
            permission: VIEW,
            sort: 50,
          },
          {
            title: '仓容额度',
            path: '/erp/ship/quota',
            component: 'shipping/QuotaList',
            permission: QUOTA_VIEW,
            sort: 60,
          },
          {
            title: '发货统计',
            path: '/amazon/ship/report_new',
            component: 'shipping/ShipSums',
            permission: VIEW,
            sort: 70,
          },
          {
            title: '发货详情与时效',
            path: '/amazon/shipdetail/new/report',
            component: 'shipping/ShipOrderReport',
            permission: VIEW,
            sort: 80,
          },
        ],
      },
      {
        title: '自发货',
        sort: 20,
        children: [
          {
            title: selfDoc.title,
            path: '/erp/warehouse/shipping',
            component: 'shipping/SelfList',
            permission: self.SELF_VIEW,
            sort: 10,
          },
          {
            title: '待建单订单',
            path: '/erp/warehouse/shipping/waiting',
            component: 'shipping/SelfWaiting',
            permission: self.SELF_VIEW,
            sort: 20,
          },
        ],
      },
      {
        title: '物流商',
        sort: 30,
        children: [
          {
            title: '物流商',
            path: '/erp/transportation',
            component: 'shipping/CarrierList',
            permission: TRANS_VIEW,
            sort: 10,
          },
          {
            title: '物流比价',
            path: '/erp/transportation/compare',
            component: 'shipping/Compare',
            permission: TRANS_VIEW,
            sort: 20,
          },
          {
            title: quoteRequest.title,
            path: '/erp/shipment/quote',
            component: 'shipping/QuoteList',
            permission: quotes.QUOTE_VIEW,
            sort: 25,
          },
          {
            title: freightBill.title,
            path: '/erp/ship/freight',
            component: 'shipping/FreightList',
            permission: freight.FREIGHT_VIEW,
            sort: 30,
          },
          {
            title: '头程费用分摊',
            path: '/erp/inventory/report/fee',
            component: 'shipping/FreightFees',
            permission: freight.FREIGHT_VIEW,
            sort: 40,
          },
        ],
      },
    ],
  },
  objects: {
    'shipping.order': '发货单',
    'shipping.shipment': '货件',
    'shipping.discrepancy': '货件差异',
    'shipping.claimWindow': '货件期限',
    'shipping.carrier': '物流商',
    'shipping.channel': '物流渠道',
    'shipping.price': '物流价卡',
    'shipping.plan': 'FBA发货规划',
    [quoteRequest.name]: quoteRequest.title,
    [freightBill.name]: freightBill.title,
    'shipping.freightSetting': '头程费用设置',
    'shipping.boxTemplate': '箱型',
    'shipping.quota': '仓容额度',
    [selfDoc.name]: selfDoc.title,
  },
  routes,
  jobs: [...jobs, ...inboundJobs, ...changeJobs, ...claimJobs, ...selfJobs, dueJob],
  crons: [{ pattern: '* * * * *', job: 'shipping.inboundDue' }, DUE_CRON, SELF_CRON],
  on: [...claimHandlers, ...selfHandlers],
  documents: [shipOrder, freightBill, claimCase, selfDoc, quoteRequest],
  lists: {
    'shipping/orders': ShipRow,
    'shipping/shipments': FbaShipmentRow,
    'shipping/claims': ClaimRow,
    'shipping/transit': TransitRow,
    'shipping/carriers': CarrierRow,
    'shipping/freight': FreightBillRow,
    'shipping/freightFees': FreightFeeRow,
    'shipping/quotes': QuoteRequestRow,
    'shipping/plan': plan.PlanRow,
    'shipping/quotas': QuotaRow,
    'shipping/self': SelfRow,
    'shipping/shipSums': ShipSumRow,
    'shipping/shipOrders': ShipOrderReportRow,
    'shipping/selfWaiting': WaitingRow,
  },
  extensions: [
    extend(streams, fbaShipments),
    extend(approvables, orderApproval),
    extend(todoSources, orderTodos),
    extend(todoSources, waitingTodos),
    extend(scanPicks, shipPicks),
    extend(scanPicks, selfPicks),
    extend(labelCarriers, amazonLabels),
    extend(writeKinds, labelKind),
    extend(writeKinds, labelVoidKind),
    extend(plannedUses, shipHolds),
    documentRoute({ documentType: shipOrder.name, title: '发货单', path: orderPath }),
    documentRoute({ documentType: claimCase.name, title: '货件差异', path: (id) => `${claimCase.detail}?id=${id}` }),
    extend(messageEvents, { event: GONE_EVENT, title: '货件被平台取消', group: '物流', channels: ['site'] }),
    extend(messageEvents, { event: TROUBLE_EVENT, title: '货件处理出错', group: '物流', channels: ['site'] }),
    extend(messageEvents, { event: ARRIVAL_EVENT, title: '货件到仓期限', group: '物流', channels: ['site'] }),
    extend(messageEvents, { event: CLAIM_EVENT, title: '货件差异与索赔截止', group: '物流', channels: ['site'] }),
    extend(stockSources, {
      type: SOURCE,
      title: 'FBA发货单',
      events: {
        reserve: '占用',
        release: '释放',
        short: '缺货退回',
        ship: '发货出库',
        receive: '平台接收',
        lose: '平台关闭丢失',
        close: '本地完成',
      },
      path: orderPath,
    }),
    documentRoute({ documentType: freightBill.name, title: freightBill.title, path: billPath }),
    extend(paidDocuments, paidFreight),
    extend(stockSources, {
      type: freightBill.name,
      title: freightBill.title,
      events: { confirm: '分摊头程费用', reverse: '冲销头程费用' },
      path: billPath,
    }),
    extend(rowMoves, { table: 'shipping.carrier', title: '物流商', clash: { rename: 'name' } }),
    extend(rowMoves, { table: 'shipping.box_template', title: '箱型', clash: { rename: 'name' } }),
    extend(rowMoves, { table: 'shipping.packing_setting', clash: 'target' }),
    extend(rowMoves, { table: 'shipping.ship_order', title: '发货单', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'shipping.freight_bill', title: freightBill.title, clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'shipping.freight_setting', clash: 'target' }),
    extend(rowMoves, { table: 'shipping.discrepancy', title: '货件差异', clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'shipping.claim_window', clash: 'target' }),
    documentRoute({ documentType: selfDoc.name, title: selfDoc.title, path: selfPath }),
    extend(messageEvents, { event: SELF_EVENT, title: '自发货异常', group: '物流', channels: ['site'] }),
    extend(messageEvents, { event: DUE_EVENT, title: '自发货即将逾期', group: '物流', channels: ['site'] }),
    extend(stockSources, {
      type: selfDoc.name,
      title: selfDoc.title,
      events: { reserve: '占用', release: '释放', ship: '出库', return: '异常退回' },
      path: selfPath,
    }),
    extend(rowMoves, { table: 'shipping.self_doc', title: selfDoc.title, clash: { rename: 'number' } }),
    documentRoute({ documentType: quoteRequest.name, title: quoteRequest.title, path: quotePath }),
    extend(messageEvents, { event: QUOTE_EVENT, title: '物流询价报价与截止', group: '物流', channels: ['site'] }),
    extend(rowMoves, { table: 'shipping.quote_request', title: quoteRequest.title, clash: { rename: 'number' } }),
    extend(rowMoves, { table: 'shipping.plan_item', title: 'FBA发货规划' }),
    extend(rowMoves, { table: 'shipping.quota', title: '仓容额度' }),
    extend(rowMoves, { table: 'shipping.plan_days', clash: 'target' }),
  ],
});
