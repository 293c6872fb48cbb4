import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { quoteRequest } from '../../contract/quote-request/request.ts';
import type { QuoteRequest } from './load.ts';

/** Reminders of requests that all have answered, or whose day is over. */
export const QUOTE_EVENT = 'shipping.quoteRequest';

type Told = Pick<QuoteRequest, 'id' | 'number' | 'createdBy'>;

const say = (ctx: Ctx, { id, createdBy }: Told, title: string, content: string, key: string) =>
  createdBy === null
    ? Promise.resolve(null)
    : remind(ctx, {
        event: QUOTE_EVENT,
        to: [createdBy],
        title,
        content,
        documentType: quoteRequest.name,
        documentId: id,
        dedupeKey: `${QUOTE_EVENT}.${key}`,
      });

/** Tells who asked once everybody has answered; once for each number of those that were asked. */
export async function tellAnswered(ctx: Ctx, request: Told): Promise<void> {
  const { rows } = await sql<{ asked: number; answered: number }>`
    SELECT count(*)::int AS asked, (count(*) FILTER (WHERE EXISTS (
             SELECT FROM shipping.quote_answer AS a
              WHERE a.company_id = q.company_id AND a.request_id = q.request_id AND a.carrier_id = q.carrier_id)))::int AS answered
      FROM shipping.quote_ask AS q
     WHERE q.company_id = ${ctx.companyId} AND q.request_id = ${request.id}`.execute(ctx.db);
  const { asked = 0, answered = 0 } = rows[0] ?? {};
  if (answered < asked) return;
  const title = `物流询价 ${request.number} 已全部报价`;
  await say(ctx, request, title, `${asked} 家物流商都已报价，请比较后选中。`, `all:${request.id}:${asked}`);
}

/** Tells who asked that the day until which answers were awaited is over; once for each such day. */
export async function remindExpired(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Told & { until: string; answers: number }>`
    SELECT q.id, q.number, q.created_by AS "createdBy", q.until, (
             SELECT count(DISTINCT a.carrier_id)::int FROM shipping.quote_answer AS a
              WHERE a.company_id = q.company_id AND a.request_id = q.id) AS answers
      FROM shipping.quote_request AS q
     WHERE q.company_id = ${ctx.companyId} AND q.state = 'asking'
       AND q.until BETWEEN kit.day(kit.now()) - 7 AND kit.day(kit.now()) - 1`.execute(ctx.db);
  for (const request of rows) {
    const content = `截止日为 ${request.until}，已有 ${request.answers} 家物流商报价，请选中、延期或关闭。`;
    await say(ctx, request, `物流询价 ${request.number} 已到截止`, content, `due:${request.id}:${request.until}`);
  }
}
