import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { BookingInput, QuoteAnswerInput } from '../contract/quote-request/answer.ts';
import { QuoteRequestInput } from '../contract/quote-request/request.ts';
import { putAnswer } from './quote-request/answer.ts';
import { askForQuotes } from './quote-request/ask.ts';
import { actRequest, book } from './quote-request/book.ts';
import { choose } from './quote-request/choose.ts';
import { answersOf, lockedRequest } from './quote-request/load.ts';

/** What each forwarder answers, in the order of their names: the second one in dollars. */
const ANSWERS = [
  { price: '11.8', quantity: '64', otherFee: '100', days: 22 },
  { price: '1.52', quantity: '66', tax: '12.5', currency: 'USD', days: 28 },
];

interface Story {
  /** State of the ship order that is asked for. */
  order: string;
  /** How many forwarders have answered. */
  answers: number;
  end?: 'expired' | 'chosen' | 'booked' | 'closed';
}

/** One request in each state. */
const STORIES: readonly Story[] = [
  { order: 'pending', answers: 1 },
  { order: 'pending', answers: 1, end: 'closed' },
  { order: 'picking', answers: 1, end: 'expired' },
  { order: 'packing', answers: 2, end: 'chosen' },
  { order: 'ready', answers: 2, end: 'booked' },
];

async function answered(ctx: Ctx, id: string, carriers: readonly string[], count: number): Promise<void> {
  const request = await lockedRequest(ctx, id);
  for (const [index, carrierId] of carriers.slice(0, count).entries()) {
    const answer = { ...ANSWERS[index % ANSWERS.length], carrierId, validUntil: ctx.clock.dayAhead(7) };
    await putAnswer(ctx, request, QuoteAnswerInput.parse(answer), 'manual');
  }
}

async function ended(ctx: Ctx, id: string, end: Story['end']): Promise<void> {
  if (end === 'closed') await actRequest(ctx, 'close', { id, reason: '改由平台合作承运商运输' });
  if (end === 'expired') {
    await sql`UPDATE shipping.quote_request SET until = ${ctx.clock.dayAhead(-1)}::date
       WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  }
  if (end !== 'chosen' && end !== 'booked') return;
  const [answer] = (await answersOf(ctx, id)).toReversed();
  if (!answer) return;
  await choose(ctx, { id, answerId: answer.id });
  if (end === 'chosen') return;
  const booking = {
    bookingNo: 'YHBK2611-0831',
    vessel: 'MATSON WAIKIKI 412E',
    cargoCutoff: ctx.clock.dayAhead(3),
    portCutoff: ctx.clock.dayAhead(5),
    handoverOn: ctx.clock.dayAhead(2),
    place: '深圳市龙岗区布澜路18号',
    contact: '陈经理',
  };
  await book(ctx, { id, ...BookingInput.parse(booking) });
}

/** What the demo company asks its forwarders for the orders that have not left. */
export async function demoQuotes(ctx: Ctx): Promise<void> {
  const carriers = await ctx.db
    .selectFrom('shipping.carrier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('disabled', '=', false)
    .orderBy('id')
    .limit(2)
    .execute();
  const ids = carriers.map((one) => one.id);
  if (ids.length === 0) return;
  for (const { order: state, answers, end } of STORIES) {
    const order = await ctx.db
      .selectFrom('shipping.ship_order')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .where('state', '=', state)
      .orderBy('id')
      .executeTakeFirst();
    if (!order) continue;
    const input = { orderIds: [order.id], carrierIds: ids, until: ctx.clock.dayAhead(2), remark: '普货，不带电' };
    const { id } = await askForQuotes(ctx, QuoteRequestInput.parse(input));
    await answered(ctx, id, ids, answers);
    await ended(ctx, id, end);
  }
}
