import { inOrder, type ModuleDef } from '#kit/server/module.ts';
import accounting from '#modules/accounting/module.ts';
import advertising from '#modules/advertising/module.ts';
import alert from '#modules/alert/module.ts';
import alibaba from '#modules/alibaba/module.ts';
import analysis from '#modules/analysis/module.ts';
import aplus from '#modules/aplus/module.ts';
import approval from '#modules/approval/module.ts';
import cashflow from '#modules/cashflow/module.ts';
import channel from '#modules/channel/module.ts';
import closing from '#modules/closing/module.ts';
import costshare from '#modules/costshare/module.ts';
import dashboard from '#modules/dashboard/module.ts';
import expense from '#modules/expense/module.ts';
import finance from '#modules/finance/module.ts';
import forecast from '#modules/forecast/module.ts';
import fulfillment from '#modules/fulfillment/module.ts';
import help from '#modules/help/module.ts';
import identity from '#modules/identity/module.ts';
import inventory from '#modules/inventory/module.ts';
import jobcost from '#modules/jobcost/module.ts';
import listing from '#modules/listing/module.ts';
import marketplace from '#modules/marketplace/module.ts';
import message from '#modules/message/module.ts';
import order from '#modules/order/module.ts';
import orderwatch from '#modules/orderwatch/module.ts';
import performance from '#modules/performance/module.ts';
import product from '#modules/product/module.ts';
import profit from '#modules/profit/module.ts';
import publish from '#modules/publish/module.ts';
import purchase from '#modules/purchase/module.ts';
import ratecard from '#modules/ratecard/module.ts';
import report from '#modules/report/module.ts';
import repricing from '#modules/repricing/module.ts';
import returns from '#modules/returns/module.ts';
import sales from '#modules/sales/module.ts';
import salesreport from '#modules/salesreport/module.ts';
import settlement from '#modules/settlement/module.ts';
import shipping from '#modules/shipping/module.ts';
import supplier from '#modules/supplier/module.ts';
import system from '#modules/system/module.ts';
import vat from '#modules/vat/module.ts';
import warehouse from '#modules/warehouse/module.ts';
import worth from '#modules/worth/module.ts';

/** Every module of the product, each after those it needs. */
export const modules: readonly ModuleDef[] = inOrder([
  identity,
  system,
  message,
  approval,
  marketplace,
  listing,
  publish,
  order,
  inventory,
  report,
  advertising,
  sales,
  settlement,
  orderwatch,
  supplier,
  finance,
  accounting,
  vat,
  product,
  ratecard,
  aplus,
  warehouse,
  returns,
  shipping,
  purchase,
  worth,
  jobcost,
  alibaba,
  costshare,
  expense,
  cashflow,
  closing,
  profit,
  performance,
  analysis,
  salesreport,
  forecast,
  channel,
  fulfillment,
  alert,
  repricing,
  dashboard,
  help,
]);
