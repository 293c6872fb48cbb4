import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { event } from '#kit/server/events.ts';
import type { WriteState } from '../../contract/writes.ts';
import { enqueueWrite } from './job.ts';
import { kindOf } from './kinds.ts';

/** One call that somebody wishes. */
export interface WriteWish {
  kind: string;
  accountId: string;
  marketplaceId: string;
  /** What it is about, and which of several about it: while one of that name is open, the same wish is the same write. */
  subject: string;
  key?: string;
  /** Words for people. */
  summary: string;
  /** What the kind makes its call of. */
  request: object;
}

/** A write is over: what became of it. Told in the transaction that writes it down. */
export const writeEnded = event<{
  writeId: string;
  kind: string;
  subject: string;
  accountId: string;
  marketplaceId: string;
  state: Extract<WriteState, 'done' | 'refused' | 'unknown' | 'cancelled'>;
  problem: string | null;
  /** Body of the marketplace's answer; undefined where none came. */
  answer?: unknown;
}>('marketplace.writeEnded');

/** Somebody has a write that is over sent once more; whoever wished it may refuse by an AppError. */
export const writeRetried = event<{ writeId: string; kind: string; subject: string; accountId: string }>(
  'marketplace.writeRetried',
);

/** How far writes are, by id. */
export async function writeStates(ctx: Ctx, ids: readonly string[]): Promise<Map<string, WriteState>> {
  const { rows } = await sql<{ id: string; state: WriteState }>`
    SELECT id, state FROM marketplace.write
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/** Plans a call in the caller's transaction; returns its id, that of the open one where the same is wished for already. */
export async function planWrite(ctx: Ctx, wish: WriteWish): Promise<string> {
  const { kind, accountId, marketplaceId, subject, key = '', summary, request } = wish;
  const known = kindOf(ctx.runtime.modules, kind);
  if (!known) throw new Error(`no module knows writes of kind ${kind}`);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO marketplace.write
      (company_id, account_id, marketplace_id, kind, subject, key, summary, request, created_by, created_by_name)
    VALUES (${ctx.companyId}, ${accountId}, ${marketplaceId}, ${kind}, ${subject}, ${key}, ${summary},
            ${JSON.stringify(request)}::jsonb, ${ctx.userId}, ${ctx.userName})
    ON CONFLICT (company_id, account_id, kind, subject, key) WHERE state IN ('planned', 'sending') DO NOTHING
    RETURNING id`.execute(ctx.db);
  const [row] = rows;
  if (!row) {
    const { id } = await ctx.db
      .selectFrom('marketplace.write')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .where('key', '=', key)
      .where('state', 'in', ['planned', 'sending'])
      .executeTakeFirstOrThrow();
    return id;
  }
  await enqueueWrite(ctx, row.id);
  await audit(ctx, {
    action: `提交${known.title}`,
    resource: 'marketplace.write',
    resourceId: row.id,
    after: { subject, summary, marketplaceId },
  });
  return row.id;
}
