import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  ApiRefused,
  AuthLost,
  accountOf,
  ComeBackLater,
  createSpApi,
  type SpApi,
} from '#modules/marketplace/server/index.ts';
import { type ReadOrder, readOrder } from '../amazon/read.ts';
import { landOrder } from './order.ts';

/** Pauses before an order is read again that does not show what was asked of it, minutes; the list goes on beside it. */
const READ_BACK_MIN = [0, 1, 3, 10, 30];
/** The first pause between two tries of a call is 2 s where nothing else is set: minutes shrink with it in tests. */
const USUAL_BASE_MS = 2_000;

interface ReadBack {
  companyId: string;
  accountId: string;
  number: string;
  round: number;
}

/** Has one order read that something was asked of. */
export async function readBackLater(ctx: Ctx, accountId: string, number: string, round = 0): Promise<void> {
  const shrink = Math.min(1, ctx.runtime.config.retryBaseMs / USUAL_BASE_MS);
  const runAt = new Date(ctx.runtime.clock.ms() + (READ_BACK_MIN[round] ?? 0) * 60_000 * shrink);
  const payload: ReadBack = { companyId: ctx.companyId, accountId, number, round };
  await enqueue(ctx, 'fulfillment.readBack', payload, { key: `mcfBack:${accountId}:${number}`, runAt });
}

async function read(api: SpApi, number: string): Promise<ReadOrder | undefined> {
  try {
    return await readOrder(api, number);
  } catch (error) {
    // The next round or the list reads it.
    if (error instanceof ApiRefused || error instanceof AuthLost || error instanceof ComeBackLater) return undefined;
    throw error;
  }
}

/** Reads an order until Amazon shows it and has decided what was asked of it, for about an hour. */
export const readBackJob = job<ReadBack>(
  'fulfillment.readBack',
  async (runtime, { companyId, accountId, number, round }) => {
    const account = await inTenant(runtime, systemPrincipal(companyId), (ctx) =>
      accountOf(ctx.db, companyId, accountId),
    );
    if (!account) return;
    const order = await read(createSpApi(runtime, account, { calls: 0, throttled: 0 }), number);
    await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
      const row = order && (await landOrder(ctx, accountId, order));
      const stand = row && (await standOf(ctx, row.id));
      if ((row === undefined || stand === 'CANCELLING') && round + 1 < READ_BACK_MIN.length) {
        await readBackLater(ctx, accountId, number, round + 1);
      }
    });
  },
);

async function standOf(ctx: Ctx, id: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('fulfillment.mcf_order')
    .select('state')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.state;
}
