import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDelegation } from '#modules/approval/contract/delegation.ts';
import * as desk from '#modules/approval/contract/desk.ts';
import type { FlowNode } from '#modules/approval/contract/flow.ts';
import { inboundCalls } from '#modules/warehouse/contract/documents/inbound.ts';
import { createHouse, type House } from '#test/support/house.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { configure, draft, instanceOf, stateOf, step, submitted, switchOn, taskOf } from './support.ts';

let world: World;
let house: House;
let lead: Person;
let finance: Person;
let boss: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A company whose receipts go by these steps. */
async function company(stepsOf: () => FlowNode[], more: Parameters<typeof configure>[1] = {}): Promise<void> {
  house = await createHouse(world, ['A']);
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => world.member(house.owner, [])));
  if (!one || !two || !three) throw new Error('nobody was hired');
  [lead, finance, boss] = [one, two, three];
  await switchOn(house.owner, stepsOf(), more);
}

const yes = async (person: Person, docId: string) =>
  person.call(desk.approveTask, { body: { taskId: await taskOf(person, docId) } });

const isAsked = (person: Person, docId: string) =>
  taskOf(person, docId).then(
    () => true,
    () => false,
  );

/** Returned so that it comes straight back to whoever returned it, changed, and handed in again. */
async function cameBack(person: Person, id: string, to: { qty: number; unitCost: string }): Promise<void> {
  const body = { taskId: await taskOf(person, id), comment: '请修改', mode: 'direct' as const };
  await person.call(desk.returnTask, { body });
  const { document, lines } = await house.clerk.call(inboundCalls.data, { params: { id } });
  const [line] = lines;
  await house.owner.call(inboundCalls.save, {
    body: {
      id,
      version: document.version,
      warehouseId: house.main,
      lines: [{ productId: line?.productId ?? '', ...to }],
    },
  });
  await house.clerk.call(inboundCalls.submit, { body: { id } });
}

describe('a returned document that comes straight back', () => {
  beforeAll(() =>
    company(() => [
      {
        key: 'b1',
        type: 'branch',
        name: '金额',
        cases: [
          {
            name: '一千以上',
            when: { join: 'all', rules: [{ field: 'amountBase', op: 'gte', value: '1000' }] },
            steps: [step('a1', '主管', [lead]), step('a2', '老板', [boss])],
          },
          { name: '其余', when: null, steps: [step('a3', '主管审批', [lead]), step('a4', '财务', [finance])] },
        ],
      },
    ]),
  );

  it('goes on where it was returned while it is no more than what was agreed to, and shows what changed', async () => {
    const { id } = await submitted(house, 10, '2');
    await yes(lead, id);
    await cameBack(finance, id, { qty: 8, unitCost: '2' });
    expect([await isAsked(lead, id), await isAsked(finance, id)]).toEqual([false, true]);
    const view = await finance.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    expect(view.changes).toContainEqual({ label: '数量', before: '10', after: '8' });
    expect((await yes(finance, id)).state).toBe('approved');
  });

  it('asks the boss once it is above his threshold, whoever returned it', async () => {
    const { id } = await submitted(house, 10, '2');
    await yes(lead, id);
    await cameBack(finance, id, { qty: 1000, unitCost: '2' });
    expect([await isAsked(lead, id), await isAsked(finance, id), await isAsked(boss, id)]).toEqual([
      true,
      false,
      false,
    ]);
    await yes(lead, id);
    const view = await boss.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
    expect(view.changes).toContainEqual({ label: '数量', before: '10', after: '1,000' });
    expect(view.log.find(({ action }) => action === 'resubmit')?.detail).toBe('修改影响审批，从头逐级审批');
    expect((await yes(boss, id)).state).toBe('approved');
    expect(await stateOf(house, id)).toBe('receiving');
  });

  it('is agreed to anew by those who agreed to less', async () => {
    const { id } = await submitted(house, 10, '2');
    await yes(lead, id);
    await cameBack(finance, id, { qty: 20, unitCost: '2' });
    expect([await isAsked(lead, id), await isAsked(finance, id)]).toEqual([true, false]);
  });
});

describe('nobody decides about his own document', () => {
  it('not as the administrator whom nobody else leaves it to: it stands still until somebody else is asked', async () => {
    await company(() => [step('a1', '审批', [], { who: [{ from: 'leader', level: 1 }] })]);
    const { id } = await draft(house, 10, '2');
    await house.owner.call(inboundCalls.submit, { body: { id } });
    expect(await isAsked(house.owner, id)).toBe(false);
    const instanceId = await instanceOf(house.owner, id);
    const ask = (person: Person) =>
      house.owner.send(desk.reassign, { body: { instanceId, nodeKey: 'a1', people: [person.userId] } });
    expect((await ask(house.owner)).msg).toBe('不能审批本人提交的单据');
    expect((await ask(boss)).code).toBe(201);
    expect((await yes(boss, id)).state).toBe('approved');
  });

  it('not as the colleague to whom it is passed on, nor as one who is asked besides', async () => {
    await company(() => [step('a1', '审批', [lead])]);
    const { id } = await submitted(house, 10, '2');
    const taskId = await taskOf(lead, id);
    const to = await lead.send(desk.transferTask, { body: { taskId, to: house.clerk.userId } });
    expect(to.msg).toBe('不能审批本人提交的单据');
    const how = 'parallel' as const;
    const sign = await lead.send(desk.addSign, { body: { taskId, people: [house.clerk.userId], how } });
    expect(sign.msg).toBe('不能审批本人提交的单据');
    await configure(house.owner, { selfApprove: true });
    await lead.call(desk.transferTask, { body: { taskId, to: house.clerk.userId } });
    expect((await yes(house.clerk, id)).state).toBe('approved');
  });
});

describe('two votes are those of two people', () => {
  it('a delegate who is asked himself leaves the other seat to whose it is', async () => {
    await company(() => [step('a1', '会签', [lead, finance], { mode: 'all' })]);
    const now = worldClock().ms();
    const times = { startsAt: new Date(now - 1000).toISOString(), endsAt: new Date(now + 86_400_000).toISOString() };
    await lead.call(addDelegation, { body: { toId: finance.userId, ...times } });
    const { id } = await submitted(house, 10, '2');
    expect((await yes(finance, id)).state).toBe('running');
    expect((await yes(lead, id)).state).toBe('approved');
  });
});
