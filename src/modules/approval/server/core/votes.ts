import type { WorkNode } from '../../contract/flow.ts';
import { agreed, type Task } from './state.ts';

export type Outcome = 'open' | 'approved' | 'rejected';

/** Tasks that count for the step: not passed on, not taken back. */
export function counted(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => task.state !== 'transferred' && task.state !== 'cancelled');
}

/** One voice: what a person and those whom he asked before or after himself have said together. */
function voiceOf(own: Task, tasks: readonly Task[]): Outcome {
  const asked = tasks.filter((task) => task.source === own.no && (task.kind === 'before' || task.kind === 'after'));
  if ([own, ...asked].some((task) => task.state === 'rejected')) return 'rejected';
  return agreed(own) && asked.every(agreed) ? 'approved' : 'open';
}

/** How many of `n` must agree where `percent` of them must. */
export function needed(n: number, percent: number): number {
  return Math.ceil((n * percent) / 100);
}

/**
 * What the tasks of one visit of a step come to. 或签: the first voice; 会签 and 依次: all agree, one refusal is enough
 * unless all are waited for; 票签: ⌈n·p⌉ agree, or more than n − ⌈n·p⌉ refuse.
 */
export function outcomeOf(node: WorkNode, all: readonly Task[]): Outcome {
  const tasks = counted(all);
  const voices = tasks
    .filter((task) => task.kind === 'node' || task.kind === 'parallel')
    .map((task) => voiceOf(task, tasks));
  const yes = voices.filter((voice) => voice === 'approved').length;
  const no = voices.filter((voice) => voice === 'rejected').length;
  const n = voices.length;
  if (node.mode === 'any') return yes > 0 ? 'approved' : no > 0 ? 'rejected' : 'open';
  if (node.mode === 'vote') {
    const need = needed(n, node.percent);
    return yes >= need ? 'approved' : no > n - need ? 'rejected' : 'open';
  }
  const waits = node.type === 'approve' && node.mode === 'all' && node.waitAll;
  if (no > 0) return waits && yes + no < n ? 'open' : 'rejected';
  return n > 0 && yes === n ? 'approved' : 'open';
}
