import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  countExchanges,
  createExchange,
  exchangeDetail,
  exchangeSteps,
  receiveExchange,
  terminateExchange,
} from '../contract/exchange.ts';
import { closeLines } from '../contract/order-calls.ts';
import { receiveGoods, reverseReceipt } from '../contract/receipt.ts';
import { createReturn, returnSteps } from '../contract/return.ts';
import { saveSetting } from '../contract/setting.ts';
import { type Buyers, balances, createBuyers, detailOf, lineOf, placedOrder } from './support.ts';

let world: World;
let buyers: Buyers;

const SKUS = ['P', 'Q', 'R'];

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, SKUS);
});
afterAll(() => world.close());

interface Act {
  kind: 'receive' | 'return' | 'exchange' | 'close' | 'reverse';
  qty: number;
}

const acts = fc.array(
  fc.record({
    kind: fc.constantFrom<Act['kind']>(
      'receive',
      'receive',
      'receive',
      'return',
      'exchange',
      'exchange',
      'reverse',
      'close',
    ),
    qty: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 20, maxLength: 20 },
);

/** Pieces are exchanged: some of the good ones come, and of half of the exchanges the rest never does. */
async function exchange(id: string, lineId: string, qty: number): Promise<void> {
  const body = { orderId: id, warehouseId: buyers.main, reason: '试', lines: [{ lineId, qty }] };
  const made = await buyers.owner.send(createExchange, { body });
  if (made.code !== 201) return;
  const doc = made.data.id;
  await buyers.owner.send(exchangeSteps.confirm, { body: { id: doc } });
  const [mine] = (await buyers.owner.call(exchangeDetail, { params: { id: doc } })).lines;
  const come = { id: doc, lines: [{ lineId: mine?.id ?? '', qty: Math.ceil(qty / 2) }] };
  // Two keepers book the same truck; what is beyond the exchange is refused.
  await Promise.all([1, 2].map(() => buyers.keeper.send(receiveExchange, { body: come })));
  if (qty % 2 === 0) return;
  const ending = qty % 3 === 0 ? 'CREDIT' : 'BACK';
  await buyers.owner.send(terminateExchange, { body: { id: doc, ending, reason: '试' } });
}

/** One act of somebody who does not know what the others do; whether it was accepted does not matter here. */
async function take(act: Act, id: string, sku: string): Promise<void> {
  const line = await lineOf(buyers, id, sku);
  if (act.kind === 'receive') {
    await buyers.keeper.send(receiveGoods, { body: { id, lines: [{ lineId: line.id, qty: act.qty }] } });
  } else if (act.kind === 'close') {
    const part = act.qty % 2 === 0 ? { lines: [{ lineId: line.id, qty: act.qty }] } : {};
    await buyers.chief.send(closeLines, { body: { id, reason: '试', ...part } });
  } else if (act.kind === 'reverse') {
    const came = (await detailOf(buyers, id)).receipts.find((row) => row.kind === 'receipt' && row.state === '已入库');
    if (came) await buyers.owner.send(reverseReceipt, { body: { id: came.documentId, reason: '试' } });
  } else if (act.kind === 'exchange') {
    await exchange(id, line.id, act.qty);
  } else {
    const lines = [{ lineId: line.id, qty: act.qty }];
    const way = act.qty % 2 === 0 ? 'CREDIT' : 'REPLACE';
    const made = await buyers.owner.send(createReturn, {
      body: { orderId: id, warehouseId: buyers.main, way, reason: '试', lines },
    });
    if (made.code !== 201) return;
    for (const step of ['submit', 'approve', 'ship'] as const) {
      await buyers.owner.send(returnSteps[step], { body: { id: made.data.id } });
    }
  }
}

/** Whatever twenty people did: never more than ordered, and stock, debt and what is waited for tell the same story. */
async function requireSound(id: string, sku: string): Promise<void> {
  const line = await lineOf(buyers, id, sku);
  const { order, receipts } = await detailOf(buyers, id);
  expect(line.received - line.replaced + line.cancelled).toBeLessThanOrEqual(Math.floor(line.qty * 1.1));
  expect(line.returned + line.exchanging).toBeLessThanOrEqual(line.received);
  expect(line.openQty).toBe(Math.max(0, line.qty - line.cancelled - line.received + line.replaced));
  const stock = await balances(world, buyers, sku);
  expect(stock.EXPECTED ?? 0).toBe(line.openQty + line.exchanging);
  expect(stock.AVAILABLE ?? 0).toBe(line.received - line.returned - line.exchanging);
  const events = sum(receipts.map((row) => row.amount ?? '0'));
  expect(new Decimal(order.dueAmount ?? 0).toFixed(4)).toBe(new Decimal(events).toFixed(4));
  // Taking a receipt back takes back what it added, to the cent; a cent of rounding may wait for the next event.
  const exact = new Decimal(line.unitPrice ?? 0).times(line.received - line.returned);
  expect(
    exact
      .minus(order.dueAmount ?? 0)
      .abs()
      .lte('0.05'),
  ).toBe(true);
}

it('twenty people at once never receive, return, exchange and close more than was ordered', async () => {
  await buyers.owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0.1', priceRise: '0.05', changeTolerance: '0' },
  });
  let next = 0;
  await fc.assert(
    fc.asyncProperty(acts, async (drawn) => {
      const sku = SKUS[next % SKUS.length] ?? 'P';
      next += 1;
      const { id } = await placedOrder(buyers, [{ sku, qty: 100, unitPrice: '3.333333' }]);
      const { id: lineId } = await lineOf(buyers, id, sku);
      await buyers.keeper.call(receiveGoods, { body: { id, lines: [{ lineId, qty: 30 }] } });
      await Promise.all(drawn.map((act) => take(act, id, sku)));
      await requireSound(id, sku);
    }),
    { numRuns: 3, endOnFailure: true },
  );
  const { all = 0, pending = 0 } = await buyers.owner.call(countExchanges, { body: { filter: {} } });
  expect(all - pending, 'exchanges that were confirmed').toBeGreaterThan(0);
});
