import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { DONE_BEFORE, outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { BatchOutcome } from '../../../contract/self/calls.ts';
import { selfDoc } from '../../../contract/self/doc.ts';
import type { buyLabel, buyLabels, LabelFormat, Parcel } from '../../../contract/self/label.ts';
import { type Left, numberOf, wordsOf } from '../batch.ts';
import { loaded, locked, type SelfDoc } from '../load.ts';
import { type CarrierParcel, carrierBy } from './carrier.ts';
import { requireBuyable } from './guards.ts';
import { measuresOf } from './parcel.ts';
import { type JudgedRate, ratesFor, SELLER } from './rates.ts';
import { say } from './store.ts';

interface Wish {
  id: string;
  version?: number | undefined;
  given: Partial<Parcel>;
  format: LabelFormat;
}

/** Writes the purchase down, and with it what was measured and what it is to cost. */
async function putIntent(ctx: Ctx, doc: SelfDoc, parcel: CarrierParcel, rate: JudgedRate, wish: Wish): Promise<string> {
  const { id } = await ctx.db
    .insertInto('shipping.self_label')
    .values({
      company_id: ctx.companyId,
      doc_id: doc.id,
      account_id: parcel.account,
      seller: SELLER,
      service_id: rate.serviceId,
      service: rate.service,
      carrier: rate.carrier,
      format: wish.format,
      offered: rate.amount.toFixed(),
      currency: rate.currency,
      arrives_at: rate.arrivesAt,
      asked_there: parcel.askedAt,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { weightG, length, width, height } = measuresOf(doc, wish.given);
  await sql`
    UPDATE shipping.self_doc SET label_state = 'asking', version = version + 1, updated_by_name = ${ctx.userName},
           updated_at = kit.now(), weight_g = ${weightG}, length_cm = ${length}, width_cm = ${width}, height_cm = ${height},
           estimated_fee = ${rate.amount.toFixed()}, actual_fee = NULL, currency = ${rate.currency}
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
  return id;
}

/**
 * Plans a purchase: its row stands before the call may leave. Of many who press at once one plans it, the others hear that it
 * was done.
 */
async function plan(ctx: Ctx, wish: Wish, parcel: CarrierParcel, rate: JudgedRate): Promise<Outcome> {
  const doc = await locked(ctx, wish.id);
  requireMove(ctx, doc.warehouse);
  if (doc.labelState === 'asking') {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireFresh(doc, wish.version);
  await requireBuyable(ctx, doc);
  const labelId = await putIntent(ctx, doc, parcel, rate, wish);
  const write = await carrierBy(ctx.runtime, SELLER).buy(ctx, labelId, parcel, rate, wish.format);
  await sql`UPDATE shipping.self_label SET write_id = ${write}
     WHERE company_id = ${ctx.companyId} AND id = ${labelId}`.execute(ctx.db);
  const words = `${rate.service}，${rate.amount.toFixed()} ${rate.currency}`;
  await say(ctx, doc.id, '申请运单', words);
  await audit(ctx, {
    action: '自发货单·申请运单',
    resource: selfDoc.name,
    resourceId: doc.id,
    after: { number: doc.number, service: rate.service, estimatedFee: rate.amount.toFixed(), currency: rate.currency },
  });
  return outcome({ ...doc, version: doc.version + 1 }, `自发货单${doc.number}已申请运单：${words}`);
}

/** What stands in the way is told before anybody is asked for prices; a purchase that is under way needs none. */
function before(open: OpenCtx, id: string): Promise<Outcome | undefined> {
  return inTenant(open.runtime, open.principal, async (ctx) => {
    const doc = await loaded(ctx, id);
    if (doc.labelState === 'asking') return outcome(doc, DONE_BEFORE, true);
    await requireBuyable(ctx, doc);
    return undefined;
  });
}

type Choice = (rates: readonly JudgedRate[]) => JudgedRate;

/** Prices are asked anew, so that what is bought is what is offered now. */
async function buy(open: OpenCtx, wish: Wish, choose: Choice): Promise<Outcome> {
  const done = await before(open, wish.id);
  if (done) return done;
  const { parcel, rates } = await ratesFor(open, wish.id, wish.given, wish.format).catch(async (error: unknown) => {
    // Somebody else's label may be why nothing is offered any more: then that is what to say.
    await before(open, wish.id);
    throw error;
  });
  const rate = choose(rates);
  const { runtime, principal, requestId, ip } = open;
  return inTenant(runtime, principal, (ctx) => plan(ctx, wish, parcel, rate), { requestId, ip });
}

/**
 * 申请运单 by the service that the caller chose.
 * @throws refused B1422 for a service that is offered no more or costs more than he saw; as requireBuyable and ratesFor
 */
export function buyOne(open: OpenCtx, input: z.output<typeof buyLabel.body>): Promise<Outcome> {
  const { id, version, serviceId, amount, format, weightG, length, width, height, addressId } = input;
  const given = { weightG, length, width, height, addressId };
  return buy(open, { id, version, given, format }, (rates) => {
    const rate = rates.find((one) => one.serviceId === serviceId);
    if (!rate) throw refused('该物流服务已不提供，请重新查询运费', 'B1422');
    if (rate.unfit) throw refused(rate.unfit, 'B1422');
    if (rate.amount.gt(new Decimal(amount))) {
      throw refused(`运费已变为 ${rate.amount.toFixed()} ${rate.currency}，请重新选择`, 'B1422');
    }
    return rate;
  });
}

function bestOf(rates: readonly JudgedRate[]): JudgedRate {
  const best = rates.find((one) => one.best);
  if (!best) throw refused('没有能按时送达且可购买的物流服务，请单独选择', 'B1422');
  return best;
}

/**
 * 申请运单 of many, each by itself by the cheapest service that arrives in time.
 * @throws the first refusal where every one of them was refused
 */
export async function buyMany(open: OpenCtx, { ids, format }: z.output<typeof buyLabels.body>): Promise<BatchOutcome> {
  const left: Left[] = [];
  let done = 0;
  let first: AppError | undefined;
  for (const id of [...new Set(ids)]) {
    try {
      await buy(open, { id, given: {}, format }, bestOf);
      done += 1;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      first ??= error;
      const number = await inTenant(open.runtime, open.principal, (ctx) => numberOf(ctx, id), { readOnly: true });
      left.push({ number, reason: error.message });
    }
  }
  if (done === 0 && first) throw first;
  return { done, message: wordsOf('申请运单', done, left), left };
}
