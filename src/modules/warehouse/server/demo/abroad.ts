import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { OverseasInput } from '../../contract/documents/overseas.ts';
import { insertWarehouse } from '../base/warehouses.ts';
import { loaded, type StockDocument } from '../documents/core/load.ts';
import { warehouses } from '../documents/core/places.ts';
import { save } from '../documents/core/save.ts';
import { putBoxes } from '../documents/kinds/boxes.ts';
import { checkOverseas, overseasEffects, overseasKind, receiveOverseas } from '../documents/kinds/overseas.ts';
import { saveList } from '../external/save.ts';
import { post } from '../ledger/post.ts';
import { addToLayer } from '../stock/revaluations.ts';
import { type DemoPlace, follow, productAt } from './shared.ts';

/** Two boxes with half of every line each. */
function halves(doc: StockDocument) {
  const size = { length: '60', width: '40', height: '40' };
  const first = doc.lines.map((line) => ({ lineId: line.id, qty: Math.ceil(line.qty / 2) }));
  const second = doc.lines.map((line) => ({ lineId: line.id, qty: line.qty - Math.ceil(line.qty / 2) }));
  return [
    { ...size, weight: '14.6', items: first },
    { ...size, weight: '13.9', items: second.filter((item) => item.qty > 0) },
  ];
}

/** 海外仓备货单 in every state that takes a while. */
async function shipments(ctx: Ctx, place: DemoPlace): Promise<void> {
  const stories = ['pending', 'allocating', 'packing', 'shipped', 'partial', 'done'] as const;
  for (const [n, story] of stories.entries()) {
    const sea = n % 2 === 1;
    const input = OverseasInput.parse({
      warehouseId: place.main,
      toWarehouseId: place.overseas,
      type: sea ? 'SEA' : 'AIR',
      partner: '启航家居',
      carrier: n > 1 ? '深圳远航货运代理' : '',
      channel: sea ? '美西普船' : '美国空派',
      trackingNo: n > 2 ? `YH2026${String(118_300 + n)}` : '',
      departedOn: n > 2 ? ctx.clock.dayAhead(-9 - n) : null,
      landedOn: n > 3 ? ctx.clock.dayAhead(-2) : null,
      plannedOn: ctx.clock.dayAhead(sea ? 26 - n : 9 - n),
      freight: `${320 + n * 45}`,
      feeSplit: 'QTY',
      lines: [0, 1, 2].map((index) => ({ productId: productAt(place, n * 3 + index + 4), qty: 10 + index * 4 })),
    });
    const { id } = await save(ctx, overseasKind, input, checkOverseas);
    const early = { pending: ['submit'], allocating: ['submit', 'approve'] }[story as string];
    await follow(ctx, overseasKind, id, early ?? ['submit', 'approve', 'pack'], overseasEffects);
    if (early) continue;
    const doc = await loaded(ctx, overseasKind, id);
    await putBoxes(ctx, overseasKind, { id, boxes: story === 'packing' ? halves(doc).slice(0, 1) : halves(doc) });
    if (story === 'packing') continue;
    await follow(ctx, overseasKind, id, ['ship'], overseasEffects);
    if (story === 'shipped') continue;
    const part = (qty: number) => (story === 'done' ? qty : Math.floor(qty / 2));
    await receiveOverseas(ctx, { id, lines: doc.lines.map((line) => ({ lineId: line.id, qty: part(line.qty) })) });
  }
}

/** A warehouse that somebody else runs: our books, and his list that differs here and there. */
async function thirdParty(ctx: Ctx, place: DemoPlace): Promise<void> {
  const code = 'NJ-3P';
  const known = [...(await warehouses(ctx)).values()].find((one) => one.code === code);
  const warehouseId =
    known?.id ??
    (await insertWarehouse(ctx, {
      code,
      name: '新泽西三方仓',
      kind: 'THIRD_PARTY',
      quality: 'GOOD',
      group: '美东三方仓',
      country: 'US',
      addressId: null,
    }));
  const products = Array.from({ length: 8 }, (_, n) => productAt(place, n));
  await post(ctx, {
    source: { type: 'warehouse.demo', id: 'third', event: 'open', number: 'QC-三方' },
    moves: products.map((product, n) => ({
      product,
      qty: 24 + n * 3,
      from: 'OPENING',
      to: { warehouse: warehouseId, status: 'AVAILABLE' },
      cost: { unit: `${9 + n}.4`, firstDay: ctx.clock.dayAhead(-30 - n * 11) },
    })),
  });
  const { rows } = await sql<{ id: string; sku: string }>`
    SELECT id, sku FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND id = ANY (${products}::uuid[])`.execute(ctx.db);
  const skus = new Map(rows.map((row) => [row.id, row.sku]));
  const differs = [0, -2, 0, 3, 0, -1, 0, 0];
  const lines = products.map((product, n) => ({
    sku: skus.get(product) ?? '',
    available: 24 + n * 3 + (differs[n] ?? 0) - (n === 4 ? 5 : 0),
    locked: n === 4 ? 5 : 0,
    inTransit: n === 6 ? 40 : 0,
  }));
  await saveList(ctx, { warehouseId, lines: [...lines, { sku: 'NJ-88214', available: 16, locked: 0, inTransit: 0 }] });
}

/** Bills that came after the pieces: some of them are still there, some were sold. */
async function lateCosts(ctx: Ctx, place: DemoPlace): Promise<void> {
  const layers = await ctx.db
    .selectFrom('warehouse.cost_layer')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('warehouse_id', '=', place.main)
    .where('open', '=', true)
    .whereRef('qty_remaining', '<', 'qty_in')
    .orderBy('id')
    .limit(3)
    .execute();
  const bills = [
    { component: 'localFreight' as const, amount: '186.5', reason: '上月国内运费账单' },
    { component: 'purchase' as const, amount: '-42', reason: '供应商价格折让' },
    { component: 'other' as const, amount: '75.2', reason: '质检机构费用' },
  ];
  for (const [n, { id }] of layers.entries()) {
    const bill = bills[n % bills.length];
    if (bill) await addToLayer(ctx, { layerId: id, clientId: randomUUID(), final: true, ...bill });
  }
}

/** What the demo company has abroad. */
export async function demoAbroad(ctx: Ctx, place: DemoPlace): Promise<void> {
  await shipments(ctx, place);
  await thirdParty(ctx, place);
  await lateCosts(ctx, place);
}
