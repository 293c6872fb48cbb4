import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { TodoSource } from '#modules/system/server/index.ts';
import { type handleFindings, VIEW } from '../contract/findings.ts';
import { findingCounts } from './list.ts';

/** Says of findings, all of them or none, that they were seen to, are to be left alone, or are open again. @throws notFound */
export async function handle(ctx: Ctx, input: z.output<typeof handleFindings.body>): Promise<{ changed: number }> {
  const { ids, state, note } = input;
  const done = state !== 'OPEN';
  const { rows } = await sql`
    UPDATE orderwatch.finding
       SET state = ${state}, note = ${note ?? ''}, handled_by_name = ${done ? ctx.userName : null},
           handled_at = CASE WHEN ${done} THEN kit.now() END
     WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[]) RETURNING id`.execute(ctx.db);
  if (rows.length < new Set(ids).size) throw notFound('部分异常订单不存在，请刷新后重试');
  await audit(ctx, { action: '处理异常订单', resource: 'orderwatch.finding', after: { ids, state, note } });
  return { changed: rows.length };
}

/** Orders that somebody has to look at. */
export const findingTodos: TodoSource = {
  title: '异常订单',
  permission: VIEW,
  async todos(ctx) {
    const { OPEN = 0 } = await findingCounts(ctx, {});
    return [
      {
        key: 'orderwatch.open',
        title: '异常订单待处理',
        count: OPEN,
        path: '/amazon/sale/order/abnormal',
        tabTitle: '异常订单',
        query: { 'f.state': 'OPEN' },
        urgent: false,
      },
    ];
  },
};
