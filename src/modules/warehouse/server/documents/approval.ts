import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { type Approvable, type ApprovalField, type ApprovalSubject, approvables } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type Extension, extend } from '#kit/server/extension.ts';
import { AssemblyType } from '../../contract/documents/assembly.ts';
import { ExchangeType } from '../../contract/documents/exchange.ts';
import { COST, VIEW } from '../../contract/documents/fields.ts';
import { InboundType } from '../../contract/documents/inbound.ts';
import { OutboundType } from '../../contract/documents/outbound.ts';
import { Transport } from '../../contract/documents/overseas.ts';
import { StocktakeType } from '../../contract/documents/stocktake.ts';
import { TransferType } from '../../contract/documents/transfer.ts';
import { act, type Effect } from './core/act.ts';
import { type Line, loaded, type StockDocument, type StockKind, TABLE } from './core/load.ts';
import { warehouseChoices, warehouses } from './core/places.ts';
import { assemblyEffects, assemblyKind } from './kinds/assembly.ts';
import { exchangeEffects, exchangeKind } from './kinds/exchange.ts';
import { inboundEffects, inboundKind } from './kinds/inbound.ts';
import { outboundEffects, outboundKind } from './kinds/outbound.ts';
import { overseasEffects, overseasKind } from './kinds/overseas.ts';
import { difference, stocktakeEffects, stocktakeKind } from './kinds/stocktake.ts';
import { transferEffects, transferKind } from './kinds/transfer.ts';
import { lastCosts } from './read/stock.ts';

/** Pieces of a line that the decision is about: of a count, how far it is from the books. */
const piecesOf = (doc: StockDocument, line: Line): number =>
  doc.kind === 'stocktake' ? Math.abs(difference(line)) : line.qty;

/** CNY that the document is about, by the price on it or by what its products last cost, with its fees. */
async function worthOf(ctx: Ctx, doc: StockDocument): Promise<Decimal> {
  const costs = await lastCosts(
    ctx,
    doc.lines.map((line) => line.product),
  );
  const sum = doc.lines.reduce(
    (total, line) => total.plus(new Decimal(line.unitCost ?? costs.get(line.product) ?? 0).times(piecesOf(doc, line))),
    new Decimal(0),
  );
  return sum.plus(doc.otherFee);
}

async function subjectOf(ctx: Ctx, kind: StockKind, types: z.ZodType, id: string): Promise<ApprovalSubject> {
  const doc = await loaded(ctx, kind, id);
  const names = await warehouses(ctx);
  const nameOf = (place: string | null) => (place === null ? '' : (names.get(place)?.name ?? ''));
  const ends = [doc.warehouse, ...(doc.toWarehouse ? [doc.toWarehouse] : [])];
  const place = ends.map(nameOf).join(' → ');
  const amount = (await worthOf(ctx, doc)).toFixed(2);
  const qty = doc.lines.reduce((total, line) => total + piecesOf(doc, line), 0);
  const skus = new Set(doc.lines.map((line) => line.product)).size;
  const type = types.meta()?.states?.[doc.type]?.title ?? doc.type;
  return {
    number: doc.number,
    summary: `${type} · ${skus} 个SKU，${doc.kind === 'stocktake' ? '差异' : '共'} ${qty.toLocaleString('en-US')} 件`,
    facts: [
      { label: '类型', value: type },
      { label: '仓库', value: place },
      { label: 'SKU数', value: String(skus) },
      { label: doc.kind === 'stocktake' ? '差异数量' : '数量', value: qty.toLocaleString('en-US') },
    ],
    amount,
    currency: 'CNY',
    place,
    warehouses: ends,
    vars: { type: doc.type, warehouse: doc.warehouse, toWarehouse: doc.toWarehouse, qty, skus },
    content: { ...doc, state: undefined, version: undefined, updatedByName: undefined },
  };
}

const twoEnded = (kind: StockKind) => kind.name === 'transfer' || kind.name === 'overseas';

function fieldsOf(kind: StockKind, types: z.ZodType): ApprovalField[] {
  const options = Object.entries(types.meta()?.states ?? {}).map(([value, { title }]) => ({ value, title }));
  return [
    { key: 'type', title: '类型', kind: 'choice', options: async () => options },
    {
      key: 'warehouse',
      title: twoEnded(kind) ? '调出仓库' : '仓库',
      kind: 'choice',
      options: warehouseChoices,
    },
    ...(twoEnded(kind)
      ? [{ key: 'toWarehouse', title: '调入仓库', kind: 'choice' as const, options: warehouseChoices }]
      : []),
    { key: 'qty', title: kind.name === 'stocktake' ? '差异数量' : '数量', kind: 'number' },
    { key: 'skus', title: 'SKU数', kind: 'number' },
  ];
}

function approvable(kind: StockKind, types: z.ZodType, effects: Record<string, Effect>): Approvable {
  return {
    def: kind.def,
    table: TABLE,
    view: VIEW,
    amountPermission: COST,
    fields: fieldsOf(kind, types),
    fixed: ['warehouse', 'toWarehouse'],
    subject: (ctx, id) => subjectOf(ctx, kind, types, id),
    take: (ctx, id, step, reason) => act(ctx, kind, step, { id, reason }, effects[step]),
  };
}

/** The kinds of documents of the warehouse that flows can approve. */
export const documentApprovals: Extension[] = [
  approvable(inboundKind, InboundType, inboundEffects),
  approvable(outboundKind, OutboundType, outboundEffects),
  approvable(transferKind, TransferType, transferEffects),
  approvable(exchangeKind, ExchangeType, exchangeEffects),
  approvable(stocktakeKind, StocktakeType, stocktakeEffects),
  approvable(assemblyKind, AssemblyType, assemblyEffects),
  approvable(overseasKind, Transport, overseasEffects),
].map((kind) => extend(approvables, kind));
