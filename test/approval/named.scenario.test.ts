import { afterAll, beforeAll, expect, it } from 'vitest';
import * as desk from '#modules/approval/contract/desk.ts';
import type { FlowNode } from '#modules/approval/contract/flow.ts';
import { publishFlow, saveFlow, simulateFlow } from '#modules/approval/contract/flows.ts';
import { inboundCalls } from '#modules/warehouse/contract/documents/inbound.ts';
import { createHouse, type House } from '#test/support/house.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { INBOUND, instanceOf, stateOf, step, submitted, switchOn, taskOf } from './support.ts';

let world: World;
let house: House;
let lead: Person;
let finance: Person;
let boss: Person;

const named = (key: string, name: string, more = {}) => step(key, name, [], { who: [{ from: 'previous' }], ...more });

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A']);
  const hire = () => world.member(house.owner, []);
  [lead, finance, boss] = [await hire(), await hire(), await hire()];
  const steps: FlowNode[] = [
    step('a1', '主管', [lead]),
    {
      key: 'b1',
      type: 'branch',
      name: '金额',
      cases: [
        {
          name: '一百以上',
          when: { join: 'all', rules: [{ field: 'amountBase', op: 'gte', value: '100' }] },
          steps: [named('a2', '复核')],
        },
        { name: '其余', when: null, steps: [] },
      ],
    },
  ];
  await switchOn(house.owner, steps);
});
afterAll(() => world.close());

const agree = async (person: Person, id: string, next: { nodeKey: string; people: string[] }[] = []) =>
  person.send(desk.approveTask, { body: { taskId: await taskOf(person, id), next } });

it('whoever agrees picks the people of the next step, who are here and are not the maker', async () => {
  const { id, number } = await submitted(house, 100, '2');
  const instance = await instanceOf(house.clerk, id);
  const view = () => lead.call(desk.readInstance, { params: { id: instance } });
  const { allowed, path } = await view();
  expect(allowed.names).toEqual([{ key: 'a2', name: '复核', people: [] }]);
  expect(path.map((one) => [one.name, one.previous, one.people.length])).toEqual([
    ['主管', false, 1],
    ['复核', true, 0],
  ]);
  const definition = { steps: [step('a1', '主管', [lead]), named('a2', '复核')] };
  const trial = await house.owner.call(simulateFlow, { body: { docType: INBOUND, number, definition } });
  expect(trial.path.at(-1)).toMatchObject({ previous: true, people: [] });

  expect((await agree(lead, id)).msg).toBe('请指定下一节点「复核」的审批人');
  const batch = await lead.send(desk.batchApprove, { body: { taskIds: [await taskOf(lead, id)] } });
  expect(batch.msg).toBe('请指定下一节点「复核」的审批人');
  const pick = (person: string) => agree(lead, id, [{ nodeKey: 'a2', people: [person] }]);
  expect((await pick(house.clerk.userId)).msg).toBe('节点「复核」不能审批本人提交的单据');
  expect((await pick('00000000-0000-4000-8000-000000000000')).msg).toBe('所选人员不存在或已离职');
  const other = [{ nodeKey: 'a1', people: [finance.userId] }];
  expect((await agree(lead, id, other)).msg).toBe('该节点不由您指定审批人');
  expect((await view()).allowed.names).toEqual([{ key: 'a2', name: '复核', people: [] }]);

  expect((await pick(finance.userId)).code).toBe(201);
  const { log, path: now } = await view();
  const names = now.at(-1)?.people ?? [];
  expect(log.find((entry) => entry.action === 'approve')?.detail).toBe(`指定「复核」：${names[0]}`);
  expect((await agree(finance, id)).code).toBe(201);
  expect(await stateOf(house, id)).toBe('receiving');
});

it('a step that is returned is given to others, a document that comes anew is asked about anew, a small one needs nobody', async () => {
  const { id } = await submitted(house, 100, '2');
  const pick = (person: Person) => agree(lead, id, [{ nodeKey: 'a2', people: [person.userId] }]);
  await pick(finance);
  const back = { taskId: await taskOf(finance, id), comment: '换人' };
  await finance.call(desk.returnTask, { body: { ...back, toNode: 'a1' } });
  expect((await pick(boss)).code).toBe(201);
  await expect(taskOf(finance, id)).rejects.toThrow('nothing to decide');
  await boss.call(desk.returnTask, { body: { taskId: await taskOf(boss, id), comment: '重来', toNode: null } });
  await house.clerk.send(inboundCalls.submit, { body: { id } });
  expect((await agree(lead, id)).msg).toBe('请指定下一节点「复核」的审批人');

  const small = await submitted(house, 10, '2');
  expect((await agree(lead, small.id)).code).toBe(201);
  expect(await stateOf(house, small.id)).toBe('receiving');
});

it('a flow that has nobody in front of such a step is not published', async () => {
  const publish = async (name: string, steps: FlowNode[]) => {
    const { id, version } = await house.owner.call(saveFlow, {
      body: { name, docType: INBOUND, definition: { steps } },
    });
    return (await house.owner.send(publishFlow, { params: { id }, body: { version } })).msg;
  };
  const reason = '节点「复核」由上一节点指定，须紧跟在一个审批人或办理人节点之后，不能在流程开头或并行分支之后';
  const beside: FlowNode = {
    key: 'p1',
    type: 'parallel',
    name: '会审',
    branches: [
      { name: '一', steps: [step('a1', '甲', [lead])] },
      { name: '二', steps: [step('a3', '乙', [boss])] },
    ],
  };
  expect(await publish('开头', [named('a2', '复核')])).toBe(reason);
  expect(await publish('并行之后', [beside, named('a2', '复核')])).toBe(reason);
  const both = named('a2', '复核', { who: [{ from: 'previous' }, { from: 'chosen' }] });
  expect(await publish('两处', [step('a1', '甲', [lead]), both])).toContain('不能同时由发起人自选和上一节点指定');
});
