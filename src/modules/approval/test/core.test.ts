import { describe, expect, test } from 'vitest';
import type { Definition } from '../contract/flow.ts';
import { type Act, act, begin, resume } from '../server/core/acts.ts';
import { asksAgain } from '../server/core/again.ts';
import { holds } from '../server/core/condition.ts';
import type { Env, FlowState } from '../server/core/state.ts';
import { alone, envOf, handle, step } from './flows.ts';

/** A flow under way, with people called by a letter. */
function flow(steps: Definition['steps'], dedup: Env['dedup'] = 'none') {
  const env = envOf({ steps }, dedup);
  let state: FlowState = begin(env).state;
  const open = (person: string) => {
    const task = state.tasks.find((one) => one.person === person && one.state === 'pending');
    if (!task) throw new Error(`${person} has nothing to decide`);
    return task.no;
  };
  return {
    env,
    get state() {
      return state;
    },
    does(person: string, what: Record<string, unknown> & { act: Act['act'] }) {
      state = act(env, state, { task: open(person), by: person, ...what } as Act).state;
    },
    goesOn() {
      state = resume(env, state).state;
    },
    waiting: () => state.tasks.filter((task) => task.state === 'pending').map((task) => `${task.node}:${task.person}`),
  };
}

const yes = { act: 'approve' } as const;
const no = { act: 'reject' } as const;

describe('how several people decide', () => {
  test('票签 of five at 60 %: three agreements pass, three refusals refuse, two and two are open (example 7)', () => {
    const five = () => flow([step('s', ['a', 'b', 'c', 'd', 'e'], 'vote', { percent: 60 })]);
    const passes = five();
    for (const person of ['a', 'b']) passes.does(person, yes);
    for (const person of ['c', 'd']) passes.does(person, no);
    expect(passes.state.status).toBe('running');
    passes.does('e', yes);
    expect(passes.state.status).toBe('approved');
    const fails = five();
    for (const person of ['a', 'b']) fails.does(person, no);
    expect(fails.state.status).toBe('running');
    fails.does('c', no);
    expect(fails.state.status).toBe('rejected');
  });

  test('会签 of A, B, C: A agrees, C passes his on to A, who agrees by himself; B is still asked (example 12)', () => {
    const run = flow([step('s', ['a', 'b', 'c'], 'all')], 'all');
    run.does('a', yes);
    run.does('c', { act: 'transfer', to: alone('a') });
    expect(run.state.tasks.filter((task) => task.person === 'a').map((task) => task.state)).toEqual([
      'approved',
      'auto',
    ]);
    expect(run.waiting()).toEqual(['s:b']);
    run.does('b', yes);
    expect(run.state.status).toBe('approved');
  });

  test('依次 asks one after the other; 会签 may wait for all before a refusal counts', () => {
    const turns = flow([step('s', ['a', 'b'], 'sequence')]);
    expect(turns.waiting()).toEqual(['s:a']);
    turns.does('a', yes);
    expect(turns.waiting()).toEqual(['s:b']);
    const patient = flow([step('s', ['a', 'b'], 'all', { waitAll: true })]);
    patient.does('a', no);
    expect(patient.state.status).toBe('running');
    patient.does('b', yes);
    expect(patient.state.status).toBe('rejected');
  });

  test('people added before, after and beside somebody speak with him', () => {
    const before = flow([step('s', ['a'])]);
    before.does('a', { act: 'sign', how: 'before', people: [alone('x')] });
    expect(before.waiting()).toEqual(['s:x']);
    before.does('x', yes);
    expect(before.waiting()).toEqual(['s:a']);
    const refused = flow([step('s', ['a', 'b', 'c'], 'vote')]);
    refused.does('a', { act: 'sign', how: 'before', people: [alone('x')] });
    refused.does('x', no);
    // His voice is given by that: passing it on would undo the refusal.
    expect(refused.waiting()).toEqual(['s:b', 's:c']);
    const after = flow([step('s', ['a'])]);
    after.does('a', { act: 'sign', how: 'after', people: [alone('x')] });
    expect(after.state.status).toBe('running');
    expect(() => after.does('x', { act: 'sign', how: 'before', people: [alone('y')] })).toThrow('加签人不能再加签');
    after.does('x', yes);
    expect(after.state.status).toBe('approved');
    const beside = flow([step('s', ['a'], 'all')]);
    beside.does('a', { act: 'sign', how: 'parallel', people: [alone('x')] });
    const added = beside.state.tasks.find((task) => task.person === 'x')?.no;
    beside.does('a', { act: 'unsign', task: added });
    beside.does('a', yes);
    expect(beside.state.status).toBe('approved');
  });

  test('who agreed before in the round agrees by himself, but not after a return', () => {
    const run = flow([step('one', ['a']), step('two', ['b']), step('three', ['a'])], 'all');
    run.does('a', yes);
    run.does('b', { act: 'return', to: 'one', direct: false });
    expect(run.waiting()).toEqual(['one:a']);
    run.does('a', yes);
    run.does('b', yes);
    expect(run.state.status).toBe('approved');
  });
});

describe('returns', () => {
  const abc = () => [step('one', ['a']), step('two', ['b']), step('three', ['c'])];

  test('step by step, or straight back to whoever returned it', () => {
    const slow = flow(abc());
    slow.does('a', yes);
    slow.does('b', yes);
    slow.does('c', { act: 'return', to: 'one', direct: false });
    slow.does('a', yes);
    expect(slow.waiting()).toEqual(['two:b']);
    const straight = flow(abc());
    straight.does('a', yes);
    straight.does('b', yes);
    straight.does('c', { act: 'return', to: 'one', direct: true });
    straight.does('a', yes);
    expect(straight.waiting()).toEqual(['three:c']);
  });

  test('to the maker ends the round; handed in again it comes straight back where that was asked', () => {
    const run = flow(abc());
    run.does('a', yes);
    run.does('b', { act: 'return', to: null, direct: true });
    expect(run.state.status).toBe('returned');
    run.goesOn();
    expect([run.state.status, run.state.round, ...run.waiting()]).toEqual(['running', 2, 'two:b']);
  });

  test('to a step that was repeated before keeps those in front of it done', () => {
    const three = flow([step('s1', ['a']), step('s2', ['b']), step('s3', ['c'])]);
    three.does('a', yes);
    three.does('b', yes);
    three.does('c', { act: 'return', to: 's1', direct: true });
    three.does('a', yes);
    three.does('c', { act: 'return', to: 's2', direct: false });
    expect([three.waiting(), three.state.passed]).toEqual([['s2:b'], ['s1']]);
  });

  test('before a split drops the branches beside; within a branch leaves them alone', () => {
    const split = () =>
      flow([
        step('start', ['s']),
        {
          key: 'p',
          type: 'parallel',
          name: 'p',
          branches: [
            { name: '财务', steps: [step('fin', ['f']), step('boss', ['g'])] },
            { name: '仓库', steps: [handle('wh', ['w'])] },
          ],
        },
        step('end', ['e']),
      ]);
    const inside = split();
    inside.does('s', yes);
    inside.does('f', yes);
    inside.does('g', { act: 'return', to: 'fin', direct: false });
    expect(inside.waiting()).toEqual(['wh:w', 'fin:f']);
    const outside = split();
    outside.does('s', yes);
    outside.does('f', { act: 'return', to: 'start', direct: false });
    expect(outside.waiting()).toEqual(['start:s']);
    outside.does('s', yes);
    outside.does('w', yes);
    outside.does('f', yes);
    expect(() => outside.does('w', no)).toThrow();
    outside.does('g', yes);
    expect(outside.waiting()).toEqual(['end:e']);
  });

  test('only to steps that are done, and never by who only carries something out', () => {
    const run = flow([step('one', ['a']), handle('do', ['h'])]);
    expect(() => run.does('a', { act: 'return', to: 'do', direct: false })).toThrow('只能退回到已经过的节点');
    run.does('a', yes);
    expect(() => run.does('h', no)).toThrow('办理节点不能拒绝');
  });
});

test('a step without anybody goes to the administrator, passes, refuses or stands still, as it says', () => {
  expect(flow([step('s', [])]).waiting()).toEqual(['s:admin']);
  expect(flow([step('s', [], 'any', { empty: 'approve' })]).state.status).toBe('approved');
  expect(flow([step('s', [], 'any', { empty: 'reject' })]).state.status).toBe('rejected');
  const stuck = flow([step('s', [], 'any', { empty: 'suspend' })]);
  expect(stuck.state.status).toBe('suspended');
  const helped = act(stuck.env, stuck.state, { act: 'reassign', node: 's', people: [alone('x')] }).state;
  expect([helped.status, helped.tasks[0]?.person]).toEqual(['running', 'x']);
});

test('conditions compare amounts as decimals and choices as sets, and what is missing is neither more nor less', () => {
  const all = (...rules: { field: string; op: never; value: never }[]) => ({ join: 'all' as const, rules });
  const rule = (field: string, op: string, value: unknown) => all({ field, op: op as never, value: value as never });
  const vars = { amountBase: '87943.15', warehouse: 'W1', tags: ['x', 'y'], none: null };
  expect(holds(rule('amountBase', 'gte', '50000.00'), vars)).toBe(true);
  expect(holds(rule('amountBase', 'gte', '87943.151'), vars)).toBe(false);
  expect(holds(rule('amountBase', 'eq', '87943.150'), vars)).toBe(true);
  expect(holds(rule('warehouse', 'in', ['W1', 'W2']), vars)).toBe(true);
  expect(holds(rule('tags', 'notIn', ['y']), vars)).toBe(false);
  expect(holds(rule('none', 'lt', '1'), vars)).toBe(false);
  expect(holds(rule('none', 'isEmpty', ''), vars)).toBe(true);
  expect(holds({ join: 'any', rules: [] }, vars)).toBe(true);
});

test('a change after the approval asks again beyond the tolerance or in a fixed field, never for less', () => {
  const then = { vars: { supplier: 'S1', warehouse: 'W1' }, amountBase: '1000.00' };
  const now = (amountBase: string, supplier = 'S1') => ({ vars: { ...then.vars, supplier }, amountBase });
  const asks = (change: ReturnType<typeof now>, tolerance = '0.05') => asksAgain(change, then, ['supplier'], tolerance);
  expect(asks(now('1050.00'))).toBe(false);
  expect(asks(now('1050.01'))).toBe(true);
  expect(asks(now('1000.01'), '0')).toBe(true);
  expect(asks(now('10.00'))).toBe(false);
  expect(asks(now('1000.00', 'S2'))).toBe(true);
});

describe('one person, one voice', () => {
  const lanes = (): Definition['steps'] => [
    {
      key: 'p',
      type: 'parallel',
      name: 'p',
      branches: [
        { name: '财务', steps: [step('fin', ['a'])] },
        { name: '仓库', steps: [step('wh', ['a', 'b'], 'sequence')] },
      ],
    },
  ];

  test('who is asked in two branches at once is heard once where nobody is asked twice', () => {
    const once = flow(lanes(), 'all');
    once.does('a', yes);
    expect(once.waiting()).toEqual(['wh:b']);
    expect(once.state.tasks.map((task) => task.state)).toEqual(['approved', 'auto', 'pending']);
    const late = flow(lanes(), 'all');
    late.does('a', { ...yes, by: undefined });
    expect(late.waiting()).toEqual(['wh:a']);
    const twice = flow(lanes(), 'none');
    twice.does('a', yes);
    expect(twice.waiting()).toEqual(['wh:a']);
  });

  test('who refused is asked at the same step no more, by nobody', () => {
    const run = flow([step('s', ['a', 'b'], 'all', { waitAll: true })], 'all');
    run.does('a', no);
    expect(() => run.does('b', { act: 'transfer', to: alone('a') })).toThrow('所选人员已在该节点中');
    expect(() => run.does('b', { act: 'sign', how: 'before', people: [alone('a')] })).toThrow('所选人员已在该节点中');
    expect(() => act(run.env, run.state, { act: 'reassign', node: 's', people: [alone('a')] })).toThrow(
      '所选人员已在该节点中',
    );
  });

  test('a delegate of two who are added, or put in a place together, has one task', () => {
    const both = ['x', 'y'].map((insteadOf) => ({ person: 'd', insteadOf }));
    const added = flow([step('s', ['a'])]);
    added.does('a', { act: 'sign', how: 'before', people: both });
    expect(added.waiting()).toEqual(['s:d']);
    const run = flow([step('s', ['a'], 'all')]);
    const given = act(run.env, run.state, { act: 'reassign', node: 's', people: both }).state;
    expect(given.tasks.map(({ person, state }) => `${person} ${state}`)).toEqual(['a transferred', 'd pending']);
  });

  test('a step that waits for somebody asked after another is not passed by giving it to others', () => {
    const run = flow([step('s', ['a'])]);
    run.does('a', { act: 'sign', how: 'after', people: [alone('x')] });
    const given = act(run.env, run.state, { act: 'reassign', node: 's', people: [alone('y')] }).state;
    expect(given.status).toBe('running');
    expect(given.tasks.filter(({ state }) => state === 'pending').map(({ person }) => person)).toEqual(['y']);
  });
});
