import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAccount } from '../contract/accounts.ts';
import { savePartner } from '../contract/payables.ts';
import { exportPayments, listPayments } from '../contract/payments.ts';
import { payRequests, requestSteps, saveRequest } from '../contract/requests.ts';

let world: World;
let owner: Person;
let payee: string;
let yuan: string;
let dollars: string;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  payee = (await owner.call(savePartner, { body: { name: '远航货代' } })).id;
  yuan = (await owner.call(addAccount, { body: { name: '招商银行', opening: '100000' } })).id;
  dollars = (await owner.call(addAccount, { body: { name: 'PingPong', currency: 'USD', opening: '1000' } })).id;
});
afterAll(() => world.close());

async function asked(kind: 'DEPOSIT' | 'EXPENSE', amount: string, currency: 'CNY' | 'USD', number = '') {
  const { id } = await owner.call(saveRequest, {
    body: {
      kind,
      party: { kind: 'PARTNER', id: payee },
      currency,
      ...(number ? { subject: { type: 'test.order', id: randomUUID(), number } } : {}),
      lines: [{ title: '海运费', amount }],
    },
  });
  await owner.call(requestSteps.submit, { body: { id } });
  await owner.call(requestSteps.approve, { body: { id } });
  return id;
}

const pay = (cashAccountId: string, fee: string, requests: { id: string; amount: string; paid?: string }[]) =>
  owner.call(payRequests, { body: { batchId: randomUUID(), cashAccountId, fee, requests } });

const report = (filter: object = {}) => owner.call(listPayments, { body: { filter, loadType: 'refreshTable' } });

it('lists every payment with what it was in CNY; sums are over the whole filter and without what was taken back', async () => {
  const [one, two] = [await asked('EXPENSE', '300', 'CNY'), await asked('DEPOSIT', '100', 'USD', 'PO88')];
  await pay(yuan, '10', [
    { id: one, amount: '100' },
    { id: two, amount: '100', paid: '725' },
  ]);
  await pay(yuan, '0', [{ id: one, amount: '200' }]);
  const all = await report();
  expect(all.records.map((row) => [row.currency, row.amount, row.rate, row.base, row.fee, row.subject])).toEqual(
    expect.arrayContaining([
      ['CNY', '200.0000', '1', '200.0000', '0.0000', ''],
      ['USD', '100.0000', '7.25', '725.0000', '8.7900', 'PO88'],
      ['CNY', '100.0000', '1', '100.0000', '1.2100', ''],
    ]),
  );
  expect(all.total).toBe(3);
  expect(all.totals).toMatchObject({ 'amount.CNY': '300.0000', 'amount.USD': '100.0000', base: '1025', gain: '0' });
  expect((await report({ currency: 'usd' })).totals).toMatchObject({ amount: '100.0000', base: '725' });
  expect((await report({ keyword: 'PO88' })).records.map((row) => row.payee)).toEqual(['远航货代']);
  expect((await report({ day: { to: worldClock().dayAhead(-1) } })).total).toBe(0);
  await owner.call(requestSteps.reverse, { body: { id: one, reason: '重复' } });
  expect((await report()).totals).toMatchObject({ amount: '100.0000', base: '725' });
  expect((await report({ state: 'REVERSED' })).records.map((row) => row.amount).sort()).toEqual([
    '100.0000',
    '200.0000',
  ]);
  const third = await asked('EXPENSE', '5', 'USD');
  await pay(dollars, '0', [{ id: third, amount: '5' }]);
  // Nobody needed a rate for it: the sum in CNY would not be complete.
  expect((await report()).totals?.base).toBeNull();
  const file = await owner.send(exportPayments, { body: { filter: {}, format: 'csv' } });
  expect(file.status).toBe(200);
});

it('a person without the right to see requests does not see payments, another company sees none', async () => {
  const clerk = await world.member(owner, ['fin:account:view']);
  expect((await clerk.send(listPayments, { body: {} })).status).toBe(403);
  const stranger = await world.owner();
  expect((await stranger.call(listPayments, { body: {} })).total).toBe(0);
});
