import type { Condition } from '../../contract/condition.ts';
import type { CcNode, WorkNode } from '../../contract/flow.ts';
import type { Plan } from './plan.ts';

export type Status = 'running' | 'suspended' | 'approved' | 'rejected' | 'returned' | 'withdrawn' | 'terminated';
export type TaskState =
  | 'waiting'
  | 'pending'
  | 'approved'
  | 'auto'
  | 'rejected'
  | 'returned'
  | 'transferred'
  | 'cancelled';
/** A task of the step itself, or one that somebody added before, after or beside his own. */
export type TaskKind = 'node' | 'before' | 'after' | 'parallel';

/** One person's part in a step. */
export interface Task {
  /** Counts up within the instance. */
  no: number;
  node: string;
  /** Counts the times that any node was begun. */
  visit: number;
  round: number;
  /** Place in a step that people decide one after the other. */
  seq: number;
  person: string;
  /** Whose task it is, where `person` stands in for somebody. */
  insteadOf: string | null;
  kind: TaskKind;
  /** The task that it was passed on from, or that it was added to. */
  source: number | null;
  state: TaskState;
}

/** All that decides what may come next; the interpreter reads nothing else. */
export interface FlowState {
  status: Status;
  /** Begins at 1; a return begins the next. */
  round: number;
  visits: number;
  tasks: Task[];
  /** Steps at which the flow stands now. */
  tokens: { node: string; visit: number }[];
  /** Branches that are done, of parallel nodes under way. */
  joined: Record<string, number[]>;
  /** Steps that are done and were not returned to, in the order of their ends. */
  passed: string[];
  /** Steps that a returned step leads back to directly when it is done again. */
  jumps: Record<string, string[]>;
  /** Steps at which a document that was returned to its maker goes on directly. */
  resume: string[];
}

export interface Assignee {
  person: string;
  insteadOf: string | null;
}

/** Something that people are told of, or that the log keeps. */
export type FlowEvent =
  | { event: 'copied'; node: string; people: string[] }
  | { event: 'nobody'; node: string; policy: WorkNode['empty'] }
  | { event: 'repeated'; node: string; person: string };

/** What the interpreter asks of the world around it. */
export interface Env {
  plan: Plan;
  /** Whether a condition holds for what was frozen at the submission. */
  holds: (condition: Condition) => boolean;
  /** People of a step as they are now, without repetition. */
  people: (node: WorkNode | CcNode) => Assignee[];
  /** Those who take a step for which nobody was found. */
  standIns: (node: WorkNode) => Assignee[];
  /** Whether somebody may not decide at a step, because the document is his own. */
  bars: (node: WorkNode, person: string) => boolean;
  /** Whose second agreement goes without saying. */
  dedup: 'none' | 'adjacent' | 'all';
}

export const OPEN_TASKS: readonly TaskState[] = ['pending', 'waiting'];
const AGREED: readonly TaskState[] = ['approved', 'auto'];

export const isOpen = (task: Task): boolean => OPEN_TASKS.includes(task.state);
export const agreed = (task: Task): boolean => AGREED.includes(task.state);

/** Whether the flow can still change by itself or by an act on a task. */
export function isAlive(state: Pick<FlowState, 'status'>): boolean {
  return state.status === 'running' || state.status === 'suspended';
}

/** A flow that has not begun. */
export function blank(): FlowState {
  return {
    status: 'running',
    round: 1,
    visits: 0,
    tasks: [],
    tokens: [],
    joined: {},
    passed: [],
    jumps: {},
    resume: [],
  };
}
