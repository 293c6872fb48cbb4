import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { runReport } from '../reports/run.ts';
import { runBackfill } from './backfill.ts';
import { runSync } from './run.ts';
import { charge } from './slots.ts';
import { type Turn, takeTurn } from './turn.ts';
import { keepUnit, type Unit, type UnitKind } from './unit.ts';

const RUN: Record<UnitKind, (runtime: Runtime, companyId: string, id: string) => Promise<void>> = {
  sync: runSync,
  report: runReport,
  backfill: runBackfill,
};

const JOB = {
  sync: ({ companyId, id }: Unit) => ['marketplace.sync', { companyId, cursorId: id }] as const,
  report: ({ companyId, id }: Unit) => ['marketplace.report', { companyId, requestId: id }] as const,
  backfill: ({ companyId, id }: Unit) => ['marketplace.backfill', { companyId, backfillId: id }] as const,
};

/** The offered unit keeps its place in the queue; the one that is done instead is queued, too, and will find it done. */
async function queueAgain(
  runtime: Runtime,
  offered: Unit,
  { priority, at }: NonNullable<Turn['again']>,
): Promise<void> {
  const [name, payload] = JOB[offered.kind](offered);
  const options = { key: `${offered.kind}:${offered.id}`, keyMode: 'preserve_run_at' as const, priority };
  await inSystem(runtime, (db) => enqueue({ db }, name, payload, { ...options, ...(at ? { runAt: at } : {}) }), {
    prepared: true,
  });
}

async function work(runtime: Runtime, offered: Unit): Promise<void> {
  const turn = await takeTurn(runtime, offered);
  if (!turn) return;
  if (turn.again) await queueAgain(runtime, offered, turn.again);
  // Another worker has it in hand, and nobody else has anything to do.
  if (turn.again?.at) return;
  const { unit } = turn;
  const stop = keepUnit(runtime, unit);
  const began = runtime.clock.ms();
  try {
    await RUN[unit.kind](runtime, unit.companyId, unit.id);
  } finally {
    stop();
    await charge(runtime, turn.class, runtime.clock.ms() - began);
  }
}

/** A queued run of a stream: the right to one turn. */
export const syncJob = job<{ companyId: string; cursorId: string }>('marketplace.sync', (runtime, payload) =>
  work(runtime, { kind: 'sync', companyId: payload.companyId, id: payload.cursorId }),
);

/** A queued step of a report: the right to one turn. */
export const reportJob = job<{ companyId: string; requestId: string }>('marketplace.report', (runtime, payload) =>
  work(runtime, { kind: 'report', companyId: payload.companyId, id: payload.requestId }),
);

/** A queued step of a backfill: the right to one turn. */
export const backfillJob = job<{ companyId: string; backfillId: string }>('marketplace.backfill', (runtime, payload) =>
  work(runtime, { kind: 'backfill', companyId: payload.companyId, id: payload.backfillId }),
);
