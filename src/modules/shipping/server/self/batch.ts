import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { BatchOutcome, SelfBatch } from '../../contract/self/calls.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import { act } from './act.ts';
import { buildDoc } from './save.ts';

/** What is left of one piece of work of many. */
export interface Left {
  number: string;
  reason: string;
}

/**
 * Does pieces of work one after the other, each in a transaction of its own: one that is refused does not keep the others.
 * @throws the first refusal where every one of them was refused
 */
async function each<T>(
  open: OpenCtx,
  items: readonly T[],
  work: (ctx: Ctx, item: T) => Promise<Outcome>,
  nameOf: (item: T) => string,
): Promise<{ done: Outcome[]; left: Left[] }> {
  const done: Outcome[] = [];
  const left: Left[] = [];
  let first: AppError | undefined;
  const { runtime, principal, requestId, ip } = open;
  for (const item of items) {
    try {
      done.push(await inTenant(runtime, principal, (ctx) => work(ctx, item), { requestId, ip }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      first ??= error;
      left.push({ number: nameOf(item), reason: error.message });
    }
  }
  if (done.length === 0 && first) throw first;
  return { done, left };
}

/** 「审核3 张，1 张未处理」. */
export const wordsOf = (title: string, done: number, left: readonly Left[]): string =>
  `${title}${done} 张${left.length > 0 ? `，${left.length} 张未处理` : ''}`;

/** Number of a document for people; a dash for one out of reach. */
export async function numberOf(ctx: Ctx, id: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('shipping.self_doc')
    .select('number')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.number ?? '—';
}

/** Takes a step of many documents, each by itself. @throws the first refusal where none could take it */
export async function stepAll(
  open: OpenCtx,
  name: SelfBatch,
  { ids, reason }: { ids: readonly string[]; reason?: string | undefined },
): Promise<BatchOutcome> {
  const numbers = new Map<string, string>();
  const { done, left } = await each(
    open,
    [...new Set(ids)],
    async (ctx, id) => {
      numbers.set(id, await numberOf(ctx, id));
      return act(ctx, name, { id, reason });
    },
    (id) => numbers.get(id) ?? '—',
  );
  const short = done.filter((one) => name === 'approve' && one.state === 'short').length;
  const { title } = selfDoc.transitions[name];
  return {
    done: done.length,
    message: `${wordsOf(`已${title}`, done.length, left)}${short > 0 ? `，其中 ${short} 张缺货` : ''}`,
    left,
  };
}

/** One document for each group of orders. @throws the first refusal where none could be made */
export async function buildAll(
  open: OpenCtx,
  input: { warehouseId: string; channelId: string | null; groups: readonly { orders: readonly string[] }[] },
): Promise<BatchOutcome & { ids: string[] }> {
  const { done, left } = await each(
    open,
    input.groups,
    (ctx, group) => buildDoc(ctx, group.orders, input),
    (group) => group.orders.map((id) => id.slice(id.indexOf('~') + 1)).join('、'),
  );
  return {
    done: done.length,
    message: wordsOf('已建自发货单 ', done.length, left),
    left,
    ids: done.map(({ id }) => id),
  };
}
