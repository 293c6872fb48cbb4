import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { someKit } from '#modules/product/server/index.ts';
import { AssemblyInput } from '../../contract/documents/assembly.ts';
import { ExchangeInput } from '../../contract/documents/exchange.ts';
import { InboundInput } from '../../contract/documents/inbound.ts';
import { OutboundInput } from '../../contract/documents/outbound.ts';
import { StocktakeInput } from '../../contract/documents/stocktake.ts';
import { TransferInput } from '../../contract/documents/transfer.ts';
import { loaded } from '../documents/core/load.ts';
import { warehouses } from '../documents/core/places.ts';
import { save } from '../documents/core/save.ts';
import { assemblyEffects, assemblyKind, partsFor } from '../documents/kinds/assembly.ts';
import { enterCount } from '../documents/kinds/count.ts';
import { exchangeEffects, exchangeKind } from '../documents/kinds/exchange.ts';
import { inboundEffects, inboundKind, receive } from '../documents/kinds/inbound.ts';
import { outboundEffects, outboundKind, pick } from '../documents/kinds/outbound.ts';
import { stocktakeEffects, stocktakeKind, submitCount } from '../documents/kinds/stocktake.ts';
import { receiveTransfer, transferEffects, transferKind } from '../documents/kinds/transfer.ts';
import { demoAbroad } from './abroad.ts';
import { type DemoPlace, follow, productAt, someLines } from './shared.ts';
import { demoShelves } from './shelves.ts';

async function placeOf(ctx: Ctx): Promise<DemoPlace | undefined> {
  const byCode = new Map([...(await warehouses(ctx)).values()].map((one) => [one.code, one.id]));
  const [main, qc, overseas] = [byCode.get('SZ-A'), byCode.get('SZ-Q'), byCode.get('LA-A')];
  if (!main || !qc || !overseas) return undefined;
  const { rows } = await sql<{ id: string }>`
    SELECT p.id FROM product.local_product AS p JOIN warehouse.stock_balance AS b
        ON b.company_id = p.company_id AND b.product_id = p.id AND b.warehouse_id = ${main} AND b.status = 'AVAILABLE'
     WHERE p.company_id = ${ctx.companyId} AND p.kind = 'goods' AND p.name <> '' AND b.qty >= 100
     ORDER BY p.sku OFFSET 6 LIMIT 20`.execute(ctx.db);
  return rows.length < 20 ? undefined : { main, qc, overseas, products: rows.map((row) => row.id) };
}

/** How far each 入库单 has come; the last is there to the last piece. */
async function inbounds(ctx: Ctx, place: DemoPlace): Promise<void> {
  const stories = ['draft', 'pending', 'receiving', 'partial', 'done'] as const;
  for (const [n, story] of stories.entries()) {
    const input = InboundInput.parse({
      warehouseId: place.main,
      type: n === 1 ? 'RETURN' : 'PURCHASE',
      partner: n === 1 ? '客户退货' : '义乌恒泰日用',
      plannedOn: ctx.clock.dayAhead(n - 1),
      lines: someLines(place, n * 2, 1 + (n % 3), 60).map((line) => ({ ...line, unitCost: `${12 + n}.5` })),
    });
    const { id } = await save(ctx, inboundKind, input);
    if (story === 'draft') continue;
    await follow(ctx, inboundKind, id, story === 'pending' ? ['submit'] : ['submit', 'approve'], inboundEffects);
    if (story === 'pending' || story === 'receiving') continue;
    const doc = await loaded(ctx, inboundKind, id);
    const share = story === 'done' ? 1 : 0.4;
    const came = doc.lines.map((line) => ({ lineId: line.id, qty: Math.floor(line.qty * share) }));
    await receive(ctx, { id, lines: came });
  }
}

async function outbounds(ctx: Ctx, place: DemoPlace): Promise<void> {
  const stories = ['draft', 'pending', 'picking', 'picked', 'done'] as const;
  for (const [n, story] of stories.entries()) {
    const input = OutboundInput.parse({
      warehouseId: place.main,
      type: 'CUSTOMER',
      partner: ['杭州云帆贸易', '样品寄送', '宁波海聚电商', '上海展会', '广州乐宠商行'][n],
      ...(n > 2 ? { carrier: '顺丰速运', trackingNo: `SF14${String(7_300_518_200 + n * 7)}` } : {}),
      lines: someLines(place, 8 + n * 2, 1 + (n % 3), 6),
    });
    const { id } = await save(ctx, outboundKind, input);
    if (story === 'draft') continue;
    await follow(ctx, outboundKind, id, story === 'pending' ? ['submit'] : ['submit', 'approve'], outboundEffects);
    if (story === 'pending') continue;
    const doc = await loaded(ctx, outboundKind, id);
    const picked = story === 'picking' ? doc.lines.slice(0, 1) : doc.lines;
    const scans = picked.map((line) => ({
      lineId: line.id,
      qty: story === 'picking' ? Math.floor(line.qty / 2) : line.qty,
      short: false,
    }));
    await pick(ctx, { id, lines: scans });
    if (story === 'done') await follow(ctx, outboundKind, id, ['ship'], outboundEffects);
  }
}

async function transfers(ctx: Ctx, place: DemoPlace): Promise<void> {
  const stories = ['pending', 'allocating', 'shipped', 'partial', 'done'] as const;
  for (const [n, story] of stories.entries()) {
    const inspect = n % 2 === 0;
    const input = TransferInput.parse({
      warehouseId: place.main,
      toWarehouseId: inspect ? place.qc : place.overseas,
      type: inspect ? 'INSPECT' : 'TRANSFER',
      ...(inspect ? {} : { freight: '486', otherFee: '24', feeSplit: 'QTY', plannedOn: ctx.clock.dayAhead(6 + n) }),
      remark: inspect ? '客诉批次抽检' : '',
      lines: someLines(place, 18 + n * 2, 2, 8),
    });
    const { id } = await save(ctx, transferKind, input);
    const steps = { pending: ['submit'], allocating: ['submit', 'approve'] }[story as string];
    await follow(ctx, transferKind, id, steps ?? ['submit', 'approve', 'ship'], transferEffects);
    if (story !== 'partial' && story !== 'done') continue;
    const doc = await loaded(ctx, transferKind, id);
    const came = doc.lines.slice(0, story === 'done' ? undefined : 1);
    await receiveTransfer(ctx, { id, lines: came.map((line) => ({ lineId: line.id, qty: line.qty })) });
  }
}

/** 换货: pieces of one colour were labelled as the other. */
async function exchanges(ctx: Ctx, place: DemoPlace): Promise<void> {
  for (const [n, steps] of [[], ['submit'], ['submit', 'approve']].entries()) {
    const input = ExchangeInput.parse({
      warehouseId: place.main,
      remark: '贴错标签，按实物换码',
      lines: [{ productId: productAt(place, n * 3), toProductId: productAt(place, n * 3 + 1), qty: 3 + n }],
    });
    const { id } = await save(ctx, exchangeKind, input);
    await follow(ctx, exchangeKind, id, steps, exchangeEffects);
  }
}

/** Counts that stop nothing: one under way, one with differences to approve, one approved. */
async function counts(ctx: Ctx, place: DemoPlace): Promise<void> {
  for (const [n, story] of (['counting', 'pending', 'done'] as const).entries()) {
    const products = someLines(place, 30 + n * 3, 3, 1).map((line) => line.productId);
    const { type, mode, blind, ...head } = StocktakeInput.parse({ warehouseId: place.main, mode: 'LIVE', products });
    const scope = { products, locations: [] };
    const { id } = await save(ctx, stocktakeKind, { ...head, type, mode, blind, scope, lines: [] });
    await follow(ctx, stocktakeKind, id, ['start'], stocktakeEffects);
    const doc = await loaded(ctx, stocktakeKind, id);
    const found = doc.lines.slice(0, story === 'counting' ? 1 : undefined).map((line, index) => ({
      lineId: line.id,
      counted: (line.bookQty ?? 0) + ([-2, 0, 1][index % 3] ?? 0),
      skipped: false,
      reason: index % 3 === 0 ? '少货' : '',
    }));
    await enterCount(ctx, 'counting', { id, lines: found });
    if (story === 'counting') continue;
    await submitCount(ctx, { id });
    if (story === 'done') await follow(ctx, stocktakeKind, id, ['approve'], stocktakeEffects);
  }
}

/** Sets of the demo's kit: one order waits, one is in work, one is done. */
async function assemblies(ctx: Ctx, place: DemoPlace): Promise<void> {
  const kit = await someKit(ctx);
  if (!kit) return;
  const stories = [['submit'], ['submit', 'approve', 'start'], ['submit', 'approve', 'start', 'finish']];
  for (const [n, steps] of stories.entries()) {
    const qty = 6 + n * 2;
    const parts = await partsFor(ctx, kit, qty, place.main);
    // A part that came to be known after the stock was made has none: the demo does without this order, not without all.
    if (parts.some((part) => part.available < part.qty)) return;
    const input = AssemblyInput.parse({
      warehouseId: place.main,
      productId: kit,
      qty,
      otherFee: `${qty * 2}`,
      plannedOn: ctx.clock.dayAhead(n),
      lines: parts.map((part) => ({ productId: part.productId, qty: part.qty, qtyPer: part.qtyPer })),
    });
    const { id } = await save(ctx, assemblyKind, input);
    await follow(ctx, assemblyKind, id, steps, assemblyEffects);
  }
}

/**
 * Documents of every kind and state, boxes on their way abroad, shelves, a third-party warehouse with its list, and costs
 * that came late, for the demo company once it has stock. Does nothing where the demo's stock is not as it was made. The
 * caller may do everything.
 */
export async function demoDocuments(ctx: Ctx): Promise<void> {
  const place = await placeOf(ctx);
  if (!place) return;
  await demoShelves(ctx, place);
  for (const make of [inbounds, outbounds, transfers, exchanges, counts, assemblies]) await make(ctx, place);
  await demoAbroad(ctx, place);
}
