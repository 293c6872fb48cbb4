import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveSupplier } from '#modules/supplier/contract.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { printStatement } from '../contract/payables.ts';
import { requestData } from '../contract/requests.ts';
import {
  addSettlement,
  confirmSettlement,
  listSettlements,
  moveSettlement,
  printSettlement,
  settlementData,
} from '../contract/settlements.ts';
import { raisePayable } from '../server/index.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const daysAgo = (days: number) => worldClock().dayAhead(-days);

it('a period is laid beside the supplier’s statement, a difference explained, and what is open asked to be paid', async () => {
  const supplierId = (await owner.call(saveSupplier, { body: { shortName: '宁波五金' } })).id;
  const owe = (amount: string, day: string) =>
    world.as(owner, (ctx) =>
      raisePayable(ctx, {
        source: { type: 'purchase.receipt', id: randomUUID(), event: 'receive', number: 'RK' },
        supplierId,
        kind: 'GOODS',
        subject: { type: 'test.order', id: randomUUID(), number: 'PO' },
        currency: 'CNY',
        amount,
        title: `到货 ${day}`,
        day,
      }),
    );
  await owe('100', daysAgo(40));
  await owe('250.50', daysAgo(20));
  await owe('80', daysAgo(0));
  const form = { supplierId, from: daysAgo(30), to: daysAgo(5) };
  const { id, number } = await owner.call(addSettlement, { body: form });
  const clash = await owner.send(addSettlement, { body: { ...form, from: daysAgo(5), to: daysAgo(1) } });
  expect(clash.msg).toBe(`账期与结算单 ${number} 重叠`);

  const draft = await owner.call(settlementData, { params: { id } });
  expect(draft.document).toMatchObject({
    opening: '-100',
    raised: '250.5',
    paid: '0',
    closing: '-350.5',
    stated: null,
  });
  const silent = await owner.send(confirmSettlement, { body: { id, stated: '360.50' } });
  expect(silent.msg).toBe('与我方账面相差 10.00，请填写差异原因');
  await owner.call(confirmSettlement, { body: { id, stated: '360.50', reason: '对方未扣打样费' } });
  const { records } = await owner.call(listSettlements, { body: { filter: { state: 'confirmed' } } });
  expect(records).toMatchObject([
    { closing: '-350.5000', stated: '360.5000', difference: '10.0000', reason: '对方未扣打样费' },
  ]);

  // Opened again, the figures are those of the books; a debt dated into the period shows.
  await owner.call(moveSettlement, { body: { id, action: 'reopen', reason: '补记到货' } });
  await owe('10', daysAgo(6));
  await owner.call(confirmSettlement, { body: { id, stated: '360.50' } });
  await owner.call(moveSettlement, { body: { id, action: 'request' } });
  const done = await owner.call(settlementData, { params: { id } });
  expect(done.document).toMatchObject({ state: 'requested', difference: '0.0000' });
  const request = await owner.call(requestData, { params: { id: done.document.requestId ?? '' } });
  expect(request.document).toMatchObject({
    kind: 'SETTLEMENT',
    state: 'submitted',
    amount: '360.5000',
    subject: number,
  });
  expect(request.lines.map((line) => line.amount)).toEqual(['100.0000', '250.5000', '10.0000']);
  const paper = await owner.send(printSettlement, { params: { id } });
  expect([paper.headers['content-type'], paper.raw.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);
  const body = { partyId: supplierId, currency: 'CNY', from: form.from, to: form.to };
  const statement = await owner.send(printStatement, { body });
  expect([statement.msg, statement.raw.subarray(0, 5).toString()]).toEqual(['', '%PDF-']);
  const nobody = await owner.send(printStatement, { body: { ...body, partyId: randomUUID() } });
  expect(nobody.code).toBe(404);
  expect((await owner.send(moveSettlement, { body: { id, action: 'cancel', reason: '不要了' } })).msg).toContain(
    '已变更',
  );
});

it('what is not owed is not asked for, and a period to come is none', async () => {
  const supplierId = (await owner.call(saveSupplier, { body: { shortName: '空账供应商' } })).id;
  const future = await owner.send(addSettlement, { body: { supplierId, from: daysAgo(1), to: daysAgo(-1) } });
  expect(future.msg).toBe('账期结束不能晚于今天');
  const { id } = await owner.call(addSettlement, { body: { supplierId, from: daysAgo(9), to: daysAgo(1) } });
  await owner.call(confirmSettlement, { body: { id, stated: '0' } });
  expect((await owner.send(moveSettlement, { body: { id, action: 'request' } })).msg).toBe(
    '账期内没有未付的应付，无需请款',
  );
});
