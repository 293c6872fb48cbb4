import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addAccount, addJournal, addTransfer, listAccounts, listJournal, undoJournal } from '../contract/accounts.ts';
import { listRequests, payRequests, requestSteps, saveRequest } from '../contract/requests.ts';
import { moneyOf, raisePayable } from '../server/index.ts';
import { checkLedger } from '../server/ledger/checks.ts';

const PEOPLE = 20;
const DEBT = '1000';

let world: World;
let owner: Person;
let clerk: Person;
let supplier: string;

beforeAll(async () => {
  world = await createWorld({ poolSize: PEOPLE });
  owner = await world.owner();
  clerk = await world.member(owner, ['fin:payreq:view', 'fin:payreq:apply']);
  supplier = (await owner.call(saveSupplier, { body: { shortName: '义乌箱包' } })).id;
});
afterAll(() => world.close());

/** Goods of an order came: the supplier is owed for them. */
async function owed() {
  const id = randomUUID();
  const order = { type: 'test.order', id, number: `PO-${id}` };
  const { itemId } = await world.as(owner, (ctx) =>
    raisePayable(ctx, {
      source: { type: 'purchase.receipt', id: order.id, event: 'receive', seq: 0, number: 'RK1' },
      supplierId: supplier,
      kind: 'GOODS',
      subject: order,
      currency: 'CNY',
      amount: DEBT,
      title: '到货 RK1',
    }),
  );
  return { order, debt: itemId };
}

const acts = fc.array(
  fc.record({
    kind: fc.constantFrom('ask', 'ask', 'ask', 'pay', 'reverse', 'spend', 'earn', 'move', 'undo'),
    cents: fc.integer({ min: 100, max: 70_000 }),
    nth: fc.nat({ max: 5 }),
  }),
  { minLength: PEOPLE, maxLength: PEOPLE },
);
interface Act {
  kind: string;
  cents: number;
  nth: number;
}
interface Stage extends Awaited<ReturnType<typeof owed>> {
  bank: string;
  cash: string;
}

const requestsOf = async (state?: 'approved' | 'partly' | 'paid') =>
  (await owner.call(listRequests, { body: { pagesize: 100, filter: state ? { state } : {} } })).records;

async function ask({ order, debt }: Stage, amount: string): Promise<void> {
  const body = { kind: 'BALANCE' as const, party: { kind: 'SUPPLIER' as const, id: supplier }, subject: order };
  const made = await clerk.send(saveRequest, {
    body: { ...body, lines: [{ title: '货款', amount, payableId: debt }] },
  });
  if (made.code !== 201) return;
  const sent = await clerk.send(requestSteps.submit, { body: { id: made.data.id } });
  if (sent.code === 201) await owner.send(requestSteps.approve, { body: { id: made.data.id } });
}

/** One act of somebody who does not know what the others do; whether it is accepted does not matter here. */
async function take(one: Act, stage: Stage): Promise<void> {
  const amount = new Decimal(one.cents).div(100).toFixed(2);
  const { bank, cash } = stage;
  const entry = { cashAccountId: bank, amount, memo: '' };
  if (one.kind === 'ask') return ask(stage, amount);
  if (one.kind === 'spend') await owner.send(addJournal, { body: { ...entry, direction: 'OUT' } });
  if (one.kind === 'earn') await owner.send(addJournal, { body: { ...entry, direction: 'IN' } });
  if (one.kind === 'move') await owner.send(addTransfer, { body: { fromId: bank, toId: cash, amount } });
  if (one.kind === 'undo') {
    const { records } = await owner.call(listJournal, { body: { filter: { cashAccount: [bank] } } });
    const found = records[one.nth];
    if (found) await owner.send(undoJournal, { body: { postingId: found.postingId, reason: '试' } });
  }
  if (one.kind === 'pay') {
    const found = [...(await requestsOf('approved')), ...(await requestsOf('partly'))][one.nth];
    const requests = [{ id: found?.id ?? randomUUID(), amount }];
    await owner.send(payRequests, { body: { batchId: randomUUID(), cashAccountId: bank, requests } });
  }
  if (one.kind === 'reverse') {
    const found = (await requestsOf('paid'))[one.nth];
    if (found) await owner.send(requestSteps.reverse, { body: { id: found.id, reason: '试' } });
  }
}

/** Whatever twenty people did: nothing was asked for, paid or spent beyond its bound, and the books add up. */
async function requireSound({ order, bank, cash }: Stage): Promise<void> {
  const mine = (await requestsOf()).filter((one) => one.subject === order.number);
  for (const one of mine) expect(new Decimal(one.paid).lte(one.amount)).toBe(true);
  const money = await world.as(owner, async (ctx) => (await moneyOf(ctx, order.type, [order.id]))[0]);
  const live = mine.filter((one) => ['submitted', 'approved', 'partly', 'paid'].includes(one.state));
  expect(new Decimal(sum(live.map((one) => one.amount))).lte(DEBT)).toBe(true);
  expect(new Decimal(DEBT).minus(money?.open ?? 0).toFixed(2)).toBe(new Decimal(money?.paid ?? 0).toFixed(2));
  for (const { id, balance } of await owner.call(listAccounts, {})) {
    if (id === bank || id === cash) expect(new Decimal(balance).gte(0)).toBe(true);
  }
  const broken = (await world.as(owner, checkLedger)).filter((result) => result.broken > 0);
  expect(broken).toEqual([]);
}

it('twenty people ask, pay, take back and write in the journal at once: no bound is passed', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (drawn) => {
      const name = randomUUID().slice(0, 8);
      const open = async (more: string, opening: string) =>
        (await owner.call(addAccount, { body: { name: `${name}${more}`, opening } })).id;
      const stage = { ...(await owed()), bank: await open('银行', '1500'), cash: await open('现金', '0') };
      await Promise.all(drawn.map((one) => take(one, stage)));
      await requireSound(stage);
    }),
    { numRuns: 3, endOnFailure: true },
  );
});

it('twenty requests of 60 for a debt of 1,000: sixteen are handed in, the others read what is left', async () => {
  const { order, debt } = await owed();
  const ids = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const body = { kind: 'BALANCE' as const, party: { kind: 'SUPPLIER' as const, id: supplier }, subject: order };
      const lines = [{ title: '货款', amount: '60', payableId: debt }];
      return (await clerk.call(saveRequest, { body: { ...body, lines } })).id;
    }),
  );
  const all = await Promise.all(ids.map((id) => clerk.send(requestSteps.submit, { body: { id } })));
  expect(all.filter((one) => one.code === 201)).toHaveLength(16);
  const words = new Set(all.filter((one) => one.code !== 201).map((one) => one.msg));
  expect(words).toEqual(new Set(['请款合计超过应付金额，剩余可请40.00（货款）']));
});
