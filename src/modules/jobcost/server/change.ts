import type { z } from 'zod';
import { allocate, Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { conflict, forbidden, notFound, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { freightOfPart, holdSentPart } from '#modules/shipping/server/index.ts';
import { addCost, batchPieces, costAddedBy } from '#modules/warehouse/server/index.ts';
import type { reloadFreight, setBatchCost } from '../contract/batch.ts';
import { COST, type Component } from '../contract/fields.ts';
import { toldOf } from './detail.ts';
import type { Told } from './relation.ts';
import { costsOf } from './rows.ts';

/** Source of the postings that change a batch's cost by hand. */
export const CHANGED = 'jobcost.batch';

type Done = Reply<typeof setBatchCost>;
interface Key {
  id: string;
  clientId: string;
}

/** A batch that the caller may change, held until the end. @throws forbidden, notFound */
async function heldBatch(ctx: Ctx, id: string): Promise<Told> {
  if (!can(ctx, COST)) throw forbidden(COST);
  if (!(await holdSentPart(ctx, id))) throw notFound('批次不存在或已撤销出库');
  return toldOf(ctx, id);
}

/** What a command with this id came to before; undefined for a new one. */
async function doneBefore(ctx: Ctx, clientId: string): Promise<Done | undefined> {
  const done = await costAddedBy(ctx, CHANGED, clientId);
  if (done) ctx.audited = true;
  return done && { ...done, repeated: true };
}

interface Change {
  component: Component;
  event: string;
  action: string;
  amount: Decimal;
  before: string;
  reason: string;
}

/** Adds a difference to the pieces of a batch, by pieces over the moves that took them away. @throws as addCost */
async function add(ctx: Ctx, told: Told, { id, clientId }: Key, change: Change): Promise<Done> {
  const { component, event, action, before, reason } = change;
  const number = await nextNumber(ctx, 'PC{yyMMdd}{seq:4}', ctx.clock.today());
  const pieces = await batchPieces(ctx, { posting: told.posting_id, moves: told.moves });
  const weights = new Map([...pieces].map(([move, qty]) => [String(move).padStart(6, '0'), String(qty)]));
  const shares = allocate(change.amount.toFixed(4), weights, 4) ?? new Map<string, string>();
  const values = [...shares].flatMap(([move, amount]) =>
    new Decimal(amount).isZero() ? [] : [{ move: Number(move) - 1, amount }],
  );
  const { moves } = await addCost(ctx, {
    source: { type: CHANGED, id: clientId, event, number },
    posting: told.posting_id,
    component,
    values,
    note: reason,
  });
  const total = (of: 'toLayers' | 'variance') =>
    moves.reduce((all, one) => all.plus(one[of]), new Decimal(0)).toFixed(4);
  const done = { number, amount: change.amount.toFixed(4), toLayers: total('toLayers'), variance: total('variance') };
  await audit(ctx, {
    action,
    resource: CHANGED,
    resourceId: id,
    before: { [component]: before },
    after: { [component]: new Decimal(before).plus(change.amount).toFixed(4), number, sku: told.sku, reason },
  });
  return { ...done, repeated: false };
}

/**
 * Gives a part of a batch's cost a new sum; pieces that are there take their share of the difference into their layers, the
 * share of those that are gone is a variance of the open period. Issues of the past keep their cost.
 * @throws forbidden, notFound; conflict where somebody changed it meanwhile, B2901 for what it is already; B0805 in a closed month
 */
export async function setCost(ctx: Ctx, input: z.output<typeof setBatchCost.body>): Promise<Done> {
  const told = await heldBatch(ctx, input.id);
  const done = await doneBefore(ctx, input.clientId);
  if (done) return done;
  const before = costsOf(told)[input.component];
  if (!new Decimal(before).eq(input.before)) throw conflict('批次成本已变化，请刷新后重试');
  const wanted = new Decimal(input.value).times(input.by === 'UNIT' ? told.shipped : 1);
  const amount = wanted.minus(before).toDecimalPlaces(4);
  if (amount.isZero()) throw refused('新成本与当前成本相同，无需修改', 'B2901');
  const { component, reason } = input;
  return add(ctx, told, input, { component, event: 'set', action: '修改批次成本', amount, before, reason });
}

/**
 * Makes the first leg of a batch what it had before it left and what the bills of its order that stand share to it.
 * @throws forbidden, notFound; B2902 without a bill, B2901 where it is so already; B0805 in a closed month
 */
export async function reload(ctx: Ctx, input: z.output<typeof reloadFreight.body>): Promise<Done> {
  const told = await heldBatch(ctx, input.id);
  const done = await doneBefore(ctx, input.clientId);
  if (done) return done;
  const { billed } = await freightOfPart(ctx, told);
  if (billed === null) throw refused('发货单还没有已确认的物流账单，无法重算运费', 'B2902');
  const amount = new Decimal(billed).minus(told.late_leg);
  if (amount.isZero()) throw refused('头程成本与物流账单一致，无需重算', 'B2901');
  const before = costsOf(told).firstLeg;
  const { reason } = input;
  return add(ctx, told, input, {
    component: 'firstLeg',
    event: 'freight',
    action: '重算批次运费',
    amount,
    before,
    reason,
  });
}
