import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { AssemblyRow, assemblyCalls, assemblyParts } from '../../contract/documents/assembly.ts';
import type { AnyFilter, DocumentCalls } from '../../contract/documents/calls.ts';
import {
  locationChoices as locationCall,
  otherWarehouse,
  productChoices,
  readSetting,
  saveSetting,
  warehouseChoices,
} from '../../contract/documents/choices.ts';
import { ExchangeRow, exchangeCalls } from '../../contract/documents/exchange.ts';
import type { WarehouseChoice } from '../../contract/documents/fields.ts';
import { InboundRow, inboundCalls } from '../../contract/documents/inbound.ts';
import { OutboundRow, outboundCalls } from '../../contract/documents/outbound.ts';
import { OverseasRow, overseasCalls } from '../../contract/documents/overseas.ts';
import { StocktakeRow, stocktakeCalls } from '../../contract/documents/stocktake.ts';
import { TransferRow, transferCalls } from '../../contract/documents/transfer.ts';
import { act, type CommandInput, type Effect } from './core/act.ts';
import type { StockKind } from './core/load.ts';
import { mayMove, maySee, type Warehouse, warehouses } from './core/places.ts';
import { type SaveInput, save } from './core/save.ts';
import { putSetting, settingOf } from './core/setting.ts';
import { assemblyEffects, assemblyKind, checkAssembly, partsFor } from './kinds/assembly.ts';
import { putBoxes, readBoxes } from './kinds/boxes.ts';
import { enterCount } from './kinds/count.ts';
import { checkExchange, exchangeEffects, exchangeKind } from './kinds/exchange.ts';
import { inboundEffects, inboundKind, receive } from './kinds/inbound.ts';
import { checkOutbound, outboundEffects, outboundKind, pick } from './kinds/outbound.ts';
import { checkOverseas, overseasEffects, overseasKind, receiveOverseas, receiveTotals } from './kinds/overseas.ts';
import { putWay, splitOverseas } from './kinds/overseas-head.ts';
import { checkStocktake, stocktakeEffects, stocktakeKind, submitCount } from './kinds/stocktake.ts';
import { checkTransfer, receiveTransfer, transferEffects, transferKind } from './kinds/transfer.ts';
import { detailOf, headOf } from './read/detail.ts';
import { countStates, listDocuments, streamDocuments } from './read/list.ts';
import { printMarks } from './read/marks.ts';
import { printDocument, printLabels } from './read/print.ts';
import { exportLines, readLines, templateOf } from './read/sheet.ts';
import { choices, locationChoices } from './read/stock.ts';

/** The calls that every kind has. The types of rows and filters differ by kind, what is done with them does not. */
function common(calls: DocumentCalls, kind: StockKind, row: z.ZodObject): AnyRoute[] {
  return [
    serve(calls.list, async (ctx, { body }) => (await listDocuments(ctx, kind, row, body as never)) as never),
    serve(calls.counts, (ctx, { body }) => countStates(ctx, kind, (body as { filter: AnyFilter }).filter)),
    serveOpen(calls.export, (open, { body }) =>
      download(open, async (ctx) => ({
        name: `${kind.def.title}-${ctx.clock.today()}`,
        sheet: kind.def.title,
        format: body.format,
        columns: exportColumns(ctx, row, body.columns),
        rows: await streamDocuments(ctx, kind, row, body as never),
        audit: { action: `导出${kind.def.title}`, resource: kind.def.name, filter: body.filter },
      })),
    ),
    serve(calls.data, async (ctx, { params }) => (await detailOf(ctx, kind, params.id)) as never),
    serve(calls.template, async (ctx) => templateOf(ctx, kind)),
    serve(calls.lines, (ctx, { params }) => exportLines(ctx, kind, params.id)),
    serve(calls.print, (ctx, { params }) => printDocument(ctx, kind, params.id)),
    serve(calls.labels, (ctx, { params }) => printLabels(ctx, kind, params.id)),
    serveOpen(calls.upload, (open, { body }) =>
      readLines(open, kind, (body as { warehouseId?: string } | undefined)?.warehouseId ?? ''),
    ),
    ...noteRoutes(calls.notes, { def: kind.def, find: (ctx, id) => headOf(ctx, kind, id) }),
  ];
}

type Steps = Record<string, { path: string } & Parameters<typeof serve>[0]>;

/** Commands that are one transition each. */
function transitions(
  calls: object,
  kind: StockKind,
  names: readonly string[],
  effects: Record<string, Effect>,
): AnyRoute[] {
  return names.flatMap((name) => {
    const call = (calls as Steps)[name];
    if (!call) throw new Error(`${kind.name} has no call ${name}`);
    return [
      serve(
        call,
        (ctx, { body }): Promise<Outcome> => act(ctx, kind, name, body as unknown as CommandInput, effects[name]),
      ),
    ];
  });
}

/** Warehouses that documents may use and that pass a test. */
async function usable(ctx: Ctx, wanted: (one: Warehouse) => boolean): Promise<WarehouseChoice[]> {
  return [...(await warehouses(ctx)).values()]
    .filter((one) => !one.disabled && one.kind !== 'FBA' && one.kind !== 'AWD' && wanted(one))
    .map(({ id, name, kind, quality, country }) => ({
      id,
      name,
      kind: kind as WarehouseChoice['kind'],
      quality,
      country,
      mine: mayMove(ctx, id),
    }));
}

/** Warehouses whose code or name is this, whatever its case. */
function called(ctx: Ctx, text: string): Promise<WarehouseChoice[]> {
  const wanted = text.toLowerCase();
  return usable(ctx, (one) => one.code.toLowerCase() === wanted || one.name.toLowerCase() === wanted);
}

const APPROVAL = ['submit', 'approve', 'reject', 'cancel'];

/** Every call of the warehouse's documents. */
export const documentRoutes: AnyRoute[] = [
  ...common(inboundCalls as unknown as DocumentCalls, inboundKind, InboundRow),
  ...transitions(inboundCalls, inboundKind, [...APPROVAL, 'close', 'reverse'], inboundEffects),
  serve(inboundCalls.save, (ctx, { body }) => save(ctx, inboundKind, body)),
  serve(inboundCalls.receive, (ctx, { body }) => receive(ctx, body)),

  ...common(outboundCalls as unknown as DocumentCalls, outboundKind, OutboundRow),
  ...transitions(outboundCalls, outboundKind, [...APPROVAL, 'ship', 'reverse'], outboundEffects),
  serve(outboundCalls.save, (ctx, { body }) => save(ctx, outboundKind, body, checkOutbound)),
  serve(outboundCalls.pick, (ctx, { body }) => pick(ctx, body)),

  ...common(transferCalls as unknown as DocumentCalls, transferKind, TransferRow),
  ...transitions(transferCalls, transferKind, [...APPROVAL, 'ship', 'close', 'direct'], transferEffects),
  serve(transferCalls.save, (ctx, { body }) => save(ctx, transferKind, body, checkTransfer)),
  serve(transferCalls.receive, (ctx, { body }) => receiveTransfer(ctx, body)),

  ...common(overseasCalls as unknown as DocumentCalls, overseasKind, OverseasRow),
  ...transitions(overseasCalls, overseasKind, [...APPROVAL, 'pack', 'unpack', 'ship', 'close'], overseasEffects),
  serve(overseasCalls.save, (ctx, { body }) => save(ctx, overseasKind, body, checkOverseas)),
  serve(overseasCalls.receive, (ctx, { body }) => receiveOverseas(ctx, body)),
  serve(overseasCalls.totals, (ctx, { body }) => receiveTotals(ctx, body)),
  serve(overseasCalls.split, (ctx, { body }) => splitOverseas(ctx, body)),
  serve(overseasCalls.putWay, (ctx, { body }) => putWay(ctx, body)),
  serve(overseasCalls.boxes, (ctx, { params }) => readBoxes(ctx, overseasKind, params.id)),
  serve(overseasCalls.putBoxes, (ctx, { body }) => putBoxes(ctx, overseasKind, body)),
  serve(overseasCalls.marks, (ctx, { params }) => printMarks(ctx, overseasKind, params.id)),

  ...common(exchangeCalls as unknown as DocumentCalls, exchangeKind, ExchangeRow),
  ...transitions(exchangeCalls, exchangeKind, [...APPROVAL, 'reverse'], exchangeEffects),
  serve(exchangeCalls.save, (ctx, { body }) => save(ctx, exchangeKind, body, checkExchange)),

  ...common(stocktakeCalls as unknown as DocumentCalls, stocktakeKind, StocktakeRow),
  ...transitions(stocktakeCalls, stocktakeKind, ['start', 'approve', 'reject', 'cancel'], stocktakeEffects),
  serve(stocktakeCalls.save, (ctx, { body: { products, locations, ...body } }) => {
    const input: SaveInput = { ...body, scope: { products, locations }, lines: [] };
    return save(ctx, stocktakeKind, input, checkStocktake);
  }),
  serve(stocktakeCalls.count, (ctx, { body }) => enterCount(ctx, 'counting', body)),
  serve(stocktakeCalls.recount, (ctx, { body }) => enterCount(ctx, 'recounting', body)),
  serve(stocktakeCalls.submit, (ctx, { body }) => submitCount(ctx, body)),

  ...common(assemblyCalls as unknown as DocumentCalls, assemblyKind, AssemblyRow),
  ...transitions(assemblyCalls, assemblyKind, [...APPROVAL, 'start', 'finish', 'reverse'], assemblyEffects),
  serve(assemblyCalls.save, (ctx, { body }) => save(ctx, assemblyKind, body, checkAssembly)),
  serve(assemblyParts, (ctx, { params, query }) => partsFor(ctx, params.id, query.qty, query.warehouseId)),

  serve(warehouseChoices, (ctx) => usable(ctx, (one) => maySee(ctx, one.id))),
  serve(otherWarehouse, (ctx, { body }) => called(ctx, body.text)),
  serve(productChoices, (ctx, { body }) => choices(ctx, body.text, body.warehouseId)),
  serve(locationCall, (ctx, { body }) => locationChoices(ctx, body.warehouseId, body.text)),
  serve(readSetting, (ctx) => settingOf(ctx)),
  serve(saveSetting, (ctx, { body }) => putSetting(ctx, body)),
];
