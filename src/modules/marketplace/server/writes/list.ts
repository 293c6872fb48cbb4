import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { onDays } from '#kit/server/list/days.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import { type WriteDetail, type WriteFilter, WriteRow } from '../../contract/writes.ts';
import { storeNames } from '../auth/accounts.ts';
import { OPEN_STATES } from './job.ts';
import { kindOf, writeKinds } from './kinds.ts';

interface Row {
  id: string;
  account_id: string;
  marketplace_id: string;
  kind: string;
  subject: string;
  key: string;
  summary: string;
  request: unknown;
  state: WriteRow['state'];
  answer: { requestId?: string | null } | null;
  problem: string | null;
  attempts: number;
  next_at: string;
  created_by_name: string;
  created_at: string;
  sent_at: string | null;
  finished_at: string | null;
}

function queryOf(ctx: Ctx, { state, kind, authid, subject, created }: WriteFilter) {
  let query = ctx.db.selectFrom('marketplace.write as w').where('w.company_id', '=', ctx.companyId);
  if (state?.length) query = query.where('w.state', 'in', state);
  if (kind?.length) query = query.where('w.kind', 'in', kind);
  if (authid?.length) query = query.where('w.account_id', 'in', authid);
  if (subject) query = query.where('w.subject', '=', subject);
  if (created) query = query.where(onDays('w.created_at', created));
  return query;
}

function rowOf(ctx: Ctx, row: Row, stores: ReadonlyMap<string, string>): WriteRow {
  return {
    id: row.id,
    title: kindOf(ctx.runtime.modules, row.kind)?.title ?? row.kind,
    subject: row.subject,
    summary: row.summary,
    store: stores.get(row.account_id) ?? '',
    country: countryOf(row.marketplace_id),
    state: row.state,
    problem: row.problem,
    createdBy: row.created_by_name,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    finishedAt: row.finished_at,
  };
}

/** Writes, newest first. */
export async function writePage(ctx: Ctx, request: PageRequest<WriteFilter>): Promise<PageOf<WriteRow>> {
  const stores = await storeNames(ctx);
  return page<Row, WriteRow>(ctx, request, {
    row: WriteRow,
    query: listQuery(queryOf(ctx, request.filter).selectAll('w')),
    sort: { createdAt: 'w.created_at', finishedAt: 'w.finished_at' },
    order: [['w.created_at', 'desc']],
    key: 'w.id',
    map: (row) => rowOf(ctx, row, stores),
  });
}

/** How many writes are in each state; "all" is their sum. */
export function writeCounts(ctx: Ctx, { state: _, ...others }: WriteFilter): Promise<Record<string, number>> {
  return countsBy(queryOf(ctx, others), 'w.state');
}

/** What can be sent, as choices. */
export function kindChoices(ctx: Ctx): { value: string; label: string }[] {
  return extensionsOf(ctx.runtime.modules, writeKinds).map(({ kind, title }) => ({ value: kind, label: title }));
}

/** The row of a write. @throws 404 */
export async function requireWrite(ctx: Ctx, id: string): Promise<Row> {
  const row = await queryOf(ctx, {}).selectAll('w').where('w.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('接口提交不存在');
  return row as unknown as Row;
}

/** Whether a write may be sent once more. */
export function mayRetry({ state }: Pick<Row, 'state'>): boolean {
  return state === 'refused' || state === 'unknown';
}

const shown = (value: unknown): string => JSON.stringify(value, null, 2);

/** One write with what was sent and what came back. @throws 404 */
export async function writeDetailOf(ctx: Ctx, id: string): Promise<WriteDetail> {
  const row = await requireWrite(ctx, id);
  const { marketplace_id: marketplaceId, subject, key, request } = row;
  const kind = kindOf(ctx.runtime.modules, row.kind);
  const call = kind?.call({ marketplaceId, subject, key, request });
  const open = OPEN_STATES.some((state) => state === row.state);
  const mayTouch = kind !== undefined && can(ctx, kind.permission);
  return {
    ...rowOf(ctx, row, await storeNames(ctx)),
    call: call ? `${call.method} ${call.path}` : row.kind,
    request: shown(call?.body ?? call?.query ?? request),
    answer: row.answer === null ? null : shown(row.answer),
    requestId: row.answer?.requestId ?? null,
    attempts: row.attempts,
    nextAt: open ? row.next_at : null,
    may: { cancel: row.state === 'planned' && mayTouch, retry: mayRetry(row) && mayTouch },
  };
}
