import { extend } from '#kit/server/extension.ts';
import { ledgerSources } from '#kit/server/ledger-source.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { scopeDimensions } from '#kit/server/scope.ts';
import { handovers } from '#modules/identity/server/index.ts';
import { localStocks, productStocks, productTabs, productUses } from '#modules/product/server/index.ts';
import { AddressRow, LocationRow, WarehouseRow } from './contract/base.ts';
import { RevaluationRow } from './contract/costs.ts';
import { ExternalRow } from './contract/external.ts';
import { LayerRow, RecordRow, ReservationRow, StockRow } from './contract/inventory.ts';
import { MonthCostRow } from './contract/month-costs.ts';
import { TurnoverRow, UnsalableRow } from './contract/reports.ts';
import { ShelfRecordRow, ShelfRow } from './contract/shelf.ts';
import { warehouseDimension } from './server/dimension.ts';
import {
  documentExtensions,
  documentLists,
  documentMenu,
  documentObjects,
  documentPermissions,
  documents,
} from './server/documents/manifest.ts';
import { documentRoutes } from './server/documents/routes.ts';
import { RECONCILED } from './server/external/save.ts';
import { warehouseHandover } from './server/handover.ts';
import { crons, jobs } from './server/jobs.ts';
import { closeMonthTask } from './server/ledger/close-task.ts';
import { MONTH_END } from './server/ledger/month.ts';
import { stockSource } from './server/ledger/source.ts';
import { stockMonthEnd } from './server/month-end.ts';
import { routes } from './server/routes.ts';
import { SHELF } from './server/shelf/move.ts';
import { REVALUED } from './server/stock/revaluations.ts';
import { stockSources } from './server/stock/sources.ts';
import { layersTab } from './server/summary/layers-tab.ts';
import { availablePieces, stockedProducts, stockPlaces } from './server/summary/places.ts';

const screen = (title: string, path: string, name: string, permission: string, sort: number) => ({
  title,
  path,
  component: `warehouse/${name}`,
  permission,
  sort,
});

export default defineModule({
  name: 'warehouse',
  title: '仓库',
  needs: ['identity', 'system', 'message', 'marketplace', 'inventory', 'product'],
  permissions: {
    'erp:wh:view': '查看仓库',
    'erp:wh:base:edit': '编辑仓库和地址',
    'erp:wh:shelf:add': '维护库位',
    'erp:wh:shelf:move': '上架、下架与移位',
    'erp:inv:view': '查看库存',
    'erp:inv:cost': '查看库存成本',
    'erp:inv:export': '导出库存',
    'erp:inv:backdate': '补录历史日期的单据',
    'erp:inv:release': '释放与改派预留',
    'erp:inv:opening': '导入期初库存',
    'erp:inv:revalue': '补录成本',
    'erp:third:sync': '上传三方仓库存',
    'erp:third:edit': '三方仓对账与校正',
    'erp:inv:period': '库存账期与设置',
    ...documentPermissions,
  },
  menu: {
    warehouse: [
      documentMenu,
      {
        title: '库位作业',
        sort: 15,
        children: [
          screen('库位库存', '/erp/warehouse/shelf/inv', 'ShelfStock', 'erp:inv:view', 10),
          screen('上下架明细', '/erp/inventory/shelf/operator', 'ShelfRecords', 'erp:inv:view', 20),
        ],
      },
      {
        title: '本地库存',
        sort: 20,
        children: [
          screen('库存报表', '/erp/inventory/report/base', 'StockReport', 'erp:inv:view', 10),
          screen('出入库明细', '/erp/inventory/record', 'Records', 'erp:inv:view', 20),
          screen('每日库存', '/erp/inventory/daily', 'DailyStock', 'erp:inv:view', 30),
          screen('周转报告', '/erp/inventory/report/turns', 'Turnover', 'erp:inv:view', 32),
          screen('本地滞销', '/erp/inventory/report/unsalable', 'Unsalable', 'erp:inv:view', 34),
          screen('库龄与成本层', '/erp/inventory/report/age', 'Layers', 'erp:inv:view', 40),
          screen('成本补录记录', '/erp/inventory/layer', 'Revaluations', 'erp:inv:cost', 45),
          screen('月末加权结转', '/erp/inventory/period/costs', 'MonthCosts', 'erp:inv:cost', 46),
          screen('三方仓对账', '/erp/oversea/inv', 'External', 'erp:inv:view', 48),
          screen('预留明细', '/erp/inventory/reservation', 'Reservations', 'erp:inv:view', 50),
          screen('库存自检', '/erp/inventory/health', 'Health', 'erp:inv:view', 60),
        ],
      },
      {
        title: '仓库设置',
        sort: 90,
        children: [
          screen('仓库列表', '/erp/warehouse/base', 'Warehouses', 'erp:wh:view', 10),
          screen('仓库地址', '/erp/warehouse/address', 'Addresses', 'erp:wh:view', 20),
          screen('库存账期与设置', '/erp/inventory/setting', 'Periods', 'erp:inv:view', 40),
          screen('库位', '/erp/warehouse/shelf/create', 'Locations', 'erp:wh:view', 30),
        ],
      },
    ],
  },
  objects: {
    'warehouse.warehouse': '仓库',
    'warehouse.address': '仓库地址',
    'warehouse.location': '库位',
    'warehouse.shelf': '库位作业',
    'warehouse.stock': '库存',
    'warehouse.reservation': '预留',
    'warehouse.health': '库存自检',
    'warehouse.opening': '期初库存',
    'warehouse.period': '库存账期',
    'warehouse.setting': '库存设置',
    'warehouse.reconciliation': '三方仓对账',
    'warehouse.revaluation': '成本补录',
    ...documentObjects,
  },
  routes: [...routes, ...documentRoutes],
  documents,
  lists: {
    'warehouse/warehouses': WarehouseRow,
    'warehouse/addresses': AddressRow,
    'warehouse/locations': LocationRow,
    'warehouse/shelf': ShelfRow,
    'warehouse/shelfRecords': ShelfRecordRow,
    'warehouse/stock': StockRow,
    'warehouse/records': RecordRow,
    'warehouse/turnover': TurnoverRow,
    'warehouse/unsalable': UnsalableRow,
    'warehouse/layers': LayerRow,
    'warehouse/revaluations': RevaluationRow,
    'warehouse/monthCosts': MonthCostRow,
    'warehouse/external': ExternalRow,
    'warehouse/reservations': ReservationRow,
    ...documentLists,
  },
  jobs,
  crons,
  tasks: [closeMonthTask],
  extensions: [
    extend(ledgerSources, stockSource),
    extend(monthEndLedgers, stockMonthEnd),
    ...documentExtensions,
    extend(handovers, warehouseHandover),
    extend(productStocks, stockPlaces),
    extend(localStocks, availablePieces),
    extend(productUses, stockedProducts),
    extend(productTabs, layersTab),
    extend(scopeDimensions, warehouseDimension),
    extend(stockSources, { type: RECONCILED, title: '三方仓对账', events: { adjust: '校正' } }),
    extend(stockSources, { type: REVALUED, title: '成本补录', events: { add: '补录' } }),
    extend(stockSources, {
      type: MONTH_END,
      title: '库存账期',
      events: { close: '月末加权结转' },
      path: (month) => `/erp/inventory/period/costs?f.month=${month}`,
    }),
    extend(stockSources, { type: 'warehouse.opening', title: '期初', events: { post: '入库' } }),
    extend(stockSources, {
      type: SHELF,
      title: '库位',
      events: { putaway: '上架', pull: '下架', move: '移位' },
    }),
    extend(stockSources, { type: 'warehouse.location', title: '库位', events: { merge: '合并' } }),
    extend(stockSources, {
      type: 'warehouse.demo',
      title: '演示',
      events: {
        open: '期初',
        sell: '出库',
        sell2: '出库',
        ship: '发往海外仓',
        arrive: '海外仓收货',
        inspect: '送检',
        break: '报残',
        approve: '预留',
      },
    }),
  ],
});
