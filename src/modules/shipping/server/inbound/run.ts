import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { ApiRefused, AuthLost, ComeBackLater } from '#modules/marketplace/server/index.ts';
import { decide, type Move } from './decide.ts';
import { requeueInbounds } from './job.ts';
import { endTurn, Overtaken, type Turn, takeTurn } from './lease.ts';
import { putInbound } from './put.ts';
import { ask, look, poll, read, take } from './turn.ts';
import { watch, watchDue } from './watch.ts';
import { problemWords } from './words.ts';

/** Consent that was taken back, or an answer that does not come, is looked after again so late at most. */
const LATER_MS = 15 * 60_000;
/** How often a plan that waits for people is compared with what Amazon shows. */
const WATCH_MS = 30 * 60_000;

/** The plan was called off: the way is over, or the next plan begins. */
async function calledOff(turn: Turn): Promise<void> {
  const { inbound } = turn.view;
  if (inbound.wish === 'cancel') {
    return endTurn(turn, { state: 'cancelled', stage: 'cancelPlan' }, (ctx) =>
      putInbound(ctx, turn.orderId, { wish: null }),
    );
  }
  return endTurn(turn, { stage: 'createPlan' }, (ctx) =>
    putInbound(ctx, turn.orderId, {
      wish: null,
      attempt: inbound.attempt + 1,
      planId: null,
      packing: null,
      placement: null,
      transport: null,
      windows: null,
      chosenPacking: null,
      chosenPlacement: null,
      ways: null,
    }),
  );
}

async function wait(turn: Turn, move: Extract<Move, { kind: 'wait' }>): Promise<void> {
  if (watchDue(turn.view)) return watch(turn, move);
  return endTurn(turn, { state: 'waiting', stage: move.stage, words: move.words, afterMs: WATCH_MS });
}

function make(turn: Turn, move: Move): Promise<void> {
  switch (move.kind) {
    case 'ask':
      return ask(turn, move);
    case 'look':
      return look(turn, move.operation);
    case 'poll':
      return poll(turn, move.operation);
    case 'take':
      return take(turn, move.operation);
    case 'read':
      return read(turn, move.stage);
    case 'wait':
      return wait(turn, move);
    case 'trouble':
      return endTurn(turn, { state: 'trouble', stage: move.stage, words: move.words });
    case 'redo':
      return endTurn(turn, { stage: 'cancelPlan' }, (ctx) => putInbound(ctx, turn.orderId, { wish: 'redo' }));
    case 'calledOff':
      return calledOff(turn);
    case 'end':
      return endTurn(turn, { state: 'ended', stage: 'tellTracking' });
  }
}

const stageOfMove = (turn: Turn, move: Move) =>
  'stage' in move ? move.stage : 'operation' in move ? move.operation.stage : turn.view.inbound.stage;

/** How a turn ends whose call did not succeed: later again, or, where Amazon refuses even to be asked, with people. */
async function afterError(turn: Turn, move: Move, error: unknown): Promise<void> {
  const stage = stageOfMove(turn, move);
  if (error instanceof ApiRefused) {
    const words = problemWords({ code: error.code, message: error.message });
    return endTurn(turn, { state: 'trouble', stage, words: `亚马逊拒绝：${words}` });
  }
  const afterMs =
    error instanceof AuthLost
      ? LATER_MS
      : error instanceof ComeBackLater
        ? Math.min(error.afterMs, LATER_MS)
        : turn.runtime.config.retryBaseMs;
  if (!(error instanceof ComeBackLater || error instanceof AuthLost)) {
    turn.runtime.log.warn({ err: error, orderId: turn.orderId, stage }, 'inbound step failed');
  }
  return endTurn(turn, { stage, words: error instanceof AuthLost ? '店铺授权已失效，重新授权后继续' : '', afterMs });
}

/**
 * One turn of an order's way through the inbound API: the next step is decided from what is written down, and its end is
 * written down. Killed anywhere, the next turn finds out what happened before it asks again.
 */
export async function turnInbound(runtime: Runtime, companyId: string, orderId: string): Promise<void> {
  const turn = await takeTurn(runtime, companyId, orderId);
  if (!turn) return;
  const move = decide(turn.view);
  try {
    await make(turn, move);
  } catch (error) {
    if (error instanceof Overtaken) return;
    try {
      await afterError(turn, move, error);
    } catch (again) {
      if (!(again instanceof Overtaken)) throw again;
    }
  }
}

interface Payload {
  companyId: string;
  orderId: string;
}

export const inboundJobs: JobDef[] = [
  job<Payload>('shipping.inbound', (runtime, { companyId, orderId }) => turnInbound(runtime, companyId, orderId)),
  job<object>('shipping.inboundDue', (runtime) => inSystem(runtime, (db) => requeueInbounds(db))),
];
