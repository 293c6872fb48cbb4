import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { shipOrder } from '../contract/order.ts';
import * as calls from '../contract/order-calls.ts';
import { pickingCode, pickingSheet, pickRows, pickShip } from '../contract/picking.ts';
import * as plan from '../contract/plan.ts';
import { importPlan, planSheet } from '../contract/plan-sheet.ts';
import { planItem, previewPlan, splitPlan, submitPlan } from '../contract/plan-submit.ts';
import * as shipments from '../contract/shipment.ts';
import { boxRoutes } from './box/routes.ts';
import { claimRoutes } from './claim/routes.ts';
import { freightRoutes } from './freight/routes.ts';
import { inboundRoutes } from './inbound/routes.ts';
import { act } from './order/act.ts';
import { putBoxes } from './order/boxes.ts';
import { choices } from './order/choices.ts';
import { orderDetail, rowOf } from './order/detail.ts';
import { exportOrders, orderCounts, orderPage } from './order/list.ts';
import { findListings } from './order/listings.ts';
import { putReceived } from './order/receive.ts';
import { saveOrder } from './order/save.ts';
import { putWay } from './order/way.ts';
import { paperRoutes } from './papers/routes.ts';
import { pickOrder } from './pick/pick.ts';
import { pickRowsOf } from './pick/rows.ts';
import { codeOf, sheetOf } from './pick/sheet.ts';
import { planDays, putPlanDays } from './plan/days.ts';
import { exportPlan, planPage } from './plan/list.ts';
import { plannedShips } from './plan/preview.ts';
import { clearPlan, savePlan } from './plan/save.ts';
import { importPlanFile, planFile } from './plan/sheet-files.ts';
import { itemDetail, splitPlan as split } from './plan/split.ts';
import { submitPlan as handIn } from './plan/submit.ts';
import { quotaRoutes } from './quota/routes.ts';
import { quoteRequestRoutes } from './quote-request/routes.ts';
import { receiptRoutes } from './receipt/routes.ts';
import { reportRoutes } from './report/routes.ts';
import { selfRoutes } from './self/routes.ts';
import { exportShipments, ignoreShipments, shipmentCounts, shipmentDetail, shipmentPage } from './shipment/list.ts';
import { transitRoutes } from './transit/routes.ts';
import { channelChoices } from './transport/carrier/detail.ts';
import { transportRoutes } from './transport/routes.ts';
import { waveRoutes } from './wave/routes.ts';

export const routes: AnyRoute[] = [
  serve(calls.listShipOrders, (ctx, { body }) => orderPage(ctx, body)),
  serve(calls.countShipOrders, (ctx, { body }) => orderCounts(ctx, body.filter)),
  serveOpen(calls.exportShipOrders, (open, { body }) => exportOrders(open, body)),
  serve(calls.shipOrderDetail, (ctx, { params }) => orderDetail(ctx, params.id)),
  serve(calls.saveShipOrder, (ctx, { body }) => saveOrder(ctx, body)),
  serve(calls.findShipListings, (ctx, { body }) => findListings(ctx, body)),
  serve(calls.shipChoices, (ctx) => choices(ctx)),
  ...Object.entries(calls.shipSteps).map(([name, call]) =>
    serve(call, (ctx, { body }) => act(ctx, name as calls.ShipStep, body)),
  ),
  serve(calls.shipChannels, (ctx) => channelChoices(ctx)),
  serve(calls.putShipWay, (ctx, { body }) => putWay(ctx, body)),
  serve(calls.putShipBoxes, (ctx, { body }) => putBoxes(ctx, body)),
  serve(calls.putShipReceived, (ctx, { body }) => putReceived(ctx, body)),
  serve(pickingSheet, (ctx, { params }) => sheetOf(ctx, params.id)),
  serve(pickingCode, (ctx, { params }) => codeOf(ctx, params.id, params.size)),
  serve(pickRows, (ctx, { params }) => pickRowsOf(ctx, params.id)),
  serve(pickShip, (ctx, { body }) => pickOrder(ctx, body)),
  serve(shipments.listFbaShipments, (ctx, { body }) => shipmentPage(ctx, body)),
  serve(shipments.countFbaShipments, (ctx, { body }) => shipmentCounts(ctx, body.filter)),
  serveOpen(shipments.exportFbaShipments, (open, { body }) => exportShipments(open, body)),
  serve(shipments.fbaShipmentDetail, (ctx, { params }) => shipmentDetail(ctx, params.id)),
  serve(shipments.ignoreFbaShipments, (ctx, { body }) => ignoreShipments(ctx, body.ids, body.ignored)),
  ...inboundRoutes,
  ...boxRoutes,
  ...receiptRoutes,
  ...reportRoutes,
  ...paperRoutes,
  ...transportRoutes,
  ...freightRoutes,
  ...quoteRequestRoutes,
  ...claimRoutes,
  ...transitRoutes,
  ...waveRoutes,
  ...quotaRoutes,
  ...selfRoutes,
  serve(plan.listPlan, (ctx, { body }) => planPage(ctx, body)),
  serveOpen(plan.exportPlan, (open, { body }) => exportPlan(open, body)),
  serve(plan.savePlan, (ctx, { body }) => savePlan(ctx, body.items)),
  serve(planSheet, (ctx) => planFile(ctx)),
  serveOpen(importPlan, (open, { body }) => importPlanFile(open, body)),
  serve(plan.clearPlan, (ctx, { body }) => clearPlan(ctx, body.ids)),
  serve(plan.readPlanDays, (ctx) => planDays(ctx)),
  serve(plan.savePlanDays, (ctx, { body }) => putPlanDays(ctx, body.days)),
  serve(planItem, (ctx, { params }) => itemDetail(ctx, params.id)),
  serve(previewPlan, (ctx, { body }) => plannedShips(ctx, body.ids)),
  serve(splitPlan, (ctx, { body }) => split(ctx, body)),
  serve(submitPlan, (ctx, { body }) => handIn(ctx, body.groups)),
  ...noteRoutes(calls.shipNotes, { def: shipOrder, find: rowOf }),
];
