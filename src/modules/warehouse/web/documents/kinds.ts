import type { z } from 'zod';
import type { DocumentDef } from '#kit/contract/document.ts';
import {
  AssemblyFilter,
  AssemblyInput,
  AssemblyRow,
  assembly,
  assemblyCalls,
} from '../../contract/documents/assembly.ts';
import type { DocumentCalls } from '../../contract/documents/calls.ts';
import {
  ExchangeFilter,
  ExchangeInput,
  ExchangeRow,
  exchange,
  exchangeCalls,
} from '../../contract/documents/exchange.ts';
import type { HeadRow, LineRow } from '../../contract/documents/fields.ts';
import { InboundFilter, InboundInput, InboundRow, inbound, inboundCalls } from '../../contract/documents/inbound.ts';
import {
  OutboundFilter,
  OutboundInput,
  OutboundRow,
  outbound,
  outboundCalls,
} from '../../contract/documents/outbound.ts';
import {
  OverseasFilter,
  OverseasInput,
  OverseasRow,
  overseas,
  overseasCalls,
} from '../../contract/documents/overseas.ts';
import {
  StocktakeFilter,
  StocktakeInput,
  StocktakeRow,
  stocktake,
  stocktakeCalls,
} from '../../contract/documents/stocktake.ts';
import {
  TransferFilter,
  TransferInput,
  TransferRow,
  transfer,
  transferCalls,
} from '../../contract/documents/transfer.ts';

export type LineKey = Extract<keyof LineRow, string>;
export type Head = Partial<z.output<typeof HeadRow>> & {
  id: string;
  number: string;
  type: string;
  state: string;
  version: number;
  warehouse: string;
  warehouseId: string;
};

/** What a kind of document is to its screens. */
export interface WebKind {
  /** Name of its list, and of the document. */
  name: string;
  def: DocumentDef;
  calls: DocumentCalls;
  row: z.ZodObject;
  filter: z.ZodObject;
  input: z.ZodObject;
  /** Addresses of its list and of its form. */
  list: string;
  edit: string;
  add: string;
  /** States of the straight way, for the step bar. */
  way: readonly string[];
  /** Columns of its lines, when read and when written. */
  lines: readonly LineKey[];
  write: readonly LineKey[];
  /** Said where there is none yet. */
  none: string;
}

const OPEN = ['product', 'lotNo', 'expiresAt', 'location', 'qty', 'doneQty', 'shortQty'] as const;
const loose = <T>(value: T) => value as unknown as DocumentCalls;

export const inboundWeb: WebKind = {
  name: 'warehouse/inbound',
  def: inbound,
  calls: loose(inboundCalls),
  row: InboundRow,
  filter: InboundFilter,
  input: InboundInput,
  list: '/erp/warehouse/inbound',
  edit: '/e/w/i',
  add: 'erp:wh:in:add',
  way: ['draft', 'pending', 'receiving', 'partial', 'done'],
  lines: [...OPEN, 'unitCost', 'amount', 'reason'],
  write: ['product', 'available', 'qty', 'unitCost', 'lotNo', 'expiresAt', 'location', 'reason'],
  none: '采购到货、退货和其他来源的货物用入库单收进仓库，可以分批收货。',
};

export const outboundWeb: WebKind = {
  name: 'warehouse/outbound',
  def: outbound,
  calls: loose(outboundCalls),
  row: OutboundRow,
  filter: OutboundFilter,
  input: OutboundInput,
  list: '/erp/warehouse/outbound',
  edit: '/e/w/o',
  add: 'erp:wh:out:add',
  way: ['draft', 'pending', 'picking', 'picked', 'done'],
  lines: ['product', 'location', 'available', 'qty', 'pickedQty', 'doneQty', 'shortQty', 'amount', 'reason'],
  write: ['product', 'available', 'qty', 'location', 'reason'],
  none: '货物离开公司时使用出库单。审核通过后占用库存，出库时按先进先出结转成本。',
};

export const transferWeb: WebKind = {
  name: 'warehouse/transfer',
  def: transfer,
  calls: loose(transferCalls),
  row: TransferRow,
  filter: TransferFilter,
  input: TransferInput,
  list: '/erp/warehouse/transfer',
  edit: '/e/w/t',
  add: 'erp:wh:transfer:add',
  way: ['draft', 'pending', 'allocating', 'shipped', 'partial', 'done'],
  lines: ['product', 'location', 'available', 'qty', 'doneQty', 'shortQty', 'fee', 'reason'],
  write: ['product', 'available', 'qty', 'location', 'fee', 'reason'],
  none: '调拨、报废、修复、送检、验收入库和海外退货都是仓库之间的调库，成本和库龄随货转移。',
};

export const overseasWeb: WebKind = {
  name: 'warehouse/overseas',
  def: overseas,
  calls: loose(overseasCalls),
  row: OverseasRow,
  filter: OverseasFilter,
  input: OverseasInput,
  list: '/erp/warehouse/overseas/stock',
  edit: '/e/w/os/s',
  add: 'erp:wh:oversea:add',
  way: ['draft', 'pending', 'allocating', 'packing', 'shipped', 'partial', 'done'],
  lines: transferWeb.lines,
  write: transferWeb.write,
  none: '把国内仓库的货发往海外仓：审核占用库存，配货、装箱后发货转为在途，海外仓分批收货，头程运费进入成本。',
};

export const exchangeWeb: WebKind = {
  name: 'warehouse/exchange',
  def: exchange,
  calls: loose(exchangeCalls),
  row: ExchangeRow,
  filter: ExchangeFilter,
  input: ExchangeInput,
  list: '/erp/warehouse/exchange',
  edit: '/e/w/e/c',
  add: 'erp:wh:exchange:add',
  way: ['draft', 'pending', 'done'],
  lines: ['product', 'available', 'toProduct', 'toAvailable', 'qty', 'amount', 'reason'],
  write: ['product', 'available', 'toProduct', 'qty', 'location', 'reason'],
  none: '把一个SKU的库存换成另一个SKU，成本和库龄随货转移，没有盈亏。',
};

export const stocktakeWeb: WebKind = {
  name: 'warehouse/stocktake',
  def: stocktake,
  calls: loose(stocktakeCalls),
  row: StocktakeRow,
  filter: StocktakeFilter,
  input: StocktakeInput,
  list: '/erp/warehouse/stocktake',
  edit: '/e/w/s',
  add: 'erp:wh:stocktake:add',
  way: ['draft', 'counting', 'recounting', 'pending', 'done'],
  lines: ['product', 'location', 'lotNo', 'bookQty', 'countedQty', 'recountQty', 'diff', 'amount', 'reason'],
  write: [],
  none: '冻结盘点期间范围内的库存不能出入；动态盘点不影响作业，差异按录入时的账面计算。',
};

export const assemblyWeb: WebKind = {
  name: 'warehouse/assembly',
  def: assembly,
  calls: loose(assemblyCalls),
  row: AssemblyRow,
  filter: AssemblyFilter,
  input: AssemblyInput,
  list: '/erp/warehouse/assembly',
  edit: '/e/w/a',
  add: 'erp:wh:assembly:add',
  way: ['draft', 'pending', 'ready', 'processing', 'done'],
  lines: ['product', 'available', 'qtyPer', 'qty', 'doneQty', 'amount', 'reason'],
  write: ['product', 'available', 'qtyPer', 'qty', 'reason'],
  none: '把子件组装成套装，或把套装拆成子件。组装成本等于用料成本加加工费。',
};

/** The call of a command by its name, e.g. approve. */
export function commandOf(kind: WebKind, name: string) {
  const call = (kind.calls as unknown as Record<string, (typeof inboundCalls)['approve']>)[name];
  if (!call) throw new Error(`${kind.name} has no call ${name}`);
  return call;
}
