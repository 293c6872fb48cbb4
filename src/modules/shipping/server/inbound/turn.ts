import { ApiRefused, ComeBackLater, hadNoEffect } from '#modules/marketplace/server/index.ts';
import type { Problem } from './answers.ts';
import { type Move, outdatedBy } from './decide.ts';
import { BASE, get } from './desk.ts';
import { downloadLabels } from './labels.ts';
import { during, endTurn, Overtaken, type Turn } from './lease.ts';
import { apply, begin, change, drop, putInbound } from './put.ts';
import { stageOf } from './stages/index.ts';
import type { InboundOperation, StageKey } from './types.ts';

/** Looks after an operation become rarer up to this. The first comes after the pause of the first retry: two seconds. */
const MOST_POLL_MS = 60_000;
/** What was asked without an answer shows at Amazon within so long. */
const SHOWS_AFTER_SEC = 30;
/** So often a step is begun again by itself, each time after twice the pause, before people are asked: over a minute. */
const MOST_TRIES = 6;

const asProblem = ({ code, message }: ApiRefused): Problem => ({ code, message, severity: 'ERROR' });

/** Asks Amazon to do something. That it may have left is written down right before it does. */
export async function ask(turn: Turn, move: Extract<Move, { kind: 'ask' }>): Promise<void> {
  const { view, api } = turn;
  const { stage, subject, request, hash } = move;
  let id = '';
  const announce = () =>
    during(turn, async (ctx) => {
      await drop(ctx, view, [stage, ...outdatedBy(stage)], subject);
      id = await begin(ctx, view, stage, subject, hash, request);
    });
  try {
    const { body } = await api.call<{ operationId: string; inboundPlanId?: string }>({
      ...request,
      once: true,
      announce,
    });
    await endTurn(turn, { stage, afterMs: turn.runtime.config.retryBaseMs }, async (ctx) => {
      await change(ctx, id, { state: 'asked', operationId: body.operationId });
      if (body.inboundPlanId) await putInbound(ctx, turn.orderId, { planId: body.inboundPlanId });
    });
  } catch (error) {
    if (error instanceof Overtaken || id === '') throw error;
    if (error instanceof ApiRefused) return failed(turn, { id, stage, subject }, [asProblem(error)]);
    const afterMs = error instanceof ComeBackLater ? error.afterMs : turn.runtime.config.retryBaseMs;
    const state = hadNoEffect(error) ? 'dropped' : 'unknown';
    await endTurn(turn, { stage, afterMs }, (ctx) => change(ctx, id, { state }));
  }
}

/**
 * An operation came to nothing. Where Amazon shows its effect all the same, e.g. as somebody did it in Seller Central, that is
 * as good; else an earlier step is begun again where that may mend it, or people are asked.
 */
async function failed(
  turn: Turn,
  { id, stage, subject }: Pick<InboundOperation, 'id' | 'stage' | 'subject'>,
  problems: readonly Problem[],
): Promise<void> {
  const { view } = turn;
  const found = stage === 'createPlan' ? undefined : await stageOf(stage).seen?.(turn.api, view, subject);
  if (found) {
    return endTurn(turn, { stage }, async (ctx) => {
      await change(ctx, id, { state: 'done', problems });
      await apply(ctx, view, found);
    });
  }
  const back = stageOf(stage).again?.(view, problems);
  const tries = view.operations.filter((one) => one.stage === stage).length;
  if (back !== undefined && tries < MOST_TRIES) {
    const afterMs = turn.runtime.config.retryBaseMs * 2 ** tries;
    return endTurn(turn, { stage: back, afterMs }, async (ctx) => {
      await change(ctx, id, { state: 'failed', problems });
      await drop(ctx, view, [back, ...outdatedBy(back)]);
    });
  }
  return endTurn(turn, { stage }, (ctx) => change(ctx, id, { state: 'failed', problems }));
}

interface Told {
  operationStatus: string;
  operationProblems?: Problem[];
}

/** Looks how far an operation is. */
export async function poll(turn: Turn, operation: InboundOperation): Promise<void> {
  const { id, stage, operationId, polls } = operation;
  const path = `${BASE}/operations/${encodeURIComponent(operationId ?? '')}`;
  const told = await get<Told>(turn.api, 'getInboundOperationStatus', path);
  const problems = told.operationProblems ?? [];
  if (told.operationStatus === 'SUCCESS') {
    return endTurn(turn, { stage }, (ctx) => change(ctx, id, { state: 'done', problems }));
  }
  if (told.operationStatus === 'FAILED') return failed(turn, operation, problems);
  const afterMs = Math.min(MOST_POLL_MS, turn.runtime.config.retryBaseMs * 2 ** (polls + 1));
  return endTurn(turn, { stage, afterMs }, (ctx) => change(ctx, id, { polled: true }));
}

/** Something was asked and its answer is lost: Amazon itself shows whether it arrived. */
export async function look(turn: Turn, operation: InboundOperation): Promise<void> {
  const { id, stage, subject, ageSec } = operation;
  const { view, api, runtime } = turn;
  const seen = stageOf(stage).seen;
  // What may be asked twice is simply asked again.
  if (!seen) return endTurn(turn, { stage }, (ctx) => change(ctx, id, { state: 'dropped' }));
  const found = await seen(api, view, subject);
  if (found) {
    return endTurn(turn, { stage }, async (ctx) => {
      await change(ctx, id, { state: 'done' });
      await apply(ctx, view, found);
    });
  }
  const patience = Math.min(SHOWS_AFTER_SEC, runtime.config.leaseSec);
  if (ageSec < patience) {
    const afterMs = Math.max(runtime.config.retryBaseMs, Math.min(2_000, (patience - ageSec) * 1000));
    return endTurn(turn, { stage, afterMs }, (ctx) => change(ctx, id, { state: 'unknown' }));
  }
  return endTurn(turn, { stage }, (ctx) => change(ctx, id, { state: 'dropped' }));
}

/** Reads what came of an operation. An empty offer is asked for again a few times, as it happens for no reason. */
export async function take(turn: Turn, operation: InboundOperation): Promise<void> {
  const { id, stage, subject } = operation;
  const { view, api, runtime } = turn;
  const patch = (await stageOf(stage).take?.(api, view, subject)) ?? {};
  const offered = patch.inbound?.packing ?? patch.inbound?.placement ?? patch.inbound?.transport;
  const tries = view.operations.filter((one) => one.stage === stage).length;
  if (offered?.length === 0 && tries < MOST_TRIES) {
    const afterMs = runtime.config.retryBaseMs * 2 ** tries;
    return endTurn(turn, { stage, afterMs }, (ctx) => change(ctx, id, { state: 'dropped' }));
  }
  return endTurn(turn, { stage }, async (ctx) => {
    await apply(ctx, view, patch);
    await change(ctx, id, { taken: true });
  });
}

/** A step that only reads. */
export async function read(turn: Turn, key: StageKey): Promise<void> {
  if (key === 'labels') return downloadLabels(turn);
  const patch = (await stageOf(key).take?.(turn.api, turn.view, '')) ?? {};
  return endTurn(turn, { stage: key }, (ctx) => apply(ctx, turn.view, patch));
}
