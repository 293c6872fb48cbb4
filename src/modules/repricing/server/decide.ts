import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { type LockedOffer, lockOffer, sendRulePrice } from '#modules/listing/server/index.ts';
import type { UnitCost } from './cost.ts';
import { floorOf } from './cost.ts';
import { type Decision, decide, type Inputs } from './engine.ts';
import { type Bound, gather, lockBound } from './gather.ts';
import { type Halt, HEALING, haltOf, pause, resume } from './halt.ts';
import { note } from './note.ts';

/** Offers older than this are no ground for a decision. */
const STALE_MIN = 30;
const RUNNING = ['SHADOW', 'ACTIVE'];

interface Grounds {
  floor: string | null;
  cost: UnitCost | null;
}

/** The floor under the rule, or why there is none. */
async function groundsOf(ctx: Ctx, bound: Bound, offer: LockedOffer): Promise<Grounds | string> {
  if (!bound.settings.guard) return { floor: null, cost: null };
  return floorOf(ctx, { ...offer, otherCost: bound.otherCost }, bound.settings);
}

async function halt(ctx: Ctx, bound: Bound, offer: LockedOffer, why: Halt): Promise<'paused' | 'kept'> {
  if (bound.pauseCode === why.code) return 'kept';
  await pause(ctx, [bound.id], why);
  await note(ctx, { bound, offer, outcome: 'paused', words: why.words, price: offer.price });
  return 'paused';
}

/** Prices as the queue writes them; the same one is no change. */
async function send(ctx: Ctx, bound: Bound, price: string, decision: Decision): Promise<string | undefined> {
  try {
    return await sendRulePrice(ctx, {
      listingId: bound.listingId,
      price,
      reason: `智能调价「${bound.ruleName}」：${decision.words}`.slice(0, 200),
    });
  } catch (error) {
    if (error instanceof AppError && (error.data as { code?: string } | null)?.code === 'B0791') return undefined;
    throw error;
  }
}

/** Why the listing cannot be decided on now although nothing is wrong with its binding; null where it can. */
function waits(offer: LockedOffer): string | null {
  if (offer.frozen !== null) return `调价已冻结至 ${offer.frozen}`;
  return offer.pending === null ? null : '有待生效的调价';
}

/**
 * Decides for one binding, in the caller's transaction, with the listing locked from the first look to the wish in the
 * queue: a manual change, another decision or a lock waits, or is seen. `now` is the marketplace's, ISO. A rule on trial
 * writes down what it would do. Answers what was done; undefined where the binding does not run.
 */
export async function decideBinding(
  ctx: Ctx,
  { bindingId, listingId, now }: { bindingId: string; listingId: string; now: string },
): Promise<'sent' | 'would' | 'kept' | 'paused' | undefined> {
  const offer = await lockOffer(ctx, listingId).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return undefined;
    throw error;
  });
  const bound = await lockBound(ctx, bindingId);
  if (!bound || !RUNNING.includes(bound.status)) return undefined;
  if (bound.pauseCode !== null && !HEALING.includes(bound.pauseCode)) return undefined;
  if (!offer) {
    await pause(ctx, [bound.id], { code: 'gone', words: '商品不存在或已删除' });
    return 'paused';
  }
  const grounds = await groundsOf(ctx, bound, offer);
  const why = await haltOf(ctx, { bound, offer, missing: typeof grounds === 'string' ? grounds : null });
  if (why || typeof grounds === 'string' || offer.price === null) {
    return halt(ctx, bound, offer, why ?? { code: 'gone', words: '商品没有售价' });
  }
  const gathered = await gather(ctx, { bound, offer, price: offer.price, floor: grounds.floor, now });
  if (!gathered) return halt(ctx, bound, offer, { code: 'stale', words: '竞争报价尚未读取' });
  if (Date.parse(now) - Date.parse(gathered.book.asOf) > STALE_MIN * 60_000) {
    return halt(ctx, bound, offer, { code: 'stale', words: `报价超过 ${STALE_MIN} 分钟没有更新` });
  }
  if (bound.pauseCode !== null) await resume(ctx, [bound.id]);
  const waiting = waits(offer);
  const decision = waiting === null ? decide(gathered.inputs) : keptBecause(waiting);
  return carryOut(ctx, { bound, offer, decision, grounds, inputs: gathered.inputs, offersAt: gathered.book.asOf });
}

const keptBecause = (words: string): Decision => ({ price: null, target: null, atFloor: false, words });

interface Made {
  bound: Bound;
  offer: LockedOffer;
  decision: Decision;
  grounds: Grounds;
  inputs: Inputs;
  offersAt: string;
}

/** The last word on the floor, whatever the engine said: what is sent is not below it. */
function belowFloor({ decision, grounds, bound, offer }: Made): boolean {
  const lower = Decimal.max(bound.minPrice, grounds.floor ?? 0).toDecimalPlaces(
    currencyScale(offer.currency),
    Decimal.ROUND_UP,
  );
  return decision.price !== null && lower.gt(decision.price);
}

async function carryOut(ctx: Ctx, made: Made): Promise<'sent' | 'would' | 'kept'> {
  const { bound, offer, decision } = made;
  if (belowFloor(made)) throw new Error(`a price below the floor was decided on: ${decision.price}`);
  const facts = { ...made, price: offer.price, words: decision.words };
  if (decision.price === null) {
    await note(ctx, { ...facts, outcome: 'kept' });
    return 'kept';
  }
  if (bound.status === 'SHADOW') {
    await note(ctx, { ...facts, outcome: 'would' });
    return 'would';
  }
  const changeId = await send(ctx, bound, decision.price, decision);
  await note(ctx, { ...facts, outcome: changeId === undefined ? 'kept' : 'sent', changeId });
  return changeId === undefined ? 'kept' : 'sent';
}
