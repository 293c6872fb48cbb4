import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { type CronItem, type JobDef, job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { ExpenseInput } from '../../contract/document.ts';
import { save } from '../save.ts';
import { nextDue } from './due.ts';

interface Due {
  id: string;
  createdBy: string | null;
  createdByName: string;
}

/** The expenses of a company that are due on its day. */
async function dueOf(ctx: Ctx): Promise<Due[]> {
  const { rows } = await sql<Due>`
    SELECT id, created_by AS "createdBy", created_by_name AS "createdByName" FROM expense.recurring
     WHERE company_id = ${ctx.companyId} AND state = 'active' AND next_on <= ${ctx.clock.today()}::date ORDER BY id`.execute(
    ctx.db,
  );
  return rows;
}

/**
 * Makes the draft of the oldest day that is due, in the name of whoever set it up, and moves on to the next month in the same
 * transaction: a day is made once, whoever comes. @returns whether there was one
 */
async function makeNext(ctx: Ctx, id: string): Promise<boolean> {
  const { rows } = await sql<{ day: number; content: object; nextOn: string }>`
    SELECT day, content, next_on::text AS "nextOn" FROM expense.recurring
     WHERE company_id = ${ctx.companyId} AND id = ${id} AND state = 'active' AND next_on <= ${ctx.clock.today()}::date
       FOR UPDATE`.execute(ctx.db);
  const [row] = rows;
  if (!row) return false;
  const made = await save(ctx, ExpenseInput.parse({ ...row.content, spentOn: row.nextOn }));
  await sql`
    UPDATE expense.recurring SET next_on = ${nextDue(row.nextOn, row.day)}::date, problem = '', last_id = ${made.id},
           last_number = ${made.number}
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  return true;
}

/** Keeps why a draft could not be made; the next run tries again. */
const keepProblem = (ctx: Ctx, id: string, problem: string) =>
  sql`UPDATE expense.recurring SET problem = ${problem.slice(0, 200)} WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
    ctx.db,
  );

/** Makes all drafts of a company that are due; one that cannot be made keeps no other from its turn. */
export async function makeDue(runtime: Runtime, companyId: string): Promise<void> {
  for (const { id, createdBy, createdByName } of await inTenant(runtime, systemPrincipal(companyId), dueOf)) {
    const maker = { ...systemPrincipal(companyId, createdByName), userId: createdBy };
    try {
      let more = true;
      while (more) more = await inTenant(runtime, maker, (ctx) => makeNext(ctx, id));
    } catch (error) {
      if (!(error instanceof AppError))
        runtime.log.error({ err: error, companyId }, 'recurring expense could not be made');
      const problem = error instanceof AppError ? error.message : '系统错误，稍后重试';
      await inTenant(runtime, systemPrincipal(companyId), (ctx) => keepProblem(ctx, id, problem));
    }
  }
}

const recurring: JobDef = job('expense.recurring', async (runtime: Runtime) => {
  const { rows } = await inSystem(runtime, (db) =>
    sql<{ id: string }>`SELECT company_id AS id FROM identity.company WHERE status = 'active'`.execute(db),
  );
  for (const { id } of rows) await makeDue(runtime, id);
});

export const jobs: JobDef[] = [recurring];
/** Every hour: days begin in each company's own zone. */
export const crons: CronItem[] = [{ pattern: '25 * * * *', job: 'expense.recurring' }];
