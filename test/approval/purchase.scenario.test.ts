import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveSetting } from '#modules/approval/contract/config.ts';
import { approveTask, documentApproval, returnTask } from '#modules/approval/contract/desk.ts';
import { publishFlow, saveFlow } from '#modules/approval/contract/flows.ts';
import { saveDayRate } from '#modules/finance/contract/rates.ts';
import { orderSteps, saveOrder } from '#modules/purchase/contract/order-calls.ts';
import {
  type Buyers,
  balances,
  createBuyers,
  detailOf,
  draftOrder,
  productOf,
} from '#modules/purchase/test/support.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { step, taskOf } from './support.ts';

const ORDER = 'purchase.order';

let world: World;
let buyers: Buyers;
let lead: Person;
let boss: Person;

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, ['A']);
  lead = await world.member(buyers.owner, []);
  boss = await world.member(buyers.owner, []);
  const dear = { join: 'all' as const, rules: [{ field: 'amountBase', op: 'gte' as const, value: '20000.00' }] };
  const steps = [
    step('a1', '采购主管', [lead]),
    {
      key: 'b1',
      type: 'branch' as const,
      name: '金额',
      cases: [
        { name: '两万以上', when: dear, steps: [step('a2', '老板', [boss])] },
        { name: '其余', when: null, steps: [] },
      ],
    },
  ];
  const body = { name: '采购审批', docType: ORDER, definition: { steps } };
  const { id, version } = await buyers.owner.call(saveFlow, { body });
  await buyers.owner.call(publishFlow, { params: { id }, body: { version } });
  await configure('0');
});
afterAll(() => world.close());

const configure = (tolerance: string) =>
  buyers.owner.call(saveSetting, {
    body: {
      docType: ORDER,
      enabled: true,
      exempt: null,
      selfApprove: false,
      dedup: 'all',
      withdraw: 'untouched',
      tolerance,
      batch: true,
      admins: [],
      delegationDays: 30,
    },
  });

const yes = async (person: Person, id: string) =>
  person.call(approveTask, { body: { taskId: await taskOf(person, id), comment: '' } });

it('an order is returned to its maker, handed in again, and approved by those whom the flow names', async () => {
  const { id } = await draftOrder(buyers, [{ sku: 'A', qty: 1000, unitPrice: '25' }]);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await expect(buyers.chief.call(orderSteps.approve, { body: { id } })).rejects.toThrow('单据审批中，请在审批中处理');
  await lead.call(returnTask, { body: { taskId: await taskOf(lead, id), comment: '单价偏高', toNode: null } });
  expect((await detailOf(buyers, id)).order.state).toBe('draft');

  const lines = [{ productId: productOf(buyers, 'A'), qty: 1000, unitPrice: '24' }];
  await buyers.buyer.call(saveOrder, {
    body: { id, supplierId: buyers.supplier, warehouseId: buyers.main, lines },
  });
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await yes(lead, id);
  expect((await detailOf(buyers, id)).order.state).toBe('pending');
  await yes(boss, id);
  const { order } = await detailOf(buyers, id);
  expect([order.state, order.amount]).toEqual(['approved', '24000.0000']);
  await buyers.buyer.call(orderSteps.place, { body: { id } });
  expect(await balances(world, buyers, 'A')).toEqual({ EXPECTED: 1000 });
});

it('a change after the approval is asked about again when it goes beyond the tolerance, and only then', async () => {
  await configure('0.05');
  const { id } = await draftOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '10' }]);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await yes(lead, id);
  expect((await detailOf(buyers, id)).order.state).toBe('approved');
  const change = (unitPrice: string, warehouseId = buyers.main) =>
    buyers.buyer.call(saveOrder, {
      body: {
        id,
        supplierId: buyers.supplier,
        warehouseId,
        lines: [{ productId: productOf(buyers, 'A'), qty: 100, unitPrice }],
      },
    });
  expect((await change('10.5')).state).toBe('approved');
  const again = await change('10.51');
  expect(again).toMatchObject({ state: 'pending', message: expect.stringContaining('等待重新审批') });
  await expect(buyers.chief.call(orderSteps.approve, { body: { id } })).rejects.toThrow('单据审批中');
  await expect(buyers.buyer.call(orderSteps.place, { body: { id } })).rejects.toThrow('不能下单');
  await yes(lead, id);
  expect((await detailOf(buyers, id)).order).toMatchObject({ state: 'approved', amount: '1051.0000' });
  // What was approved anew is what later changes are measured by.
  expect((await change('11')).state).toBe('approved');
  await buyers.buyer.call(orderSteps.place, { body: { id } });
  await expect(change('11')).rejects.toThrow('不能执行【修改】');
});

it('a small one needs the lead alone', async () => {
  const { id } = await draftOrder(buyers, [{ sku: 'A', qty: 10, unitPrice: '25' }]);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await yes(lead, id);
  expect((await detailOf(buyers, id)).order.state).toBe('approved');
});

it('USD 12,345.67 at 7.1234 is CNY 87,943.15 and takes the dear branch, whatever the rate becomes (worked example 6)', async () => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(Date.now());
  const rate = (value: string) =>
    buyers.owner.call(saveDayRate, { body: { currency: 'USD', day: today, rate: value } });
  const order = async (currency: string) => {
    const lines = [{ productId: productOf(buyers, 'A'), qty: 1, unitPrice: '12345.67' }];
    const { id } = await buyers.owner.call(saveOrder, {
      body: { supplierId: buyers.supplier, warehouseId: buyers.main, currency, lines },
    });
    return id;
  };
  await rate('7.1234');
  const id = await order('USD');
  await buyers.owner.call(orderSteps.submit, { body: { id } });
  await rate('1');
  const { current } = await buyers.owner.call(documentApproval, { query: { docType: ORDER, docId: id } });
  expect(current?.amountBase).toBe('87943.15');
  await yes(lead, id);
  expect((await detailOf(buyers, id)).order.state).toBe('pending');
  await yes(boss, id);
  expect((await detailOf(buyers, id)).order.state).toBe('approved');
  await expect(buyers.owner.call(orderSteps.submit, { body: { id: await order('XAU') } })).rejects.toThrow(
    '缺少XAU汇率，无法提交审批',
  );
});
