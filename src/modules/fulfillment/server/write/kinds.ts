import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  ApiRefused,
  type SpApi,
  type Write,
  type WriteKind,
  type WriteWork,
} from '#modules/marketplace/server/index.ts';
import type { Recipient } from '../../contract/create.ts';
import { ADD, CANCEL } from '../../contract/states.ts';
import { openRecipient } from '../address.ts';
import { cancelCall, createCall, type OrderBody, releaseCall, withAddress } from '../amazon/calls.ts';
import { askPreviews } from '../amazon/preview.ts';
import { type ReadOrder, readOrder } from '../amazon/read.ts';
import { feeOf, problemsOf } from '../offers.ts';
import { mcfProblem } from './problems.ts';

/** Names of these writes. */
export const CREATE = 'fulfillment.create';
export const RELEASE = 'fulfillment.release';
export const CANCEL_KIND = 'fulfillment.cancel';

type Sent = OrderBody & { id: string };
const sentOf = ({ request }: Write): Sent => request as Sent;

const within = <T>({ runtime, companyId }: WriteWork, run: (ctx: Ctx) => Promise<T>): Promise<T> =>
  inTenant(runtime, systemPrincipal(companyId), run);

/** Who gets an order; undefined once that is gone. */
function recipientOf(work: WriteWork, id: string): Promise<Recipient | undefined> {
  return within(work, async (ctx) => {
    const row = await ctx.db
      .selectFrom('fulfillment.mcf_order')
      .select('address')
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row?.address ? openRecipient(ctx, row.address) : undefined;
  });
}

/** What Amazon shows of an order; undefined where it knows none. */
async function shown(api: SpApi, number: string): Promise<ReadOrder | undefined> {
  try {
    return await readOrder(api, number);
  } catch (error) {
    if (error instanceof ApiRefused && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Asks what the order costs right before it is made, and keeps it; an order that its policy would end at once is not made at
 * all, so that its number and its address stay here to be put right.
 */
async function unfitToCreate(api: SpApi, write: Write, work: WriteWork): Promise<string | undefined> {
  const { id, marketplaceId, lines, speed, policy } = sentOf(write);
  const to = await recipientOf(work, id);
  if (!to) return '收件人信息已清除，请重新建单';
  const [preview] = await askPreviews(api, { marketplaceId, to, lines, speeds: [speed] });
  if (!preview) return undefined;
  const problems = problemsOf(preview);
  const goes = preview.fulfillable || (policy !== 'FillOrKill' && preview.fees.length > 0);
  if (!goes) return `亚马逊不能配送：${problems.join('；') || '没有可发的商品'}`;
  await within(work, (ctx) =>
    sql`UPDATE fulfillment.mcf_order SET fee = ${feeOf(preview)}::numeric, currency = ${preview.currency}
         WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db),
  );
  return undefined;
}

/** 提交多渠道订单: made once, by a number that makes a second one the same. */
export const createKind: WriteKind = {
  kind: CREATE,
  title: '多渠道订单',
  permission: ADD,
  call: (write) => createCall(sentOf(write)),
  unfit: unfitToCreate,
  fill: async (body, write, work) => {
    const to = await recipientOf(work, sentOf(write).id);
    return to ? withAddress(body, to) : body;
  },
  verify: async (api, { subject }) => ((await shown(api, subject)) ? 'done' : 'absent'),
  problemOf: mcfProblem,
};

/** 放行: a held order goes. */
export const releaseKind: WriteKind = {
  kind: RELEASE,
  title: '放行多渠道订单',
  permission: ADD,
  call: ({ subject }) => releaseCall(subject),
  verify: async (api, { subject }) => ((await shown(api, subject))?.hold === false ? 'done' : 'absent'),
  problemOf: mcfProblem,
};

/** 取消: a request, which Amazon refuses once picking has begun. */
export const cancelKind: WriteKind = {
  kind: CANCEL_KIND,
  title: '取消多渠道订单',
  permission: CANCEL,
  call: ({ subject }) => cancelCall(subject),
  verify: async (api, { subject }) => ((await shown(api, subject))?.state === 'CANCELLED' ? 'done' : 'absent'),
  problemOf: mcfProblem,
};
