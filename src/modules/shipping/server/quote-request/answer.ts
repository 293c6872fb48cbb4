import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import type { QuoteAnswerInput } from '../../contract/quote-request/answer.ts';
import type { answerQuote } from '../../contract/quote-request/calls.ts';
import { quoteRequest } from '../../contract/quote-request/request.ts';
import { lockedRequest, type QuoteRequest, touchRequest } from './load.ts';
import { totalOf, totalProblem } from './rules/total.ts';
import { tellAnswered } from './tell.ts';

/** Who answered, and how the goods would go. */
interface Way {
  carrier: string;
  mode: Transport;
  channel: string;
}

/** @throws notFound for a carrier that was not asked, or a channel that is not its own; refused B1373 for another country's */
async function wayOf(ctx: Ctx, request: QuoteRequest, input: QuoteAnswerInput): Promise<Way> {
  const { rows } = await sql<{ name: string }>`
    SELECT k.name FROM shipping.quote_ask AS q
      JOIN shipping.carrier AS k ON k.company_id = q.company_id AND k.id = q.carrier_id
     WHERE q.company_id = ${ctx.companyId} AND q.request_id = ${request.id} AND q.carrier_id = ${input.carrierId}`.execute(
    ctx.db,
  );
  const [carrier] = rows;
  if (!carrier) throw notFound('没有向这家物流商询价');
  if (input.channelId === null) {
    const mode = input.mode ?? request.mode ?? (await plannedMode(ctx, request));
    return { carrier: carrier.name, mode, channel: '' };
  }
  const { rows: channels } = await sql<{ name: string; mode: Transport; country: string }>`
    SELECT name, mode, country FROM shipping.channel
     WHERE company_id = ${ctx.companyId} AND id = ${input.channelId} AND carrier_id = ${input.carrierId}`.execute(
    ctx.db,
  );
  const [channel] = channels;
  if (!channel) throw notFound('渠道不存在');
  if (channel.country !== request.country) throw refused(`渠道【${channel.name}】不到 ${request.country}`, 'B1373');
  return { carrier: carrier.name, mode: channel.mode, channel: channel.name };
}

async function plannedMode(ctx: Ctx, request: QuoteRequest): Promise<Transport> {
  const { rows } = await sql<{ mode: Transport }>`
    SELECT transport AS mode FROM shipping.ship_order
     WHERE company_id = ${ctx.companyId} AND id = ${request.orders[0]?.order ?? null}`.execute(ctx.db);
  return rows[0]?.mode ?? 'SEA';
}

interface Before {
  id: string;
  round: number;
  same: boolean;
}

/** The answer for the same way that counts now, and whether it says the same. */
async function before(ctx: Ctx, requestId: string, input: QuoteAnswerInput, mode: string): Promise<Before | undefined> {
  const { rows } = await sql<Before>`
    SELECT id, round, (bill_unit = ${input.unit} AND price = ${input.price}::numeric AND quantity = ${input.quantity}::numeric
             AND tax = ${input.tax}::numeric AND other_fee = ${input.otherFee}::numeric AND currency = ${input.currency}
             AND days IS NOT DISTINCT FROM ${input.days}::int AND valid_until IS NOT DISTINCT FROM ${input.validUntil}::date
             AND remark = ${input.remark}) AS same
      FROM shipping.quote_answer
     WHERE company_id = ${ctx.companyId} AND request_id = ${requestId} AND carrier_id = ${input.carrierId}
       AND channel_id IS NOT DISTINCT FROM ${input.channelId}::uuid AND mode = ${mode} AND NOT superseded`.execute(
    ctx.db,
  );
  return rows[0];
}

/** @throws conflict once an answer is chosen or the request is closed */
function requireAsking(request: QuoteRequest): void {
  if (request.state === 'asking') return;
  throw conflict(`询价单状态为【${quoteRequest.states[request.state as 'closed'].title}】，不能录入报价`);
}

/**
 * Writes an answer to a request that is locked. One for the same carrier, channel and way takes the place of the one before,
 * which stays readable; one that says the same changes nothing. Answers whether it was written.
 * @throws conflict, notFound, refused B1373 for amounts that do not add up
 */
export async function putAnswer(
  ctx: Ctx,
  request: QuoteRequest,
  input: QuoteAnswerInput,
  origin: 'manual' | 'import',
): Promise<boolean> {
  requireAsking(request);
  const problem = totalProblem(input, input.total);
  if (problem) throw refused(problem, 'B1373');
  const way = await wayOf(ctx, request, input);
  const old = await before(ctx, request.id, input, way.mode);
  if (old?.same) return false;
  const today = ctx.clock.today();
  const { freight, total } = totalOf(input);
  const rate = (await knownRate(ctx, input.currency, today))?.rate;
  const totalCny = rate === undefined ? null : round(new Decimal(total).times(rate), 2);
  if (old) {
    await sql`UPDATE shipping.quote_answer SET superseded = true
       WHERE company_id = ${ctx.companyId} AND id = ${old.id}`.execute(ctx.db);
  }
  await sql`
    INSERT INTO shipping.quote_answer (company_id, request_id, carrier_id, channel_id, mode, round, bill_unit, quantity, price,
      currency, freight, tax, other_fee, total, total_cny, answered_on, days, valid_until, late, origin, remark, created_by_name)
    VALUES (${ctx.companyId}, ${request.id}, ${input.carrierId}, ${input.channelId}, ${way.mode}, ${(old?.round ?? 0) + 1},
      ${input.unit}, ${input.quantity}::numeric, ${input.price}::numeric, ${input.currency}, ${freight}::numeric,
      ${input.tax}::numeric, ${input.otherFee}::numeric, ${total}::numeric, ${totalCny}::numeric, ${today}::date, ${input.days},
      ${input.validUntil}::date, ${today > request.until}, ${origin}, ${input.remark}, ${ctx.userName})`.execute(
    ctx.db,
  );
  const body = `${way.carrier}${way.channel && ` ${way.channel}`}：${input.currency} ${total}`;
  await note(ctx, quoteRequest.name, request.id, { kind: 'note', title: old ? '再次报价' : '收到报价', body });
  await audit(ctx, {
    action: '物流询价·录入报价',
    resource: quoteRequest.name,
    resourceId: request.id,
    after: {
      number: request.number,
      carrier: way.carrier,
      currency: input.currency,
      total,
    },
  });
  await tellAnswered(ctx, request);
  return true;
}

/** 录入报价. @throws what {@link putAnswer} throws; conflict for a stale version */
export async function answer(ctx: Ctx, input: z.output<typeof answerQuote.body>): Promise<Outcome> {
  const request = await lockedRequest(ctx, input.id);
  requireFresh(request, input.version);
  if (!(await putAnswer(ctx, request, input, 'manual'))) {
    ctx.audited = true;
    return outcome(request, '报价与当前的相同，没有变化', true);
  }
  return outcome({ ...request, version: await touchRequest(ctx, request.id) }, '报价已录入');
}
