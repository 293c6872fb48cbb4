import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type DeliveryFilter, DeliveryRow, OUTER_CHANNELS, type OuterChannel } from '../../contract/deliveries.ts';
import { DELIVER } from './plan.ts';

async function filtered(ctx: Ctx, filter: DeliveryFilter) {
  let query = ctx.db
    .selectFrom('message.delivery as d')
    .innerJoin('message.message as m', (join) =>
      join.onRef('m.company_id', '=', 'd.company_id').onRef('m.id', '=', 'd.message_id'),
    )
    .where('d.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('d.state', '=', filter.state);
  if (filter.channel?.length) query = query.where('d.channel', 'in', filter.channel);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('m.title', 'ilike', like), eb('d.target', 'ilike', like)]));
  }
  const { from, to } = filter.created ?? {};
  if (from || to) {
    const { zone } = ctx.clock;
    if (from) query = query.where('d.created_at', '>=', sql<string>`${from}::timestamp AT TIME ZONE ${zone}`);
    if (to) query = query.where('d.created_at', '<', sql<string>`(${to}::date + 1)::timestamp AT TIME ZONE ${zone}`);
  }
  return query;
}

interface DbRow extends Omit<DeliveryRow, 'note'> {
  error: string | null;
  insteadOf: OuterChannel | null;
}

function noteOf({ error, insteadOf }: DbRow): string | null {
  const instead = insteadOf ? `${OUTER_CHANNELS[insteadOf]}发送失败后改用` : null;
  return [instead, error].filter((part) => part !== null).join('；') || null;
}

/** Messages of the company that were to leave the product. */
export async function deliveryPage(ctx: Ctx, request: PageRequest<DeliveryFilter>): Promise<PageOf<DeliveryRow>> {
  const query = (await filtered(ctx, request.filter)).select([
    'd.id',
    'm.title',
    'd.user_name as reader',
    'd.channel',
    'd.target',
    'd.state',
    'd.attempts',
    'd.error',
    'd.instead_of as insteadOf',
    'd.created_at as createdAt',
    'd.finished_at as finishedAt',
  ]);
  return page<DbRow, DeliveryRow>(ctx, request, {
    row: DeliveryRow,
    query: listQuery(query),
    sort: { createdAt: 'd.id', finishedAt: 'd.finished_at', attempts: 'd.attempts' },
    order: [['d.id', 'desc']],
    key: 'd.id',
    map: (row) => {
      const { error: _error, insteadOf: _insteadOf, ...shown } = row;
      return { ...shown, note: noteOf(row) };
    },
  });
}

/** Number of deliveries by state, over the other filters. */
export async function deliveryCounts(ctx: Ctx, filter: DeliveryFilter): Promise<Record<string, number>> {
  const rows = await (await filtered(ctx, { ...filter, state: undefined }))
    .select(['d.state', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('d.state')
    .execute();
  const total = rows.reduce((sum, row) => sum + row.n, 0);
  return Object.fromEntries([...rows.map((row) => [row.state, row.n] as const), ['all', total] as const]);
}

/** Puts a failed delivery back into the queue. @throws AppError 404, B0711 where it has not failed */
export async function retryOne(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('message.delivery')
    .select(['state', 'channel', 'target'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('发送记录不存在');
  if (row.state !== 'failed') throw refused('只有发送失败的消息可以重新发送', 'B0711');
  await ctx.db
    .updateTable('message.delivery')
    .set({ state: 'queued', attempts: 0, finished_at: null })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await enqueue(ctx, DELIVER, { companyId: ctx.companyId, id }, { key: `${DELIVER}:${id}` });
  await audit(ctx, {
    action: '重新发送消息',
    resource: 'message.delivery',
    resourceId: id,
    after: { channel: row.channel, target: row.target },
  });
}
