import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as desk from '#modules/approval/contract/desk.ts';
import type { FlowNode } from '#modules/approval/contract/flow.ts';
import { getRemind } from '#modules/message/contract/messages.ts';
import { createHouse, type House } from '#test/support/house.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { instanceOf, stateOf, step, submitted, switchOn, taskOf } from './support.ts';

let world: World;
let house: House;
/** Stands in both branches. */
let lead: Person;
let finance: Person;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  house = await createHouse(world, ['A']);
  [lead, finance] = [await world.member(house.owner, []), await world.member(house.owner, [])];
});

/** Two parts side by side. */
const sideBySide = (one: FlowNode[], other: FlowNode[]): FlowNode => ({
  key: 'p1',
  type: 'parallel',
  name: '会审',
  branches: [
    { name: '价格', steps: one },
    { name: '数量', steps: other },
  ],
});

const viewOf = async (id: string) =>
  house.owner.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
/** Tasks in their order: step, whose, what became of it. */
const tasksOf = async (id: string) =>
  (await viewOf(id)).tasks.map(({ nodeKey, personId, state }) => [
    nodeKey,
    personId === lead.userId ? 'lead' : 'finance',
    state,
  ]);
const open = async (person: Person, id: string) =>
  (await viewOf(id)).tasks.filter((task) => task.personId === person.userId && task.state === 'pending');
const say = (person: Person, taskId: string) => person.send(desk.approveTask, { body: { taskId } });
const yes = async (person: Person, id: string) => say(person, await taskOf(person, id));
async function unreadAbout(person: Person, docId: string): Promise<number> {
  const { records } = await person.call(getRemind, { body: { filter: {} } });
  return records.filter((one) => one.documentId === docId && one.state === 'unread').length;
}

describe('one person in two branches side by side', () => {
  it('is heard once where nobody is asked twice: what he agrees to in one holds in the other, which waits for its others', async () => {
    await switchOn(house.owner, [
      sideBySide([step('a1', '价格审核', [lead])], [step('a2', '数量会签', [lead, finance], { mode: 'all' })]),
    ]);
    const { id } = await submitted(house);
    const [first, second] = await open(lead, id);
    expect([first?.nodeKey, second?.nodeKey]).toEqual(['a1', 'a2']);
    expect((await say(lead, first?.id ?? '')).data?.state).toBe('running');
    expect(await tasksOf(id)).toEqual([
      ['a1', 'lead', 'approved'],
      ['a2', 'lead', 'auto'],
      ['a2', 'finance', 'pending'],
    ]);
    // He has nothing left to do, is not reminded of anything, and cannot say it again, or the opposite.
    expect((await lead.call(desk.deskCount, { body: {} })).todo).toBe(0);
    expect(await unreadAbout(lead, id)).toBe(0);
    expect((await say(lead, second?.id ?? '')).msg).toBe('该审批已被处理');
    const no = await lead.send(desk.rejectTask, { body: { taskId: second?.id ?? '', comment: '不行' } });
    expect(no.msg).toBe('该审批已被处理');
    expect(await stateOf(house, id)).toBe('pending');
    expect((await yes(finance, id)).data?.state).toBe('approved');
    expect(await stateOf(house, id)).toBe('receiving');
    const { log } = await viewOf(id);
    expect(log.map(({ title, node }) => [title, node])).toEqual([
      ['审批结束', ''],
      ['同意', '数量会签'],
      ['自动同意', '数量会签'],
      ['同意', '价格审核'],
      ['提交', ''],
    ]);
  });

  it('ends both branches by one word where nobody else is asked', async () => {
    await switchOn(house.owner, [
      sideBySide([step('a1', '价格审核', [lead])], [step('a2', '数量审核', [lead, finance])]),
    ]);
    const { id } = await submitted(house);
    expect((await yes(lead, id)).data?.state).toBe('approved');
    expect(await stateOf(house, id)).toBe('receiving');
    expect(await tasksOf(id)).toEqual([
      ['a1', 'lead', 'approved'],
      ['a2', 'lead', 'auto'],
      ['a2', 'finance', 'cancelled'],
    ]);
  });

  it('is not asked when the other branch comes to him after he agreed', async () => {
    await switchOn(house.owner, [
      sideBySide([step('a1', '价格审核', [lead])], [step('a2', '财务', [finance]), step('a3', '数量审核', [lead])]),
    ]);
    const { id } = await submitted(house);
    await yes(lead, id);
    expect(await stateOf(house, id)).toBe('pending');
    expect((await yes(finance, id)).data?.state).toBe('approved');
    expect((await tasksOf(id)).at(-1)).toEqual(['a3', 'lead', 'auto']);
  });

  it.each(['none', 'adjacent'] as const)('is heard in each where the company wants that (%s)', async (dedup) => {
    await switchOn(house.owner, [sideBySide([step('a1', '价格审核', [lead])], [step('a2', '数量审核', [lead])])], {
      dedup,
    });
    const { id } = await submitted(house);
    const [first, second] = await open(lead, id);
    expect((await say(lead, first?.id ?? '')).data?.state).toBe('running');
    expect((await say(lead, first?.id ?? '')).msg).toBe('该审批已被处理');
    expect(await tasksOf(id)).toEqual([
      ['a1', 'lead', 'approved'],
      ['a2', 'lead', 'pending'],
    ]);
    expect((await say(lead, second?.id ?? '')).data?.state).toBe('approved');
    expect(await stateOf(house, id)).toBe('receiving');
  });

  it('refuses all of it by refusing in one', async () => {
    await switchOn(house.owner, [
      sideBySide([step('a1', '价格审核', [lead])], [step('a2', '数量会签', [lead, finance], { mode: 'all' })]),
    ]);
    const { id } = await submitted(house);
    const [first] = await open(lead, id);
    await lead.call(desk.rejectTask, { body: { taskId: first?.id ?? '', comment: '太贵' } });
    expect(await stateOf(house, id)).toBe('rejected');
    expect(await tasksOf(id)).toEqual([
      ['a1', 'lead', 'rejected'],
      ['a2', 'lead', 'cancelled'],
      ['a2', 'finance', 'cancelled'],
    ]);
    expect([await unreadAbout(lead, id), await unreadAbout(finance, id)]).toEqual([0, 0]);
  });

  it('who says both at the same moment is heard once', async () => {
    await switchOn(house.owner, [
      sideBySide([step('a1', '价格审核', [lead])], [step('a2', '数量会签', [lead, finance], { mode: 'all' })]),
    ]);
    const { id } = await submitted(house);
    const both = await open(lead, id);
    const said = await Promise.all(both.map((task) => say(lead, task.id)));
    expect(said.map(({ msg }) => msg).filter((msg) => msg === '该审批已被处理')).toHaveLength(1);
    const mine = (await tasksOf(id)).filter(([, who]) => who === 'lead').map(([, , state]) => state);
    expect(mine.sort()).toEqual(['approved', 'auto']);
    expect(await stateOf(house, id)).toBe('pending');
    expect((await yes(finance, id)).data?.state).toBe('approved');
  });
});
