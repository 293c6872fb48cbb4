import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { addAccount } from '#modules/finance/contract/accounts.ts';
import { listItems, openDebts, receiveMoney, settleItems } from '#modules/finance/contract/payables.ts';
import { listRequests, payRequests, requestSteps, saveRequest } from '#modules/finance/contract/requests.ts';
import {
  addSettlement,
  confirmSettlement,
  listSettlements,
  moveSettlement,
} from '#modules/finance/contract/settlements.ts';
import { checkMoney } from '#modules/finance/server/index.ts';
import { depth } from '#test/support/depth.ts';
import { createWorld, type World, worldClock } from '#test/support/world.ts';
import { amendOrder } from '../contract/amend.ts';
import { closeLines, orderSteps, requestOrderPayment } from '../contract/order-calls.ts';
import { createReturn, returnSteps } from '../contract/return.ts';
import { saveSetting } from '../contract/setting.ts';
import { type Buyers, createBuyers, createSupplier, detailOf, lineOf, placedOrder, receive } from './support.ts';

const PEOPLE = 20;
const RUNS = depth(3, 200);
const ORDERS = 3;
const QTY = 30;
const PRICE = '3.33';
const SKU = 'P';
/** No order ever came to more: the most pieces that a change asks for, and what may come beyond. */
const MOST = new Decimal(PRICE).times((QTY + 10) * 1.1);

let world: World;
let buyers: Buyers;
let bank: string;

beforeAll(async () => {
  world = await createWorld({ poolSize: PEOPLE });
  buyers = await createBuyers(world, [SKU]);
  const { owner } = buyers;
  bank = (await owner.call(addAccount, { body: { name: '招商银行', opening: '10000000' } })).id;
  await owner.call(saveSetting, {
    body: { separateApprover: false, receiveTolerance: '0.1', priceRise: '0.05', changeTolerance: '0.5' },
  });
});
afterAll(() => world.close());

const KINDS = [
  'deposit',
  'balance',
  'statement',
  'named',
  'unnamed',
  'receive',
  'receive',
  'return',
  'amend',
  'close',
  'cancel',
  'pay',
  'pay',
  'back',
  'reverse',
  'settle',
  'refund',
] as const;

const act = fc.record({
  kind: fc.constantFrom(...KINDS),
  order: fc.integer({ min: 0, max: ORDERS - 1 }),
  cents: fc.integer({ min: 1, max: 12_000 }),
  nth: fc.nat({ max: 5 }),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

interface Stage {
  supplier: string;
  orders: string[];
}

const amountOf = ({ cents }: Act) => new Decimal(cents).div(100).toFixed(2);

const requestsOf = async (stage: Stage) =>
  (await buyers.owner.call(listRequests, { body: { pagesize: 100 } })).records.filter(
    (row) => row.partyId === stage.supplier,
  );
const itemsOf = async (stage: Stage) =>
  (await buyers.owner.call(listItems, { body: { pagesize: 100, filter: { open: 'OPEN', party: [stage.supplier] } } }))
    .records;

/** A request by the form of finance; handed in and approved where it may be. */
async function ask(stage: Stage, line: { amount: string; payableId?: string | undefined }): Promise<void> {
  const body = {
    kind: 'BALANCE' as const,
    party: { kind: 'SUPPLIER' as const, id: stage.supplier },
    lines: [{ title: '货款', ...line }],
  };
  const made = await buyers.owner.send(saveRequest, { body });
  if (made.code === 201) await hand(made.data.id);
}

async function hand(id: string): Promise<void> {
  const sent = await buyers.owner.send(requestSteps.submit, { body: { id } });
  if (sent.code === 201) await buyers.owner.send(requestSteps.approve, { body: { id } });
}

async function statement(stage: Stage): Promise<void> {
  const today = worldClock().today();
  const { owner } = buyers;
  const form = { supplierId: stage.supplier, currency: 'CNY' as const, from: today, to: today };
  await owner.send(addSettlement, { body: form });
  const { records } = await owner.call(listSettlements, { body: { pagesize: 100 } });
  const mine = records.find((row) => row.supplierId === stage.supplier && row.state === 'draft');
  if (!mine) return;
  await owner.send(confirmSettlement, { body: { id: mine.id, stated: '0', reason: '试' } });
  await owner.send(moveSettlement, { body: { id: mine.id, action: 'request', reason: '试' } });
}

/** One act of somebody who does not know what the others do; whether it is accepted does not matter here. */
async function take(one: Act, stage: Stage): Promise<void> {
  const { owner } = buyers;
  const id = stage.orders[one.order] ?? '';
  const amount = amountOf(one);
  switch (one.kind) {
    case 'deposit':
    case 'balance': {
      const kind = one.kind === 'deposit' ? 'DEPOSIT' : 'BALANCE';
      await owner.send(requestOrderPayment, { body: { id, kind, amount } });
      return;
    }
    case 'statement':
      return statement(stage);
    case 'named': {
      const debts = await owner.call(openDebts, { body: { partyId: stage.supplier, currency: 'CNY' } });
      const debt = debts[one.nth % Math.max(1, debts.length)];
      return debt && ask(stage, { amount: one.cents % 2 ? debt.open : amount, payableId: debt.id });
    }
    case 'unnamed':
      return ask(stage, { amount });
    case 'receive':
      await receive(buyers, id, SKU, 1 + (one.cents % 15)).catch(() => {});
      return;
    case 'return': {
      const line = await lineOf(buyers, id, SKU);
      const lines = [{ lineId: line.id, qty: 1 + (one.cents % 5) }];
      const made = await owner.send(createReturn, {
        body: { orderId: id, warehouseId: buyers.main, way: 'CREDIT', reason: '试', lines },
      });
      if (made.code !== 201) return;
      for (const step of ['submit', 'approve', 'ship'] as const)
        await owner.send(returnSteps[step], { body: { id: made.data.id } });
      return;
    }
    case 'amend': {
      const line = await lineOf(buyers, id, SKU);
      const lines = [{ lineId: line.id, qty: 1 + (one.cents % (QTY + 10)), unitPrice: PRICE, expectedOn: null }];
      await owner.send(amendOrder, { body: { orderId: id, reason: '试', lines } });
      return;
    }
    case 'close':
      await owner.send(closeLines, { body: { id, reason: '试' } });
      return;
    case 'cancel':
      await owner.send(orderSteps.cancel, { body: { id, reason: '试' } });
      return;
    case 'settle': {
      const items = await itemsOf(stage);
      const prepaid = items.find((row) => row.book === 'PREPAID');
      const debt = items.find((row) => row.book === 'PAYABLE');
      if (prepaid && debt)
        await owner.send(settleItems, { body: { prepaidId: prepaid.id, payableId: debt.id, amount } });
      return;
    }
    case 'refund': {
      const prepaid = (await itemsOf(stage)).find((row) => row.book === 'PREPAID');
      if (prepaid) await owner.send(receiveMoney, { body: { itemId: prepaid.id, cashAccountId: bank, amount } });
      return;
    }
    default:
      return onRequest(one, stage);
  }
}

/** Payments that were accepted: laws about money that never moved hold of themselves. */
let payments = 0;

async function onRequest({ kind, nth, cents }: Act, stage: Stage): Promise<void> {
  const { owner } = buyers;
  const all = await requestsOf(stage);
  const pick = (...states: string[]) => {
    const found = all.filter((row) => states.includes(row.state));
    return found[nth % Math.max(1, found.length)];
  };
  if (kind === 'pay') {
    const found = pick('approved', 'partly');
    if (!found) return;
    const amount = cents % 2 ? found.open : Decimal.min(found.open, new Decimal(cents).div(100)).toFixed(2);
    const requests = [{ id: found.id, amount }];
    const done = await owner.send(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests } });
    if (done.code === 201) payments += 1;
  } else if (kind === 'back') {
    const found = pick('submitted', 'approved');
    if (found) await owner.send(requestSteps.return, { body: { id: found.id, reason: '试' } });
  } else {
    const found = pick('paid', 'partly');
    if (found) await owner.send(requestSteps.reverse, { body: { id: found.id, reason: '试' } });
  }
}

/** What an order comes to, told from its lines alone. */
function worthOf({ lines }: Awaited<ReturnType<typeof detailOf>>): Decimal {
  return lines.reduce((total, line) => {
    const due = new Decimal(line.unitPrice ?? 0).times(line.received - line.returned);
    const ordered = new Decimal(line.unitPrice ?? 0).times(line.qty);
    return total.plus((line.openQty > 0 ? Decimal.max(ordered, due) : due).toDecimalPlaces(2));
  }, new Decimal(0));
}

/** What was paid, asked for and may be asked for is what the order comes to; what is beyond it was paid before it became less. */
async function requireSound(stage: Stage): Promise<void> {
  for (const id of stage.orders) {
    const detail = await detailOf(buyers, id);
    const { paid, requested, left, raised, open, prepaid } = detail.money;
    const [p, a, l] = [paid, requested, left].map((amount) => new Decimal(amount ?? 0));
    if (!p || !a || !l) throw new Error('an order has no money');
    if (!['ordered', 'closed'].includes(detail.order.state)) {
      expect([p.toFixed(2), a.toFixed(2), l.toFixed(2)]).toEqual(['0.00', '0.00', '0.00']);
      continue;
    }
    const worth = worthOf(detail);
    const beyond = Decimal.max(0, p.plus(a).minus(worth));
    expect(p.plus(a).plus(l).minus(beyond).toFixed(2), detail.order.number).toBe(worth.toFixed(2));
    expect(
      new Decimal(raised ?? 0)
        .minus(open ?? 0)
        .plus(prepaid ?? 0)
        .toFixed(2),
    ).toBe(p.toFixed(2));
    expect(p.lte(MOST)).toBe(true);
    expect(new Decimal(detail.order.paidAmount ?? 0).toFixed(2)).toBe(p.toFixed(2));
  }
  await requireSupplierSound(stage);
}

/** By supplier: what left the account and did not come back is what was paid for its orders, and nothing else. */
async function requireSupplierSound(stage: Stage): Promise<void> {
  const { rows } = await world.as(buyers.owner, (ctx) =>
    sql<{ spent: string }>`
      SELECT coalesce(sum(e.amount) FILTER (WHERE e.purpose IN ('PURCHASE', 'DEPOSIT', 'REFUND')), 0)::text AS spent
        FROM finance.open_item AS i
        JOIN finance.entry AS e ON e.company_id = i.company_id AND e.item_id = i.id
       WHERE i.company_id = ${ctx.companyId} AND i.party_id = ${stage.supplier}`.execute(ctx.db),
  );
  const details = await Promise.all(stage.orders.map((id) => detailOf(buyers, id)));
  const paid = sum(details.map((detail) => detail.money.paid ?? '0'));
  const [books] = rows;
  expect(new Decimal(books?.spent ?? 0).toFixed(2)).toBe(new Decimal(paid).toFixed(2));
  const broken = (await world.as(buyers.owner, checkMoney)).filter((result) => result.broken > 0);
  expect(broken).toEqual([]);
}

it('twenty people ask, pay, receive, change, cancel and settle at once: nothing is paid or asked for twice', {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 80, maxLength: 120 }), async (acts) => {
      const supplier = await createSupplier(buyers.owner, `供应商${randomUUID().slice(0, 8)}`);
      const orders: string[] = [];
      for (let n = 0; n < ORDERS; n += 1) {
        const made = await placedOrder({ ...buyers, supplier }, [{ sku: SKU, qty: QTY, unitPrice: PRICE }]);
        orders.push(made.id);
      }
      const stage = { supplier, orders };
      // Something to pay from the first act on.
      for (const id of orders) {
        await buyers.owner.call(requestOrderPayment, { body: { id, kind: 'DEPOSIT', amount: '20' } });
      }
      for (const { id } of await requestsOf(stage)) await buyers.owner.call(requestSteps.approve, { body: { id } });
      const left = [...acts];
      const person = async () => {
        for (let one = left.pop(); one; one = left.pop()) await take(one, stage);
      };
      await Promise.all(Array.from({ length: PEOPLE }, person));
      await requireSound(stage);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(payments).toBeGreaterThan(RUNS);
});
