import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { on } from '#kit/server/events.ts';
import { writeEnded, writeRetried } from '#modules/marketplace/server/index.ts';
import type { McfState } from '../../contract/states.ts';
import { CANCEL_KIND, CREATE, RELEASE } from '../write/kinds.ts';
import { lockByNumber, put } from '../write/load.ts';
import { readBackLater } from './read-back.ts';

type End = 'done' | 'refused' | 'unknown' | 'cancelled';

/** What became of the making of an order: what Amazon shows decides, wherever it may have it. */
async function followCreation(ctx: Ctx, id: string, hold: boolean, end: End, problem: string | null): Promise<void> {
  const states: Record<End, McfState> = {
    done: hold ? 'HELD' : 'RECEIVED',
    refused: 'REFUSED',
    unknown: 'UNKNOWN',
    cancelled: 'DRAFT',
  };
  await put(ctx, id, { state: states[end], problem });
}

/** An order that Amazon goes on with stands where Amazon says. */
async function followCancellation(ctx: Ctx, id: string, end: End, problem: string | null): Promise<void> {
  if (end === 'done' || end === 'unknown') await put(ctx, id, { problem });
  else await put(ctx, id, { cancelling: false, problem: end === 'cancelled' ? null : problem });
}

export const onWriteEnded = on(writeEnded, async (ctx, { kind, subject, accountId, state, problem }) => {
  if (![CREATE, RELEASE, CANCEL_KIND].includes(kind)) return;
  const row = await lockByNumber(ctx, accountId, subject);
  if (!row) return;
  if (kind === CREATE) await followCreation(ctx, row.id, row.hold, state, problem);
  else if (kind === CANCEL_KIND) await followCancellation(ctx, row.id, state, problem);
  else await put(ctx, row.id, { problem });
  // Refused for its number, it may be there all the same: an answer that was lost before.
  const maybeThere =
    state !== 'cancelled' && !(kind === CREATE && state === 'refused' && !/履约单号/.test(problem ?? ''));
  if (maybeThere || kind !== CREATE) await readBackLater(ctx, accountId, subject);
});

export const onWriteRetried = on(writeRetried, async (ctx, { kind, subject, accountId }) => {
  if (kind !== CREATE && kind !== CANCEL_KIND) return;
  const row = await lockByNumber(ctx, accountId, subject);
  if (kind === CANCEL_KIND) {
    if (row && ['HELD', 'RECEIVED', 'PLANNING'].includes(row.state)) {
      return put(ctx, row.id, { state: 'CANCELLING', cancelling: true, problem: null });
    }
    throw conflict('已开始拣货或已结束，不能取消');
  }
  if (!row || !['REFUSED', 'UNKNOWN'].includes(row.state)) throw conflict('订单已经受理或不再等待提交，不能重试');
  if (row.address === null) throw conflict('收件人信息已清除，请重新建单');
  await put(ctx, row.id, { state: 'SUBMITTING', problem: null });
});
