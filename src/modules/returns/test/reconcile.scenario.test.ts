import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { countReconciled, type ReconcileFilter, reconciled } from '../contract/reconcile.ts';
import { book, buy, comeBack, foldCases, markAll, sendBack } from './support.ts';

let world: World;
let owner: Person;
let account: string;
let today: string;

/** What is made of one order: days before today of its refund and return, and the lines of its refund. */
interface Made {
  sku: string;
  refundedAgo?: number;
  returnedAgo?: number;
  refund?: string;
  own?: boolean;
  paid?: boolean;
}
const MADE: readonly Made[] = [
  { sku: 'MATCHED', refundedAgo: 50, returnedAgo: 60, refund: '-20.00' },
  // The 45th day is still one to wait on.
  { sku: 'WAITING', refundedAgo: 45, refund: '-20.00' },
  { sku: 'KEPT', refundedAgo: 46, refund: '-20.00' },
  { sku: 'UNREFUNDED', returnedAgo: 5 },
  { sku: 'OVER', refundedAgo: 3, returnedAgo: 8, refund: '-20.01' },
  // Its sale is in no book: what the order says was paid counts.
  { sku: 'OVER-ORDER', refundedAgo: 3, returnedAgo: 8, refund: '-25.00', paid: false },
  { sku: 'OWN', refundedAgo: 3, returnedAgo: 4, refund: '-10.00', own: true },
  // Refunded in the period, come back long before it.
  { sku: 'EARLY', refundedAgo: 20, returnedAgo: 120, refund: '-20.00' },
];

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = (await makeSellerAccount(world, owner)).id;
  today = await world.as(owner, async (ctx) => ctx.clock.today());
  await world.as(owner, async (ctx) => {
    for (const { sku, refundedAgo, returnedAgo, refund = '0', own, paid = true } of MADE) {
      const order = await buy(ctx, {
        account,
        sku,
        day: dayAfter(today, -150),
        fulfilledBy: own ? 'MERCHANT' : 'AMAZON',
      });
      if (paid)
        await book(ctx, {
          account,
          sku,
          order,
          day: dayAfter(today, -149),
          lines: [
            ['Order', 'PRINCIPAL', '22.00'],
            ['Order', 'PROMOTION', '-2.00'],
            ['Order', 'COMMISSION', '-3.00'],
          ],
        });
      if (refundedAgo !== undefined)
        await book(ctx, {
          account,
          sku,
          order,
          day: dayAfter(today, -refundedAgo),
          lines: [
            ['Refund', 'REFUND_PRINCIPAL', refund],
            ['Refund', 'REFUND_FEE_BACK', '2.40'],
          ],
        });
      const back = { account, sku, order, day: dayAfter(today, -(returnedAgo ?? 0)) };
      if (returnedAgo !== undefined) await (own ? sendBack(ctx, back) : comeBack(ctx, back));
    }
    await markAll(ctx);
    await foldCases(ctx);
  });
});
afterAll(() => world.close());

const list = (filter: ReconcileFilter = {}) => owner.call(reconciled.list, { body: { pagesize: 100, filter } });

test('each order with a refund or a return has the state that its money and its goods give it', async () => {
  const { records, total } = await list();
  expect(Object.fromEntries(records.map((row) => [row.product.code, row.state]))).toEqual({
    MATCHED: 'matched',
    WAITING: 'waiting',
    KEPT: 'kept',
    UNREFUNDED: 'unrefunded',
    OVER: 'over',
    'OVER-ORDER': 'over',
    OWN: 'matched',
    EARLY: 'matched',
  });
  expect(total).toBe(MADE.length);
  const of = (sku: string) => records.find((row) => row.product.code === sku);
  expect(of('OVER')).toMatchObject({
    paid: '20.0000',
    refund: '20.0100',
    over: '0.0100',
    currency: 'USD',
    channel: 'FBA',
  });
  expect(of('OVER-ORDER')).toMatchObject({ paid: '20.0000', refund: '25.0000', over: '5.0000' });
  expect(of('UNREFUNDED')).toMatchObject({ refund: null, daysOpen: null, returned: 1 });
  expect(of('KEPT')).toMatchObject({ daysOpen: 46, returned: 0, returnedOn: null, claim: null });
  expect(of('OWN')).toMatchObject({ channel: 'FBM' });
});

test('counts, totals and files agree with the rows, and a period keeps the other half of its rows', async () => {
  const counts = await owner.call(countReconciled, { body: { filter: { state: 'over' } } });
  expect(counts).toEqual({ over: 2, kept: 1, unrefunded: 1, waiting: 1, matched: 3, all: 8 });
  const over = await list({ state: 'over' });
  expect(over.total).toBe(2);
  expect(over.totals).toMatchObject({
    refund: '45.0100',
    over: '5.0100',
    paid: '40.0000',
    returned: 2,
    currency: 'USD',
  });
  const dates = { from: dayAfter(today, -21), to: dayAfter(today, -19) };
  expect((await list({ dates })).records).toMatchObject([
    { state: 'matched', returned: 1, returnedOn: dayAfter(today, -120) },
  ]);
  expect((await list({ channel: 'FBM' })).total).toBe(1);
  const file = await owner.send(reconciled.export, {
    body: { format: 'csv', columns: ['orderId', 'over'], filter: { state: 'over' } },
  });
  expect(file.raw.toString('utf8').trim().split('\r\n')).toHaveLength(3);
});

test('nobody else sees any of it', async () => {
  const stranger = await world.owner('别家');
  expect((await stranger.call(reconciled.list, { body: { filter: {} } })).total).toBe(0);
  expect(await stranger.call(countReconciled, { body: { filter: {} } })).toEqual({ all: 0 });
});
