import { afterAll, beforeAll, expect, it } from 'vitest';
import { readOrganisation } from '#modules/approval/contract/config.ts';
import type { FlowNode } from '#modules/approval/contract/flow.ts';
import { compareVersions, publishFlow, saveFlow } from '#modules/approval/contract/flows.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { step } from './support.ts';

const ORDER = 'purchase.order';

let world: World;
let owner: Person;
let lead: Person;
let money: Person;
beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  [lead, money] = [await world.member(owner, []), await world.member(owner, [])];
});
afterAll(() => world.close());

const atLeast = (value: string) => ({
  join: 'all' as const,
  rules: [{ field: 'amountBase', op: 'gt' as const, value }],
});
const branch = (cases: { name: string; value: string; steps: FlowNode[] }[]): FlowNode => ({
  key: 'b1',
  type: 'branch',
  name: '金额',
  cases: [
    ...cases.map(({ name, value, steps }) => ({ name, when: atLeast(value), steps })),
    { name: '其余', when: null, steps: [] },
  ],
});

it('two versions differ in words, node by node, and either picture is told what to mark', async () => {
  const body = { name: '对比', docType: ORDER };
  const name = async (person: Person) =>
    (await owner.call(readOrganisation, {})).members.find(({ id }) => id === person.userId)?.name;
  const first = [
    step('a1', '初审', [lead]),
    branch([{ name: '两万以上', value: '20000', steps: [step('a2', '复审', [money])] }]),
    step('a3', '出纳', [money]),
  ];
  const { id, version } = await owner.call(saveFlow, { body: { ...body, definition: { steps: first } } });
  const published = await owner.call(publishFlow, { params: { id }, body: { version } });
  const second = [
    step('a4', '归档', [lead]),
    step('a1', '初审', [money], {
      mode: 'vote',
      percent: 75,
      due: { hours: 8, clock: 'working', action: 'leader' },
      empty: 'people',
      emptyPeople: [lead.userId],
    }),
    branch([
      { name: '十万以上', value: '100000', steps: [] },
      { name: '两万以上', value: '50000', steps: [step('a2', '复审', [money])] },
    ]),
  ];
  const draft = { ...body, id, version: published.version, definition: { steps: second } };
  const saved = await owner.call(saveFlow, { body: draft });
  await owner.call(publishFlow, { params: { id }, body: { version: saved.version } });

  const { changes, marks } = await owner.call(compareVersions, { params: { id }, query: { a: 1, b: 2 } });
  const [leadName, moneyName] = [await name(lead), await name(money)];
  expect(changes).toEqual([
    { key: 'a4', name: '归档', kind: 'added', place: '审批人 · 最前', words: leadName, details: [] },
    {
      key: 'a1',
      name: '初审',
      kind: 'changed',
      place: '审批人 · 「归档」之后',
      words: '',
      details: [
        { field: '审批人', before: leadName, after: moneyName },
        { field: '多人时', before: '或签', after: '票签 75%' },
        { field: '找不到人时', before: '转流程管理员', after: `转${leadName}` },
        { field: '时限', before: '不限', after: '8小时（工作时间）后转上级' },
      ],
    },
    {
      key: 'b1',
      name: '金额',
      kind: 'changed',
      place: '条件分支 · 「初审」之后',
      words: '',
      details: [
        { field: '分支「两万以上」条件', before: '金额（本位币） ＞ 20,000', after: '金额（本位币） ＞ 50,000' },
        { field: '分支「十万以上」', before: '无', after: '金额（本位币） ＞ 100,000' },
      ],
    },
    { key: 'a3', name: '出纳', kind: 'removed', place: '审批人 · 「金额」之后', words: moneyName, details: [] },
  ]);
  expect(marks).toEqual({
    a: { a1: 'changed', b1: 'changed', 'b1:0': 'changed', a3: 'removed' },
    b: { a4: 'added', a1: 'changed', b1: 'changed', 'b1:0': 'added', 'b1:1': 'changed' },
  });
  const same = await owner.call(compareVersions, { params: { id }, query: { a: 2, b: 0 } });
  expect(same.changes).toEqual([]);
  const missing = await owner.send(compareVersions, { params: { id }, query: { a: 1, b: 9 } });
  expect(missing.status).toBe(404);
});

it('what goes into another branch or behind another node has moved; what is put in front of it moves nothing', async () => {
  const a2 = step('a2', '复审', [money]);
  const case1 = (steps: FlowNode[]) => branch([{ name: '两万以上', value: '20000', steps }]);
  const put = (id: string | undefined, version: number | undefined, steps: FlowNode[]) =>
    owner.call(saveFlow, {
      body: { ...(id ? { id, version } : {}), name: '移动', docType: ORDER, definition: { steps } },
    });
  const { id, version } = await put(undefined, undefined, [step('a1', '初审', [lead]), case1([a2])]);
  const one = await owner.call(publishFlow, { params: { id }, body: { version } });
  await put(id, one.version, [step('a1', '初审', [lead]), a2, case1([])]);
  const { changes, marks } = await owner.call(compareVersions, { params: { id }, query: { a: 1, b: 0 } });
  const moved = changes.find(({ key }) => key === 'a2');
  expect([moved?.kind, moved?.details]).toEqual([
    'moved',
    [{ field: '位置', before: '分支「金额/两万以上」中最前', after: '「初审」之后' }],
  ]);
  expect(marks.b.a2).toBe('moved');
});
