import { branchesOf, EMPTY, type FlowNode, isNamedBefore, isWork, MODES, type WorkNode } from '../../contract/flow.ts';
import type { PathStep } from '../../contract/instance.ts';
import type { World } from '../core/people.ts';
import type { FlowState } from '../core/state.ts';

/** Nodes that a document passes by its conditions, with the parallel branch of each. */
function way(steps: readonly FlowNode[], world: World, lane: string): { node: FlowNode; lane: string }[] {
  return steps.flatMap((node) => {
    if (node.type === 'branch') {
      const chosen = node.cases.find(({ when }) => when === null || world.env.holds(when));
      return way(chosen?.steps ?? [], world, lane);
    }
    if (node.type === 'parallel') {
      return branchesOf(node).flatMap((branch) =>
        way(branch.steps, world, lane ? `${lane} / ${branch.name}` : branch.name),
      );
    }
    return [{ node, lane }];
  });
}

/** What happens at a step for which nobody is found. */
function nobodyWords(node: WorkNode, world: World): string {
  const names = world.env.standIns(node).map(({ person }) => world.chart.members.get(person)?.name ?? '');
  return ['admin', 'people'].includes(node.empty) ? `${EMPTY[node.empty]} ${names.join('、')}` : EMPTY[node.empty];
}

/** The way from the submission to the end, as it looks now: what is done, where it stands, what comes and who is asked. */
export function pathOf(steps: readonly FlowNode[], world: World, state: FlowState | undefined): PathStep[] {
  const nameOf = (id: string) => world.chart.members.get(id)?.name ?? '';
  const now = new Set(state?.tokens.map(({ node }) => node));
  const passed = new Set(state?.passed);
  const over = state !== undefined && state.status !== 'running' && state.status !== 'suspended';
  return way(steps, world, '').flatMap(({ node, lane }): PathStep[] => {
    if (node.type === 'branch' || node.type === 'parallel') return [];
    const done = passed.has(node.key);
    if (over && !done) return [];
    const tasks = state?.tasks.filter((task) => task.node === node.key && task.state !== 'cancelled') ?? [];
    const visit = Math.max(0, ...tasks.map((task) => task.visit));
    const asked = tasks.filter((task) => task.visit === visit).map((task) => task.person);
    const people =
      node.type === 'auto' ? [] : asked.length > 0 ? asked : world.env.people(node).map(({ person }) => person);
    const once = [...new Set(people)];
    return [
      {
        key: node.key,
        name: node.name,
        type: node.type,
        people: once.map(nameOf),
        whys: node.type === 'auto' ? [] : once.map((person) => world.why(node, person)),
        nobody: isWork(node) && people.length === 0 ? nobodyWords(node, world) : '',
        mode: node.type === 'approve' && people.length > 1 ? MODES[node.mode] : '',
        state: now.has(node.key) ? 'now' : done ? 'done' : 'todo',
        lane,
        open: node.type !== 'auto' && people.length === 0,
        previous: isNamedBefore(node),
        choosable: node.type !== 'auto' && node.who.some(({ from }) => from === 'chosen'),
      },
    ];
  });
}
