import { hashOf } from './desk.ts';
import { after, stageOf, stages } from './stages/index.ts';
import type { Stage } from './stages/stage.ts';
import { type Ask, type InboundOperation, STAGES, type StageKey, type View } from './types.ts';
import { problemsWords } from './words.ts';

/** What is to be done next. */
export type Move =
  | { kind: 'wait'; stage: StageKey; words: string }
  | { kind: 'trouble'; stage: StageKey; words: string }
  | { kind: 'read'; stage: StageKey }
  | { kind: 'ask'; stage: StageKey; subject: string; request: Ask; hash: string }
  /** An answer was lost: whether it arrived has to be found out. */
  | { kind: 'look'; operation: InboundOperation }
  | { kind: 'poll'; operation: InboundOperation }
  | { kind: 'take'; operation: InboundOperation }
  /** The numbers are others than Amazon was told, and nothing is fixed yet: another plan. */
  | { kind: 'redo' }
  /** The plan was called off as somebody wished. */
  | { kind: 'calledOff' }
  | { kind: 'end' };

/** So long an operation may take before people are asked to look after it, in seconds. */
export const GIVE_UP_SEC = 30 * 60;

/** Amazon fixes what went before with each of these; nothing before them is asked again. */
const FIXED: readonly StageKey[] = ['takeTransport', 'takePlacement'];

const latestOf = ({ operations }: View, stage: StageKey, subject: string): InboundOperation | undefined =>
  operations.findLast((one) => one.stage === stage && one.subject === subject && one.state !== 'dropped');

/** Whether a step was done for good: no earlier one is asked again then. */
export function isFixed(view: View, key: StageKey): boolean {
  return view.operations.some((one) => one.stage === key && one.state === 'done' && one.taken);
}

function inFlight(operation: InboundOperation): Move | undefined {
  const { state, taken, stage, problems, ageSec, operationId } = operation;
  if (state === 'pending' || state === 'unknown') return { kind: 'look', operation };
  if (state === 'asked' && ageSec > GIVE_UP_SEC) {
    const words = `亚马逊 30 分钟内没有完成，需人工处理（操作号 ${operationId ?? ''}）`;
    return { kind: 'trouble', stage, words };
  }
  if (state === 'asked') return { kind: 'poll', operation };
  if (state === 'failed') return { kind: 'trouble', stage, words: problemsWords(problems) };
  return state === 'done' && !taken ? { kind: 'take', operation } : undefined;
}

function askFor(view: View, stage: Stage, subject: string): Move | undefined {
  const operation = latestOf(view, stage.key, subject);
  const open = operation && inFlight(operation);
  if (open) return open;
  if (operation && stage.current?.(view, operation)) return undefined;
  const waits = stage.gate?.(view);
  if (waits !== undefined) return { kind: 'wait', stage: stage.key, words: waits };
  const request = stage.request?.(view, subject);
  if (!request) return undefined;
  const hash = hashOf(request);
  if (operation && !stage.current && operation.hash === hash) return undefined;
  if (operation && stage.key === 'createPlan') return { kind: 'redo' };
  return { kind: 'ask', stage: stage.key, subject, request, hash };
}

function moveOf(view: View, stage: Stage): Move | undefined {
  if (stage.skip?.(view)) return undefined;
  if (!stage.request) {
    if (stage.done?.(view)) return undefined;
    const waits = stage.gate?.(view);
    return waits === undefined ? { kind: 'read', stage: stage.key } : { kind: 'wait', stage: stage.key, words: waits };
  }
  for (const subject of stage.subjects?.(view) ?? ['']) {
    const move = askFor(view, stage, subject);
    if (move) return move;
  }
  return undefined;
}

/** Whether a plan may be on its way to Amazon without our knowing its number: that is found out before it is called off. */
function beingMade(view: View): Move | undefined {
  const made = latestOf(view, 'createPlan', '');
  const open = made && inFlight(made);
  return open && open.kind !== 'trouble' ? open : undefined;
}

/**
 * What comes next of a view; nothing is done here. Steps come in their order; one that is done counts for as long as the same
 * would be asked. What Amazon fixed is never asked again.
 */
export function decide(view: View): Move {
  const { inbound } = view;
  if (inbound.state === 'cancelled') return { kind: 'end' };
  if (inbound.wish !== null) {
    return beingMade(view) ?? moveOf(view, stageOf('cancelPlan')) ?? { kind: 'calledOff' };
  }
  const fixed = FIXED.find((key) => isFixed(view, key));
  const rest = fixed ? stages.slice((STAGES as readonly StageKey[]).indexOf(fixed) + 1) : stages;
  for (const stage of rest) {
    const move = moveOf(view, stage);
    if (move) return move;
  }
  return { kind: 'end' };
}

/** Steps whose offers and answers are worth nothing once `key` is asked anew. */
export const outdatedBy = (key: StageKey): StageKey[] => (key === 'cancelPlan' ? [] : after(key));
