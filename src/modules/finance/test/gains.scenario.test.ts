import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAccount, listJournal } from '../contract/accounts.ts';
import { listGains } from '../contract/gains.ts';
import { addDealing, listItems, partyStatement, receiveMoney, savePartner, settleItems } from '../contract/payables.ts';
import { saveMonthRate } from '../contract/rates.ts';
import { payRequests, requestData, requestSteps, saveRequest } from '../contract/requests.ts';
import { creditPayable, raisePayable, reversePosted, type Subject } from '../server/index.ts';
import { checkLedger } from '../server/ledger/checks.ts';
import { rebuildBalances } from '../server/ledger/post.ts';

let world: World;
let owner: Person;
let supplier: string;
let yuan: string;
let dollars: string;

const TODAY = worldClock().today();
const MONTH = TODAY.slice(0, 7);

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  owner = await world.owner();
  supplier = (await owner.call(saveSupplier, { body: { shortName: '深圳电子' } })).id;
  yuan = (await owner.call(addAccount, { body: { name: '招商银行', opening: '90000000' } })).id;
  dollars = (await owner.call(addAccount, { body: { name: 'PingPong', currency: 'USD', opening: '9000000' } })).id;
});

const rate = (value: string) => owner.call(saveMonthRate, { body: { currency: 'USD', month: MONTH, rate: value } });
const orderOf = (number: string): Subject => ({ type: 'test.order', id: randomUUID(), number });

const owe = (subject: Subject, amount: string, id: string = randomUUID()) =>
  world.as(owner, (ctx) =>
    raisePayable(ctx, {
      source: { type: 'test.receipt', id, event: 'receive', number: 'RK1' },
      supplierId: supplier,
      kind: 'GOODS',
      subject,
      currency: 'USD',
      amount,
      title: '到货 RK1',
    }),
  );

/** A request in USD, approved; `payableId` names the debt, else the oldest of the order are paid. */
async function asked(kind: 'DEPOSIT' | 'BALANCE', amount: string, subject: Subject, payableId?: string) {
  const party = { kind: 'SUPPLIER', id: supplier } as const;
  const body = { kind, party, subject, currency: 'USD', lines: [{ title: '货款', amount, payableId }] };
  const { id } = await owner.call(saveRequest, { body });
  await owner.call(requestSteps.submit, { body: { id } });
  await owner.call(requestSteps.approve, { body: { id } });
  return id;
}

const pay = (id: string, amount: string, from: { paid?: string } = {}, fee = '0') =>
  owner.call(payRequests, {
    body: {
      batchId: randomUUID(),
      cashAccountId: from.paid === undefined ? dollars : yuan,
      fee,
      requests: [{ id, amount, ...from }],
    },
  });

const paymentsOf = async (id: string) => (await owner.call(requestData, { params: { id } })).payments;
const gains = async () => owner.call(listGains, { body: { loadType: 'refreshTable' } });
const open = async (subject: Subject, book: 'PAYABLE' | 'PREPAID') =>
  (await owner.call(listItems, { body: { pagesize: 100, filter: { open: 'OPEN', book } } })).records.filter(
    (row) => row.subject === subject.number,
  );

async function proven() {
  const broken = (await world.as(owner, checkLedger)).filter((result) => result.broken > 0);
  expect(broken).toEqual([]);
  expect(await world.as(owner, rebuildBalances)).toBe(0);
}

describe('what the rate did between booking and paying', () => {
  it('USD 100 owed at 7.20 and paid with ¥725 lost ¥5; taken back, it lost nothing', async () => {
    await rate('7.20');
    const order = orderOf('PO1');
    await owe(order, '100');
    expect(await open(order, 'PAYABLE')).toMatchObject([{ open: '100.0000', base: '720.0000' }]);
    const id = await asked('BALANCE', '100', order);
    await pay(id, '100', { paid: '725' }, '3');
    expect(await paymentsOf(id)).toMatchObject([{ rate: '7.25', base: '725.0000', gain: '-5.0000', reversed: false }]);
    const found = await gains();
    expect(found.records).toMatchObject([
      { month: MONTH, currency: 'USD', party: '深圳电子', count: 1, settled: '100.0000', booked: '720.0000' },
    ]);
    expect(found.totals).toMatchObject({ gain: '0', loss: '5.0000', net: '-5.0000' });
    const journal = await owner.call(listJournal, { body: { filter: { cashAccount: [yuan], direction: 'OUT' } } });
    expect(journal.records.map((row) => [row.outgo, row.gain])).toContainEqual(['725.0000', '-5.0000']);
    const days = { partyId: supplier, currency: 'USD', from: TODAY, to: TODAY };
    expect(await owner.call(partyStatement, { body: days })).toMatchObject({ gain: '-5', closing: '0' });
    await proven();
    await owner.call(requestSteps.reverse, { body: { id, reason: '付错' } });
    expect(await open(order, 'PAYABLE')).toMatchObject([{ open: '100.0000', base: '720.0000' }]);
    expect((await gains()).totals).toMatchObject({ booked: '0.0000', loss: '0.0000', net: '0.0000' });
    await proven();
  });

  it('parts of a debt take their share of what it was booked with, and the last one all that is left', async () => {
    await rate('7.123456');
    const order = orderOf('PO2');
    await owe(order, '100');
    await rate('7');
    const id = await asked('BALANCE', '100', order);
    for (const part of ['33.33', '33.33', '33.34']) await pay(id, part);
    const paid = await paymentsOf(id);
    expect(paid.map((one) => one.base)).toEqual(['233.3100', '233.3100', '233.3800']);
    expect(sum(paid.map((one) => one.gain ?? '0'))).toBe('12.35');
    expect((await gains()).totals).toMatchObject({ gain: '12.3500', loss: '0', booked: '712.3500' });
    await proven();
  });

  it('a deposit that goods use up gains nothing; one that is used for another debt by hand does', async () => {
    const [one, other] = [orderOf('PO3'), orderOf('PO4')];
    await pay(await asked('DEPOSIT', '60', one), '60', { paid: '426' });
    await rate('7.20');
    await owe(one, '40');
    // All of it was paid at 7.10.
    expect((await open(one, 'PREPAID'))[0]).toMatchObject({ open: '20.0000', base: '142.0000' });
    expect((await gains()).total).toBe(0);
    await owe(other, '50');
    const [prepaid] = await open(one, 'PREPAID');
    const [payable] = await open(other, 'PAYABLE');
    await owner.call(settleItems, {
      body: { prepaidId: prepaid?.id ?? '', payableId: payable?.id ?? '', amount: '20' },
    });
    // Booked at 7.20, paid at 7.10.
    expect((await gains()).totals).toMatchObject({ gain: '2.0000', loss: '0', net: '2.0000' });
    await proven();
  });

  it('what is lent at 7.10 and comes back at 7.30 gained; goods that go back leave a credit at the rate of their day', async () => {
    const { id: partner } = await owner.call(savePartner, { body: { name: '香港公司', kind: 'GROUP' } });
    await rate('7.10');
    await owner.call(addDealing, {
      body: { partyId: partner, direction: 'LEND', cashAccountId: dollars, amount: '1000', title: '借款' },
    });
    await rate('7.30');
    const { records } = await owner.call(listItems, { body: { filter: { book: 'RECEIVABLE' } } });
    expect(records).toMatchObject([{ base: '7100.0000' }]);
    const itemId = records[0]?.id ?? '';
    await owner.call(receiveMoney, { body: { itemId, cashAccountId: dollars, amount: '1000' } });
    expect((await gains()).records).toMatchObject([{ party: '香港公司', gain: '200.0000', settled: '1000.0000' }]);
    const order = orderOf('PO5');
    await owe(order, '10');
    await rate('7.40');
    await world.as(owner, (ctx) =>
      creditPayable(ctx, {
        source: { type: 'test.return', id: randomUUID(), event: 'ship', number: 'TH1' },
        supplierId: supplier,
        subject: order,
        currency: 'USD',
        amount: '15',
        title: '退货',
      }),
    );
    expect(await open(order, 'PREPAID')).toMatchObject([{ open: '5.0000', base: '37.0000' }]);
    expect((await gains()).totals).toMatchObject({ net: '200.0000' });
    await proven();
  });

  it('a debt in another currency is refused without a rate, and says which', async () => {
    await expect(
      world.as(owner, (ctx) =>
        raisePayable(ctx, {
          source: { type: 'test.receipt', id: randomUUID(), event: 'receive', number: 'RK1' },
          supplierId: supplier,
          kind: 'GOODS',
          subject: orderOf('PO6'),
          currency: 'SEK',
          amount: '1',
          title: '到货',
        }),
      ),
    ).rejects.toThrow(`缺少 SEK ${TODAY} 汇率，无法折算`);
  });
});

const cents = fc.integer({ min: 1, max: 200_000 }).map((value) => (value / 100).toFixed(2));
const quote = fc.integer({ min: 65_000, max: 78_000 }).map((value) => (value / 10_000).toFixed(4));
const act = fc.record({
  kind: fc.constantFrom('owe', 'owe', 'deposit', 'pay', 'pay', 'pay', 'settle', 'refund', 'reverse', 'disown'),
  cents,
  quote,
  abroad: fc.boolean(),
  nth: fc.nat({ max: 9 }),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** What a run has done; `worth` is what each request was paid with in CNY as the run itself reckons it. */
interface Run {
  orders: Subject[];
  receipts: string[];
  requests: { id: string; worth: string }[];
  refunds: string[];
}

const at = <T>(list: readonly T[], nth: number): T | undefined => list[nth % Math.max(1, list.length)];
const least = (one: string, other: string) => Decimal.min(one, other).toFixed(2);

async function payAs(run: Run, { quote: price, abroad }: Act, id: string, amount: string): Promise<void> {
  const worth = round(new Decimal(amount).times(price), 2);
  await pay(id, amount, abroad ? {} : { paid: worth });
  run.requests.push({ id, worth });
}

async function step(run: Run, one: Act): Promise<void> {
  await rate(one.quote);
  const order = at(run.orders, one.nth);
  if (!order) return;
  const [debt] = await open(order, 'PAYABLE');
  const [prepaid] = await open(at(run.orders, one.nth + 1) ?? order, 'PREPAID');
  if (one.kind === 'owe') {
    const id = randomUUID();
    await owe(order, one.cents, id);
    run.receipts.push(id);
  }
  if (one.kind === 'deposit') await payAs(run, one, await asked('DEPOSIT', one.cents, order), one.cents);
  if (one.kind === 'pay' && debt) {
    const amount = least(debt.open, one.cents);
    await payAs(run, one, await asked('BALANCE', amount, order, debt.id), amount);
  }
  if (one.kind === 'settle' && debt && prepaid) {
    const amount = least(least(debt.open, prepaid.open), one.cents);
    await owner.call(settleItems, { body: { prepaidId: prepaid.id, payableId: debt.id, amount } });
  }
  if (one.kind === 'refund' && prepaid) {
    const amount = least(prepaid.open, one.cents);
    await owner.call(receiveMoney, { body: { itemId: prepaid.id, cashAccountId: dollars, amount } });
    run.refunds.push(round(new Decimal(amount).times(one.quote), 2));
  }
  const request = at(run.requests, one.nth);
  if (one.kind === 'reverse' && request) {
    const answer = await owner.send(requestSteps.reverse, { body: { id: request.id, reason: '冲销' } });
    if (answer.code === 201) run.requests = run.requests.filter((each) => each !== request);
  }
  const receipt = at(run.receipts, one.nth);
  if (one.kind === 'disown' && receipt) {
    const source = { type: 'test.receipt', id: receipt, event: 'receive' };
    const undone = world.as(owner, (ctx) => reversePosted(ctx, source));
    // What is paid already stays.
    await undone.catch((error: unknown) => expect(String(error)).toContain('付款金额超过待付金额'));
  }
}

/** What goods were booked with, CNY, from the ledger. */
const goods = () =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ base: string }>`
      SELECT coalesce(sum(base), 0)::text AS base FROM finance.entry
       WHERE company_id = ${ctx.companyId} AND book = 'GOODS'`.execute(ctx.db);
    return rows[0]?.base ?? '0';
  });

it('whatever is owed, paid ahead, paid, used, paid back and taken back at whatever rates: booked + lost = paid', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 12, maxLength: 20 }), async (acts) => {
      owner = await world.owner();
      supplier = (await owner.call(saveSupplier, { body: { shortName: '深圳电子' } })).id;
      yuan = (await owner.call(addAccount, { body: { name: '招商银行', opening: '90000000' } })).id;
      dollars = (await owner.call(addAccount, { body: { name: 'PingPong', currency: 'USD', opening: '9000000' } })).id;
      const run: Run = { orders: [orderOf('PO-1'), orderOf('PO-2')], receipts: [], requests: [], refunds: [] };
      for (const one of acts) {
        await step(run, one);
        const { records } = await owner.call(listItems, { body: { pagesize: 100, filter: { open: 'OPEN' } } });
        const held = sum(records.map((row) => (row.book === 'PAYABLE' ? `-${row.base}` : (row.base ?? '0'))));
        const paid = new Decimal(sum(run.requests.map((each) => each.worth))).minus(sum(run.refunds));
        const net = String((await gains()).totals?.net ?? '0');
        expect(new Decimal(await goods()).plus(held).minus(net).toFixed(2)).toBe(paid.toFixed(2));
      }
      await proven();
    }),
    { numRuns: 5, endOnFailure: true },
  );
});
