import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as base from '../contract/base.ts';
import * as costs from '../contract/costs.ts';
import * as external from '../contract/external.ts';
import * as inventory from '../contract/inventory.ts';
import * as monthCosts from '../contract/month-costs.ts';
import * as opening from '../contract/opening.ts';
import { listPlanned } from '../contract/planned.ts';
import * as reassignment from '../contract/reassign.ts';
import * as reports from '../contract/reports.ts';
import * as scan from '../contract/scan.ts';
import * as shelf from '../contract/shelf.ts';
import { stockSummary } from '../contract/summary.ts';
import { addressPage, saveAddressOf } from './base/addresses.ts';
import { locationLabelsPdf } from './base/labels.ts';
import { modify } from './base/location-edit.ts';
import { add, freezeAll, locationPage, merge, removeAll, tree } from './base/locations.ts';
import { choices, disable, remove, save, setDefault, warehousePage } from './base/warehouses.ts';
import { reassign, reassignTargets } from './documents/kinds/reassign.ts';
import { externalCounts, externalPage } from './external/list.ts';
import * as externalRead from './external/read.ts';
import { adjust, bind, saveList } from './external/save.ts';
import { latest } from './health/read.ts';
import { runHealth } from './health/run.ts';
import { changePeriod } from './ledger/close-task.ts';
import { check, commit, template } from './opening/opening.ts';
import * as turnover from './reports/turnover.ts';
import * as unsalable from './reports/unsalable.ts';
import { pack } from './scan/pack.ts';
import { pickScanned } from './scan/picks.ts';
import { resolve } from './scan/resolve.ts';
import { start, tasks } from './scan/tasks.ts';
import * as shelfList from './shelf/list.ts';
import { relocate, SHELF, shelve, unshelve } from './shelf/move.ts';
import * as layers from './stock/layers.ts';
import { exportAll as exportMonths, monthCostPage } from './stock/month-costs.ts';
import { plannedRows } from './stock/planned.ts';
import * as records from './stock/records.ts';
import * as report from './stock/report.ts';
import { releaseOne, reservationCounts, reservationPage } from './stock/reservations.ts';
import { addToLayer, revaluationPage } from './stock/revaluations.ts';
import { periods, saveSetting, stockSetting } from './stock/setting.ts';
import { timeline } from './stock/timeline.ts';
import { summary } from './summary/parts.ts';

export const routes: AnyRoute[] = [
  serve(base.listWarehouses, (ctx, { body }) => warehousePage(ctx, body)),
  serve(base.warehouseChoices, (ctx) => choices(ctx)),
  serve(base.saveWarehouse, (ctx, { body }) => save(ctx, body)),
  serve(base.disableWarehouse, (ctx, { body }) => disable(ctx, body.id, body.disabled)),
  serve(base.deleteWarehouse, (ctx, { body }) => remove(ctx, body.id)),
  serve(base.setDefaultWarehouse, (ctx, { body }) => setDefault(ctx, body.id)),
  serve(base.listAddresses, (ctx, { body }) => addressPage(ctx, body)),
  serve(base.saveAddress, (ctx, { body }) => saveAddressOf(ctx, body)),
  serve(base.listLocations, (ctx, { body }) => locationPage(ctx, body)),
  serve(base.locationTree, (ctx, { query }) => tree(ctx, query.warehouseId)),
  serve(base.addLocations, (ctx, { body }) => add(ctx, body)),
  serve(base.modifyLocation, (ctx, { body }) => modify(ctx, body)),
  serve(base.freezeLocations, (ctx, { body }) => freezeAll(ctx, body.ids, body.frozen)),
  serve(base.mergeLocation, (ctx, { body }) => merge(ctx, body.from, body.into)),
  serve(base.deleteLocations, (ctx, { body }) => removeAll(ctx, body.ids)),
  serve(base.locationLabels, (ctx, { body }) => locationLabelsPdf(ctx, body.ids)),
  serve(shelf.listShelf, (ctx, { body }) => shelfList.shelfPage(ctx, body)),
  serve(shelf.countShelf, (ctx, { body }) => shelfList.shelfCounts(ctx, body.filter)),
  serveOpen(shelf.exportShelf, (open, { body }) => shelfList.exportAll(open, body)),
  serve(shelf.putAway, (ctx, { body }) => shelve(ctx, body)),
  serve(shelf.takeDown, (ctx, { body }) => unshelve(ctx, body)),
  serve(shelf.moveShelf, (ctx, { body }) => relocate(ctx, body)),
  serve(shelf.listShelfRecords, (ctx, { body }) => records.recordPage(ctx, body, [SHELF, 'warehouse.location'])),
  serve(external.listExternal, (ctx, { body }) => externalPage(ctx, body)),
  serve(external.countExternal, (ctx, { body }) => externalCounts(ctx, body.filter)),
  serve(external.externalTemplate, async () => externalRead.externalTemplateFile()),
  serveOpen(external.checkExternal, (open) => externalRead.check(open)),
  serve(external.saveExternal, (ctx, { body }) => saveList(ctx, body)),
  serve(external.bindExternal, (ctx, { body }) => bind(ctx, body)),
  serve(external.adjustExternal, (ctx, { body }) => adjust(ctx, body)),
  serve(scan.scanStart, (ctx) => start(ctx)),
  serve(scan.scanTasks, (ctx, { query }) => tasks(ctx, query.mode, query.warehouseId)),
  serve(scan.scanPack, (ctx, { query }) => pack(ctx, query)),
  serve(scan.scanResolve, (ctx, { body }) => resolve(ctx, body.code, body.warehouseId)),
  serve(scan.scanPick, (ctx, { body }) => pickScanned(ctx, body)),
  serve(inventory.listStock, (ctx, { body }) => report.stockPage(ctx, body)),
  serveOpen(inventory.exportStock, (open, { body }) => report.exportAll(open, body)),
  serve(reports.listTurnover, (ctx, { body }) => turnover.turnoverPage(ctx, body)),
  serveOpen(reports.exportTurnover, (open, { body }) => turnover.exportAll(open, body)),
  serve(reports.turnoverSummary, (ctx, { body }) => turnover.turnoverTotals(ctx, body.filter)),
  serve(reports.listUnsalable, (ctx, { body }) => unsalable.unsalablePage(ctx, body)),
  serveOpen(reports.exportUnsalable, (open, { body }) => unsalable.exportAll(open, body)),
  serve(stockSummary, (ctx, { params, query }) => summary(ctx, params.part, query.id)),
  serve(inventory.listRecords, (ctx, { body }) => records.recordPage(ctx, body)),
  serveOpen(inventory.exportRecords, (open, { body }) => records.exportAll(open, body)),
  serve(inventory.recordSummary, (ctx, { body }) => records.summary(ctx, body.filter)),
  serve(inventory.listLayers, (ctx, { body }) => layers.layerPage(ctx, body)),
  serveOpen(inventory.exportLayers, (open, { body }) => layers.exportAll(open, body)),
  serve(inventory.ageSummary, (ctx, { body }) => layers.ages(ctx, body.filter)),
  serve(costs.addLayerCost, (ctx, { body }) => addToLayer(ctx, body)),
  serve(costs.listRevaluations, (ctx, { body }) => revaluationPage(ctx, body)),
  serve(costs.readStockSetting, (ctx) => stockSetting(ctx)),
  serve(costs.saveStockSetting, (ctx, { body }) => saveSetting(ctx, body)),
  serve(costs.listPeriods, (ctx) => periods(ctx)),
  serve(listPlanned, (ctx, { query }) => plannedRows(ctx, query)),
  serve(monthCosts.listMonthCosts, (ctx, { body }) => monthCostPage(ctx, body)),
  serveOpen(monthCosts.exportMonthCosts, (open, { body }) => exportMonths(open, body)),
  serve(costs.setPeriodState, async (ctx, { body }) => ({
    month: body.month,
    taskId: await changePeriod(ctx, `${body.month}-01`, body.state),
  })),
  serve(inventory.listReservations, (ctx, { body }) => reservationPage(ctx, body)),
  serve(inventory.countReservations, (ctx, { body }) => reservationCounts(ctx, body.filter)),
  serve(inventory.releaseReservation, (ctx, { body }) => releaseOne(ctx, body.id, body.reason)),
  serve(reassignment.readReassignTargets, (ctx, { query }) => reassignTargets(ctx, query.id)),
  serve(reassignment.reassignReservation, (ctx, { body }) => reassign(ctx, body)),
  serve(inventory.latestHealth, (ctx) => latest(ctx)),
  serve(inventory.runHealthNow, (ctx) => runHealth(ctx)),
  serve(inventory.stockTimeline, (ctx, { query }) => timeline(ctx, query)),
  serve(opening.openingTemplate, async () => template()),
  serveOpen(opening.checkOpening, (open) => check(open)),
  serve(opening.commitOpening, (ctx, { params }) => commit(ctx, params.id)),
];
