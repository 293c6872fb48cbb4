import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveTask, deskCount, documentApproval, rejectTask, returnTask } from '#modules/approval/contract/desk.ts';
import { saveDayRate } from '#modules/finance/contract/rates.ts';
import { saveProduct } from '#modules/product/contract/material.ts';
import { savePrices } from '#modules/product/contract/parts.ts';
import { orderSteps, saveOrder } from '#modules/purchase/contract/order-calls.ts';
import { splitOrder } from '#modules/purchase/contract/parts.ts';
import { addPlanLines, listPlan, removePlanLines, submitPlan } from '#modules/purchase/contract/plan.ts';
import { requisitionDetail, requisitionSteps } from '#modules/purchase/contract/requisition.ts';
import {
  type Buyers,
  balances,
  createBuyers,
  detailOf,
  draftOrder,
  productOf,
} from '#modules/purchase/test/support.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { configure, flowFor, step, taskOf } from './support.ts';

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
  await flowFor(buyers.owner, ORDER, '采购审批', steps);
});
afterAll(() => world.close());

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
  await configure(buyers.owner, { tolerance: '0.05' }, ORDER);
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
  await expect(change('10')).rejects.toThrow('单据审批中，不可修改，请先撤回');
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
  const today = worldClock().today();
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

describe('a plan', () => {
  const PLAN = 'purchase.requisition';
  const open = async () =>
    (await buyers.owner.call(listPlan, { body: { filter: { state: 'open' } } })).records.map(({ qty }) => qty);
  const plan = (qty: number) =>
    buyers.owner.call(addPlanLines, {
      body: { lines: [{ productId: productOf(buyers, 'A'), warehouseId: buyers.main, qty }] },
    });

  beforeAll(async () => {
    const supply = { supplierId: buyers.supplier, isDefault: true, supplierSku: '', offerId: '', specId: '', url: '' };
    await buyers.owner.call(saveProduct, {
      body: {
        id: productOf(buyers, 'A'),
        sku: 'A',
        name: '产品A',
        supplies: [{ ...supply, moq: 1, orderMultiple: 1, leadDays: 7 }],
      },
    });
    const tiers = [{ minQty: 1, unitPrice: '10' }];
    await buyers.owner.call(savePrices, {
      body: { productId: productOf(buyers, 'A'), supplierId: buyers.supplier, tiers },
    });
    const many = { join: 'all' as const, rules: [{ field: 'qty', op: 'gte' as const, value: '500' }] };
    const dear = { join: 'all' as const, rules: [{ field: 'amountBase', op: 'gte' as const, value: '1000.00' }] };
    const steps = [
      {
        key: 'b1',
        type: 'branch' as const,
        name: '数量与金额',
        cases: [
          { name: '五百件以上', when: many, steps: [step('a1', '采购主管', [lead]), step('a2', '老板', [boss])] },
          { name: '千元以上', when: dear, steps: [step('a3', '采购主管审批', [lead])] },
          { name: '其余', when: null, steps: [] },
        ],
      },
    ];
    await flowFor(buyers.owner, PLAN, '计划审批', steps);
  });

  it('of many pieces goes to lead and boss, is returned, handed in again, and its orders go their own way at the approved price', async () => {
    await plan(600);
    const { id, state, orders } = await buyers.owner.call(submitPlan, { body: { review: true } });
    expect([state, orders]).toEqual(['pending', []]);
    expect(await open()).toEqual([]);
    await lead.call(returnTask, { body: { taskId: await taskOf(lead, id), comment: '太多', toNode: null } });
    const detail = () => buyers.owner.call(requisitionDetail, { params: { id } });
    expect((await detail()).plan.state).toBe('draft');
    await buyers.owner.call(requisitionSteps.submit, { body: { id } });
    await yes(lead, id);
    expect((await detail()).plan.state).toBe('pending');
    const tiers = [{ minQty: 1, unitPrice: '12' }];
    await buyers.owner.call(savePrices, {
      body: { productId: productOf(buyers, 'A'), supplierId: buyers.supplier, tiers },
    });
    await yes(boss, id);
    const { plan: now, lines } = await detail();
    expect([now.state, now.amount]).toEqual(['converted', '6000.00']);
    const { order } = await detailOf(buyers, lines[0]?.orderId ?? '');
    // Handed in by whoever handed in the plan, and waiting for the lead of the flow of orders.
    expect([order.state, order.amount, order.createdByName]).toEqual(['pending', '6000.0000', now.createdByName]);
    await yes(lead, order.id);
    expect((await detailOf(buyers, order.id)).order.state).toBe('approved');
  });

  it('of some value needs the lead, who may refuse it: its needs go back to be changed', async () => {
    await plan(100);
    const { id } = await buyers.owner.call(submitPlan, { body: {} });
    await expect(buyers.owner.call(requisitionSteps.submit, { body: { id } })).resolves.toMatchObject({
      repeated: true,
    });
    await lead.call(rejectTask, { body: { taskId: await taskOf(lead, id), comment: '不需要' } });
    expect(await open()).toEqual([]);
    await buyers.owner.call(requisitionSteps.discard, { body: { id } });
    expect(await open()).toEqual([100]);
    const { id: again } = await buyers.owner.call(submitPlan, { body: {} });
    await plan(7);
    await buyers.owner.call(requisitionSteps.discard, { body: { id: again } });
    expect(await open()).toEqual([107]);
    expect((await lead.call(deskCount, { body: {} })).todo).toBe(0);
  });

  it('that is small is converted without anybody being asked', async () => {
    await buyers.owner.call(removePlanLines, {
      body: {
        ids: (await buyers.owner.call(listPlan, { body: { filter: { state: 'open' } } })).records.map(({ id }) => id),
      },
    });
    await plan(3);
    const { state, orders } = await buyers.owner.call(submitPlan, { body: {} });
    expect([state, orders.length]).toEqual(['converted', 1]);
  });
});

it('orders that came of an approved one are each worth their share: more than it goes through the flow again', async () => {
  await configure(buyers.owner, { tolerance: '0' }, ORDER);
  const { id } = await draftOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '10' }]);
  await buyers.buyer.call(orderSteps.submit, { body: { id } });
  await yes(lead, id);
  const [line] = (await detailOf(buyers, id)).lines;
  const parts = [{ lines: [{ lineId: line?.id ?? '', qty: 40 }] }];
  const { state, made } = await buyers.buyer.call(splitOrder, { body: { id, parts } });
  expect([state, made[0]?.state]).toEqual(['approved', 'approved']);
  for (const [order, most] of [
    [id, 60],
    [made[0]?.id ?? '', 40],
  ] as const) {
    const save = (qty: number) =>
      buyers.buyer.call(saveOrder, {
        body: {
          id: order,
          supplierId: buyers.supplier,
          warehouseId: buyers.main,
          lines: [{ productId: productOf(buyers, 'A'), qty, unitPrice: '10' }],
        },
      });
    expect((await save(most)).state).toBe('approved');
    expect((await save(most + 1)).state).toBe('draft');
    await buyers.buyer.call(orderSteps.submit, { body: { id: order } });
    await expect(buyers.chief.call(orderSteps.approve, { body: { id: order } })).rejects.toThrow('单据审批中');
    await yes(lead, order);
    expect((await detailOf(buyers, order)).order.state).toBe('approved');
    await buyers.buyer.call(orderSteps.place, { body: { id: order } });
  }
});
