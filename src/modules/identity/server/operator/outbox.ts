import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { notFound } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { isSetUp } from '#kit/server/messaging/deliver.ts';
import { OUTBOX_DAYS } from '#kit/server/messaging/post.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { OutboxChannel, type OutboxFilter, OutboxRow } from '../../contract/outbox.ts';

/** Codes and one-time words: digits in a row as long as those are. */
const CODE = String.raw`\m\d{4,8}\M`;

/** Rows of the outbox that a filter finds, without what is in their codes: a search must not guess those. */
function selected(db: Db, filter: OutboxFilter) {
  const text = sql<string>`regexp_replace(o.text, ${CODE}, '••••••', 'g')`;
  let query = db.selectFrom('kit.outbox as o').leftJoin('identity.company as c', 'c.company_id', 'o.company_id');
  if (filter.channel) query = query.where('o.channel', '=', filter.channel);
  if (filter.search) {
    const like = containing(filter.search);
    query = query.where((eb) => eb.or([eb('o.target', 'ilike', like), eb(text, 'ilike', like)]));
  }
  return query.select([
    'o.id',
    'o.at',
    'o.channel',
    'o.target',
    'c.name as company',
    'o.subject',
    text.as('text'),
    sql<string>`o.at + make_interval(days => ${OUTBOX_DAYS})`.as('keptUntil'),
  ]);
}

/** Messages that nobody delivers, newest first; codes in them are taken out. */
export function outboxPage(ctx: Ctx, request: PageRequest<OutboxFilter>): Promise<PageOf<OutboxRow>> {
  return inSystem(ctx.runtime, (db) =>
    page<OutboxRow>({ ...ctx, db }, request, {
      row: OutboxRow,
      query: listQuery(selected(db, request.filter)),
      sort: { at: 'o.at', target: 'o.target' },
      order: [['o.at', 'desc']],
      key: 'o.id',
    }),
  );
}

/** Every channel, and whether its messages leave the product. */
export function channels(ctx: Ctx) {
  return OutboxChannel.options.map((channel) => ({ channel, ready: isSetUp(ctx.runtime, channel) }));
}

/** One message with its codes in the clear; who looked is written down. @throws AppError 404 */
export async function openMessage(ctx: Ctx, id: string) {
  const found = await inSystem(
    ctx.runtime,
    (db) => db.selectFrom('kit.outbox').select(['target', 'subject', 'text']).where('id', '=', id).executeTakeFirst(),
    { readOnly: true },
  );
  if (!found) throw notFound('消息不存在或已清除');
  const entry = { action: '查看发件箱消息', resource: 'identity.outbox', resourceId: id };
  await audit(ctx, { ...entry, after: { target: found.target } });
  return found;
}
