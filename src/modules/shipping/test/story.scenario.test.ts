import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listItems } from '#modules/finance/contract/payables.ts';
import { checkMoney } from '#modules/finance/server/index.ts';
import { scanPack, scanPick, scanResolve } from '#modules/warehouse/contract/scan.ts';
import { balances, layers, productOf } from '#test/support/house.ts';
import { US } from '#test/support/seller.ts';
import { addBox, closeBox, packTask, scanIntoBox } from '../contract/box/calls.ts';
import { printCartonLabels } from '../contract/box/labels.ts';
import { checkClaim, fileClaim, listClaims } from '../contract/claim/calls.ts';
import { freightSteps, saveFreightBill } from '../contract/freight/calls.ts';
import { inboundLabels } from '../contract/inbound.ts';
import { shipSteps } from '../contract/order-calls.ts';
import { savePlan } from '../contract/plan.ts';
import { submitPlan } from '../contract/plan-submit.ts';
import { addCard, carrierDetail, saveCarrier } from '../contract/transport/calls.ts';
import { createSupplier } from './freight/support.ts';
import { carried, detail, gone, placed, prepared, turns, viewOf } from './inbound-support.ts';
import { createSender, DAY, type Sender } from './stream-support.ts';

let sender: Sender;

beforeAll(async () => {
  sender = await createSender(500);
});
afterAll(() => sender.world.close());

/** Pieces of an SKU at Amazon, as our ledger has them. */
async function there(sku: string): Promise<Record<string, number>> {
  const { world, house } = sender;
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ status: string; qty: number }>`
      SELECT b.status, sum(b.qty)::int AS qty FROM warehouse.stock_balance AS b
        JOIN warehouse.warehouse AS w ON w.company_id = b.company_id AND w.id = b.warehouse_id AND w.kind = 'FBA'
       WHERE b.company_id = ${ctx.companyId} AND b.product_id = ${productOf(house, sku)} AND b.qty <> 0 GROUP BY 1 ORDER BY 1`.execute(
      ctx.db,
    );
    return Object.fromEntries(rows.map((row) => [row.status, row.qty]));
  });
}

/** CNY in the layers of an SKU's pieces at Amazon or on their way there, and what late costs came to beside them. */
async function worth(sku: string): Promise<{ layers: string; variance: string }> {
  const { world, house } = sender;
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ layers: string; variance: string }>`
      SELECT (SELECT coalesce(trim_scale(sum(l.amount_remaining)), 0)::text FROM warehouse.cost_layer AS l
                JOIN warehouse.warehouse AS w ON w.company_id = l.company_id AND w.id = l.warehouse_id AND w.kind = 'FBA'
               WHERE l.company_id = ${ctx.companyId} AND l.product_id = ${productOf(house, sku)} AND l.open) AS layers,
             (SELECT coalesce(trim_scale(sum(r.variance)), 0)::text FROM warehouse.revaluation AS r
               WHERE r.company_id = ${ctx.companyId} AND r.product_id = ${productOf(house, sku)}) AS variance`.execute(
      ctx.db,
    );
    return rows[0] ?? { layers: '', variance: '' };
  });
}

/** A carrier with one sea channel, paid through a supplier. */
async function carrier(): Promise<{ carrierId: string; supplierId: string }> {
  const { owner } = sender.house;
  const supplierId = await createSupplier(owner, '远航货代');
  const { id } = await owner.call(saveCarrier, {
    body: { name: '远航', supplierId, channels: [{ name: '美西海派', mode: 'SEA', country: 'US' }] } as never,
  });
  const { channels } = await owner.call(carrierDetail, { params: { id } });
  await owner.call(addCard, {
    body: {
      channelId: channels[0]?.id ?? '',
      validFrom: sender.world.clock.today(),
      currency: 'CNY',
      tiers: [{ from: '1', price: '20' }],
    } as never,
  });
  return { carrierId: id, supplierId };
}

/** A bill for one order that is confirmed by somebody else than who entered it. */
async function billed(carrierId: string, reference: string, amount: string, kind: string): Promise<void> {
  const { owner } = sender.house;
  const clerk = await sender.world.member(owner, ['erp:freight:view', 'erp:freight:add', 'amz:ship:view']);
  const { id } = await clerk.call(saveFreightBill, {
    body: {
      carrierId,
      billNo: randomUUID(),
      day: sender.world.clock.today(),
      lines: [{ reference, amount, kind }],
    } as never,
  });
  await clerk.call(freightSteps.submit, { body: { id } });
  await owner.call(freightSteps.confirm, { body: { id } });
}

async function owed(supplierId: string): Promise<string[]> {
  const body = { filter: { party: [supplierId], book: 'PAYABLE' as const } };
  const { records } = await sender.house.owner.call(listItems, { body });
  return records.map(({ currency, open }) => `${currency} ${Number(open).toFixed(2)}`).sort();
}

const broken = () =>
  sender.world.as(sender.house.owner, async (ctx) => (await checkMoney(ctx)).filter((result) => result.broken > 0));

test('from a need to the money for three lost pieces; stock, layers, payables and Amazon agree all the way', async () => {
  const { world, house, way, accountId, skus, turn, pass, readPayments } = sender;
  const { owner, main } = house;
  const [first, second] = skus;
  await world.as(owner, async (ctx) => {
    for (const sku of skus) {
      await sql`INSERT INTO product.dimension (company_id, product_id, role, length, width, height, weight)
        VALUES (${ctx.companyId}, ${productOf(house, sku)}, 'packed', 10, 10, 6, 0.2)`.execute(ctx.db);
    }
  });

  // A need is planned and handed in: a draft of an order that the product brings to Amazon by itself.
  const { ids } = await owner.call(savePlan, {
    body: {
      items: [
        { authid: accountId, marketplaceId: US, msku: first, qty: 40, warehouseId: main },
        { authid: accountId, marketplaceId: US, msku: second, qty: 24, warehouseId: main },
      ],
    },
  });
  const { orders } = await owner.call(submitPlan, { body: { groups: [{ ids, warehouseId: main, transport: 'SEA' }] } });
  const id = orders[0]?.id ?? '';
  await owner.call(shipSteps.submit, { body: { id } });
  const lead = await world.member(owner, ['amz:ship:view', 'amz:ship:audit']);
  await lead.call(shipSteps.approve, { body: { id } });
  expect(await balances(world, house, first)).toEqual({ AVAILABLE: 460, RESERVED: 40 });
  expect(await prepared(sender, id)).toMatchObject({ state: 'waiting', words: '等待完成配货' });

  // Picked with a phone: the sheet's code opens the order, the last piece ends the picking.
  const meant = await owner.call(scanResolve, { body: { code: `PS.${id}`, warehouseId: main } });
  expect(meant).toMatchObject({ means: 'document', kind: 'ship', id });
  const { task } = await owner.call(scanPack, { query: { warehouseId: main, kind: 'ship', id } });
  for (const { lineId, want } of task?.lines ?? []) {
    await owner.call(scanPick, {
      body: { kind: 'ship', id, clientId: randomUUID(), lines: [{ lineId, qty: want ?? 0 }] },
    });
  }
  expect((await detail(sender, id)).order).toMatchObject({ state: 'packing', pickedQty: 64 });

  // Two mixed boxes, scan by scan; more than was picked does not go in.
  for (const no of [1, 2]) {
    await owner.call(addBox, { body: { id, clientId: randomUUID() } });
    await owner.call(scanIntoBox, { body: { id, boxNo: no, clientId: randomUUID(), code: first, qty: 20 } as never });
    await owner.call(scanIntoBox, { body: { id, boxNo: no, clientId: randomUUID(), code: second, qty: 12 } as never });
    const measures = { length: '50', width: '40', height: '30', weight: '12' };
    await owner.call(closeBox, { body: { id, boxNo: no, measures } as never });
  }
  expect((await owner.call(packTask, { params: { id } })).lines.every((line) => line.boxed === line.picked)).toBe(true);
  await owner.call(shipSteps.packed, { body: { id } });

  // Amazon offers; two warehouses are chosen, a carrier of our own and windows; labels come by themselves.
  const chosen = await placed(sender, id, 2);
  expect(chosen.shipments.map(({ boxes }) => boxes.length)).toEqual([1, 1]);
  const labelled = await carried(sender, id);
  expect(labelled).toMatchObject({ words: '标签已就绪，等待发货出库' });
  for (const { shipmentId } of labelled.shipments) {
    const { raw } = await owner.send(inboundLabels, { params: { id, shipmentId }, query: {} });
    expect(raw.toString('latin1')).toContain('/Type /Page');
  }
  const cartons = await owner.send(printCartonLabels, { body: { id, content: 'QR' } as never });
  expect(cartons.raw.subarray(0, 5).toString()).toBe('%PDF-');

  // It leaves: on its way with its cost, and Amazon knows of every piece.
  expect(await gone(sender, id)).toMatchObject({ state: 'ended' });
  expect(await balances(world, house, first)).toEqual({ AVAILABLE: 460 });
  expect(await there(first)).toEqual({ IN_TRANSIT: 40 });
  expect(await worth(first)).toEqual({ layers: '80', variance: '0' });
  expect((await layers(world, house, first)).map((text) => text.split(' ')[0])).toEqual(['460@920.0000']);
  const numbers = (await viewOf(sender, id)).shipments.map(({ shipmentNo }) => shipmentNo);
  const announced = async (sku: string) => {
    const counts = await Promise.all(numbers.map((no) => way.received(no)));
    return counts.map((count) => count[sku] ?? [0, 0]);
  };
  expect(await announced(first)).toEqual([
    [20, 0],
    [20, 0],
  ]);

  // The forwarder's bill, found by Amazon's number, goes into the layers: 480.00 over 40 and 24 alike pieces.
  const { carrierId, supplierId } = await carrier();
  await billed(carrierId, numbers[0] ?? '', '480.00', 'FREIGHT');
  expect(await worth(first)).toEqual({ layers: '380', variance: '0' });
  expect(await worth(second)).toEqual({ layers: '228', variance: '0' });
  expect(await owed(supplierId)).toEqual(['CNY 480.00']);

  // Amazon counts three too few, and closes both shipments.
  const [no = ''] = numbers;
  await way.control({ action: 'found', shipment: no, lines: [{ msku: first, missing: 3 }] });
  for (const shipment of numbers) await way.control({ action: 'move', shipment, status: 'CLOSED' });
  await turn(id);
  expect((await detail(sender, id)).order).toMatchObject({ state: 'done', receivedQty: 61 });
  expect(await there(first)).toEqual({ AVAILABLE: 37 });
  expect(await there(second)).toEqual({ AVAILABLE: 24 });
  expect((await announced(first)).reduce((sum, [, received = 0]) => sum + received, 0)).toBe(37);
  // 2.00 and 7.50 of freight for each of the three are gone with them.
  expect(await worth(first)).toEqual({ layers: '351.5', variance: '0' });

  // A surcharge comes late: 12.50 for the forty, of which three are no more, and 7.50 for the others.
  await billed(carrierId, numbers[1] ?? '', '20.00', 'SURCHARGE');
  expect(await worth(first)).toEqual({ layers: '363.0625', variance: '0.9375' });
  expect(await worth(second)).toEqual({ layers: '235.5', variance: '0' });
  expect(await owed(supplierId)).toEqual(['CNY 20.00', 'CNY 480.00']);
  expect(await broken()).toEqual([]);

  // The loss is claimed and paid.
  const claims = async () => (await owner.call(listClaims, { body: { filter: { keyword: no } } })).records;
  const [found] = await claims();
  expect(found).toMatchObject({ state: 'found', msku: first, qty: 3, value: '28.5000' });
  const claim = found?.id ?? '';
  await owner.call(checkClaim, { body: { id: claim, cause: 'AMAZON' } });
  await owner.call(fileClaim, { body: { id: claim, caseNo: '17099001' } });
  await pass(4 * DAY);
  await readPayments();
  expect(await claims()).toMatchObject([{ state: 'paid', paidQty: 3, currency: 'USD' }]);
  // Nothing is left to be done, at whichever turn one looks.
  expect(await turns(sender, id)).toMatchObject({ state: 'ended' });
});
