import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { ExpenseInput } from '../../contract/document.ts';
import {
  type addRecurring,
  type RecurringFilter,
  RecurringRow,
  type RecurringState,
  type setRecurring,
} from '../../contract/recurring.ts';
import { type Expense, linesOf, loaded, requireWhole, sharesOf } from '../load.ts';
import { nextDue } from './due.ts';

function selected(ctx: Ctx, filter: RecurringFilter) {
  let query = ctx.db.selectFrom('expense.recurring as r').where('r.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('r.state', '=', filter.state);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('r.name', 'ilike', like), eb('r.payee', 'ilike', like)]));
  }
  return query
    .select(['r.id', 'r.name', 'r.state', 'r.day', 'r.payee', 'r.amount', 'r.currency', 'r.problem'])
    .select(['r.next_on', 'r.last_id', 'r.last_number', 'r.created_by_name', 'r.created_at']);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const toRow = (row: DbRow): RecurringRow => ({
  id: row.id,
  name: row.name,
  state: row.state as RecurringState,
  day: row.day,
  payee: row.payee,
  amount: row.amount,
  currency: row.currency,
  nextOn: row.state === 'active' ? row.next_on : null,
  lastId: row.last_id,
  lastNumber: row.last_number,
  problem: row.problem,
  createdByName: row.created_by_name,
  createdAt: row.created_at,
});

/** One page of expenses that come again, the newest first. */
export function recurringPage(ctx: Ctx, request: PageRequest<RecurringFilter>): Promise<PageOf<RecurringRow>> {
  const def: ListDef<DbRow, RecurringRow> = {
    row: RecurringRow,
    query: listQuery<DbRow>(selected(ctx, request.filter)),
    sort: { name: 'r.name', amount: 'r.amount', nextOn: 'r.next_on' },
    order: [['r.id', 'desc']],
    key: 'r.id',
    map: toRow,
  };
  return page(ctx, request, def);
}

/** What an expense says, for drafts of another day. */
async function contentOf(ctx: Ctx, doc: Expense): Promise<Omit<ExpenseInput, 'spentOn'>> {
  const shares = await sharesOf(ctx, doc.id);
  const { spentOn: _spentOn, ...content } = ExpenseInput.parse({
    ...doc,
    id: undefined,
    version: undefined,
    lines: await linesOf(ctx, doc.id),
    shares: shares.map(({ departmentId, accountId, marketplaceId, sku, amount }) => ({
      amount,
      sku,
      ...(departmentId === null ? { store: `${marketplaceId}-${accountId}` } : { departmentId }),
    })),
  });
  return content;
}

/** Makes an expense come again. @throws notFound, B2408 stores that the caller does not see */
export async function add(
  ctx: Ctx,
  input: z.output<typeof addRecurring.body>,
): Promise<{ id: string; nextOn: string }> {
  const doc = await loaded(ctx, input.expenseId);
  await requireWhole(ctx, doc);
  const { name, day } = input;
  const nextOn = nextDue(ctx.clock.today(), day);
  const { id } = await ctx.db
    .insertInto('expense.recurring')
    .values({
      company_id: ctx.companyId,
      name,
      day,
      payee: doc.payee,
      currency: doc.currency,
      amount: doc.amount,
      content: JSON.stringify(await contentOf(ctx, doc)),
      next_on: nextOn,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '设为周期费用',
    resource: 'expense.recurring',
    resourceId: id,
    after: { name, day, number: doc.number, amount: doc.amount },
  });
  return { id, nextOn };
}

/**
 * Pauses one, takes it up again, or stops it; what was due while it was paused is not made up for.
 * @throws notFound, conflict for one that was stopped
 */
export async function setState(ctx: Ctx, { id, state }: z.output<typeof setRecurring.body>) {
  const { rows } = await sql<{ state: RecurringState; day: number; name: string }>`
    SELECT state, day, name FROM expense.recurring WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(
    ctx.db,
  );
  const [before] = rows;
  if (!before) throw notFound();
  if (before.state === 'stopped') throw conflict('周期费用已停止，不能再启用');
  const resumed = before.state === 'paused' && state === 'active';
  await ctx.db
    .updateTable('expense.recurring')
    .set({ state, problem: '', ...(resumed ? { next_on: nextDue(ctx.clock.today(), before.day) } : {}) })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: '周期费用·改变状态',
    resource: 'expense.recurring',
    resourceId: id,
    before: { state: before.state },
    after: { name: before.name, state },
  });
  return { id, state };
}
