import { type Extension, extend } from '#kit/server/extension.ts';
import type { MenuItem } from '#kit/server/module.ts';
import { messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { searchProviders } from '#modules/system/server/index.ts';
import { AssemblyRow } from '../../contract/documents/assembly.ts';
import { ExchangeRow } from '../../contract/documents/exchange.ts';
import { InboundRow } from '../../contract/documents/inbound.ts';
import { OutboundRow } from '../../contract/documents/outbound.ts';
import { OverseasRow } from '../../contract/documents/overseas.ts';
import { StocktakeRow } from '../../contract/documents/stocktake.ts';
import { TransferRow } from '../../contract/documents/transfer.ts';
import { plannedDocuments, plannedUses } from '../stock/planned.ts';
import { stockSources } from '../stock/sources.ts';
import { documentApprovals } from './approval.ts';
import type { StockKind } from './core/load.ts';
import { DOCUMENT_EVENT } from './core/tell.ts';
import { assemblyKind } from './kinds/assembly.ts';
import { exchangeKind } from './kinds/exchange.ts';
import { inboundKind } from './kinds/inbound.ts';
import { outboundKind } from './kinds/outbound.ts';
import { overseasKind } from './kinds/overseas.ts';
import { stocktakeKind } from './kinds/stocktake.ts';
import { transferKind } from './kinds/transfer.ts';
import { EVENTS } from './read/events.ts';
import { documentSearch } from './read/search.ts';

const KINDS: readonly StockKind[] = [
  inboundKind,
  outboundKind,
  transferKind,
  exchangeKind,
  stocktakeKind,
  assemblyKind,
  overseasKind,
];

/** Title and page of a document by the kind that its row names. */
function wordsOf(name: string) {
  const def = KINDS.find((kind) => kind.name === name)?.def;
  return { title: def?.title ?? name, path: (id: string) => (def ? `${def.detail}?id=${id}` : '') };
}

const screen = (title: string, path: string, name: string, sort: number): MenuItem => ({
  title,
  path,
  component: `warehouse/${name}`,
  permission: 'erp:inv:view',
  sort,
});

/** What the documents add to the manifest of the module. */
export const documents = KINDS.map((kind) => kind.def);

export const documentPermissions = {
  'erp:wh:in:add': '新建入库单',
  'erp:wh:in:audit': '审核入库单',
  'erp:wh:in:receive': '入库收货',
  'erp:wh:in:reverse': '撤销入库',
  'erp:wh:out:add': '新建出库单',
  'erp:wh:out:audit': '审核出库单',
  'erp:wh:out:ship': '拣货与出库',
  'erp:wh:out:reverse': '撤销出库',
  'erp:wh:transfer:add': '新建调库单',
  'erp:wh:transfer:audit': '审核调库单',
  'erp:wh:transfer:ship': '调库发货',
  'erp:wh:transfer:receive': '调库收货',
  'erp:wh:transfer:direct': '调库直接完成',
  'erp:wh:exchange:add': '新建代料单',
  'erp:wh:exchange:audit': '审核代料单',
  'erp:wh:stocktake:add': '新建盘点单',
  'erp:wh:stocktake:count': '盘点录入',
  'erp:wh:stocktake:audit': '审批盘点单',
  'erp:wh:assembly:add': '新建加工单',
  'erp:wh:assembly:audit': '审核加工单',
  'erp:wh:assembly:make': '加工作业',
  'erp:wh:oversea:add': '新建海外仓备货单',
  'erp:wh:oversea:audit': '审核海外仓备货单',
  'erp:wh:oversea:ship': '海外备货配货、装箱与发货',
  'erp:wh:oversea:receive': '海外备货收货',
};

export const documentMenu: MenuItem = {
  title: '出入库',
  sort: 10,
  children: [
    screen('入库单', '/erp/warehouse/inbound', 'InboundList', 10),
    screen('出库单', '/erp/warehouse/outbound', 'OutboundList', 20),
    screen('调库单', '/erp/warehouse/transfer', 'TransferList', 30),
    screen('代料单', '/erp/warehouse/exchange', 'ExchangeList', 40),
    screen('盘点单', '/erp/warehouse/stocktake', 'StocktakeList', 50),
    screen('加工单', '/erp/warehouse/assembly', 'AssemblyList', 60),
    screen('海外仓备货单', '/erp/warehouse/overseas/stock', 'OverseasList', 35),
  ],
};

export const documentObjects = {
  'warehouse.inbound': '入库单',
  'warehouse.outbound': '出库单',
  'warehouse.transfer': '调库单',
  'warehouse.exchange': '代料单',
  'warehouse.stocktake': '盘点单',
  'warehouse.assembly': '加工单',
  'warehouse.overseas': '海外仓备货单',
  'warehouse.documentSetting': '单据设置',
};

export const documentLists = {
  'warehouse/inbound': InboundRow,
  'warehouse/outbound': OutboundRow,
  'warehouse/transfer': TransferRow,
  'warehouse/exchange': ExchangeRow,
  'warehouse/stocktake': StocktakeRow,
  'warehouse/assembly': AssemblyRow,
  'warehouse/overseas': OverseasRow,
};

export const documentExtensions: Extension[] = [
  ...documentApprovals,
  ...KINDS.flatMap((kind) => [
    documentRoute({
      documentType: kind.def.name,
      title: kind.def.title,
      path: (id) => `${kind.def.detail}?id=${id}`,
    }),
    extend(stockSources, {
      type: kind.def.name,
      title: kind.def.title,
      events: EVENTS,
      path: (id: string) => `${kind.def.detail}?id=${id}`,
    }),
  ]),
  extend(searchProviders, documentSearch(KINDS)),
  extend(plannedUses, plannedDocuments(wordsOf)),
  extend(rowMoves, { table: 'warehouse.document', title: '仓库单据', clash: { rename: 'number' } }),
  extend(rowMoves, { table: 'warehouse.document_setting', clash: 'target' }),
  extend(messageEvents, { event: DOCUMENT_EVENT, title: '仓库单据审核', group: '仓库', channels: ['site'] }),
];
