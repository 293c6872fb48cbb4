import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { TaskCancelled, type TaskHandle, task } from '#kit/server/jobs/define.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { inTenant, taskPrincipal } from '#kit/server/runtime.ts';
import { requireOrder, type Watch } from './month.ts';
import { isClosed, type PeriodState, requireOver, setPeriod } from './period.ts';

const TASK = 'warehouse.closeMonth';
/** Postings wait while a month closes, so longer than that somebody has to look at it. */
const LONGEST_MS = 30 * 60_000;

/** The task that closes a month (its first day) just now, if one does. */
async function openTask(ctx: Ctx, month: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM warehouse.inventory_period AS p
      JOIN kit.task AS t ON t.company_id = p.company_id AND t.id = p.task_id AND t.state IN ('queued', 'running')
     WHERE p.company_id = ${ctx.companyId} AND p.month = ${month}::date`.execute(ctx.db);
  return rows[0]?.id;
}

async function begin(ctx: Ctx, month: string): Promise<string> {
  const name = month.slice(0, 7);
  const id = await startTask(ctx, TASK, `月末加权结转 ${name}`, { month });
  await sql`
    INSERT INTO warehouse.inventory_period (company_id, month, state, valuation, changed_by_name, task_id)
    VALUES (${ctx.companyId}, ${month}::date, 'OPEN', 'MONTHLY', ${ctx.userName}, ${id}::uuid)
    ON CONFLICT (company_id, month) DO UPDATE SET task_id = excluded.task_id`.execute(ctx.db);
  await audit(ctx, {
    action: '发起月末加权结转',
    resource: 'warehouse.period',
    resourceId: name,
    after: { taskId: id },
  });
  return id;
}

/**
 * Closes or opens a month (its first day) for who asked. Where closing prices its issues, a task does it; two who ask at the
 * same time get the same one. Answers the task's id, or null where the month is in the state already.
 * @throws refused B0812 not over, B0814 another month comes first, B0815 to open it while it closes
 */
export async function changePeriod(ctx: Ctx, month: string, state: PeriodState): Promise<string | null> {
  // Not the gate: it belongs to the closing that may be under way, and nobody shall wait for that here.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('warehouse.period:' || ${ctx.companyId}::text, 0))`.execute(
    ctx.db,
  );
  const running = await openTask(ctx, month);
  if (running && state === 'OPEN') throw refused('该账期正在结转，请等待完成或取消任务', 'B0815');
  if (running) return running;
  if (state === 'CLOSED' && !(await isClosed(ctx, month))) {
    await requireOver(ctx, month);
    if ((await requireOrder(ctx, month, state)) === 'MONTHLY') return begin(ctx, month);
  }
  await setPeriod(ctx, month, state);
  return null;
}

/** Who called it off is heard until the first row is written, and then no more: half a month is none. */
function watching(ctx: Ctx, handle: TaskHandle): Watch {
  return async (percent, next) => {
    await handle.progress(percent, next);
    const { rows } = await sql<{ cancelled: boolean }>`
      SELECT cancel_requested AS cancelled FROM kit.task
       WHERE company_id = ${ctx.companyId} AND id = ${handle.id}`.execute(ctx.db);
    if (rows[0]?.cancelled) throw new TaskCancelled();
  };
}

/** Refuses a task that is run again although the month is somebody else's by now. */
async function requireMine(ctx: Ctx, handle: TaskHandle, month: string): Promise<void> {
  const { rows } = await sql<{ mine: boolean }>`
    SELECT task_id = ${handle.id}::uuid AS mine FROM warehouse.inventory_period
     WHERE company_id = ${ctx.companyId} AND month = ${month}::date`.execute(ctx.db);
  if (!rows[0]?.mine) throw refused('该账期已由其他操作处理，请刷新账期', 'B0816');
}

/**
 * Closes a month in the background, in one transaction. A process that dies in the middle leaves nothing behind and the
 * next one begins anew; one that dies after the commit finds the month closed.
 */
export const closeMonthTask = task<{ month: string }>(TASK, async (runtime, handle, { month }) => {
  const { priced } = await inTenant(
    runtime,
    taskPrincipal(handle),
    async (ctx) => {
      if (!(await isClosed(ctx, month))) await requireMine(ctx, handle, month);
      return setPeriod(ctx, month, 'CLOSED', watching(ctx, handle));
    },
    { timeoutMs: LONGEST_MS },
  );
  if (!priced) return { detail: '账期已关闭' };
  const more = new Decimal(priced.outgoing).toFixed(2);
  return { detail: `${priced.issues} 笔出库调整，出库成本调整 ${more} 元`, result: priced };
});
