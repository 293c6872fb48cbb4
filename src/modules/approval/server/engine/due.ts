import { sql } from 'kysely';
import { forFlow } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { remind } from '#modules/message/server/index.ts';
import { isWork } from '../../contract/flow.ts';
import { tasksOf } from '../core/machine.ts';
import { leadsAbove, type World } from '../core/people.ts';
import type { Assignee, FlowState } from '../core/state.ts';
import { counted } from '../core/votes.ts';
import { kindOf } from '../kinds.ts';
import { advance } from './advance.ts';
import { logEntry } from './store.ts';
import { TASK_EVENT } from './tell.ts';

interface Late {
  company: string;
  task: string;
  instance: string;
  no: number;
  /** The time is over, not only half of it. */
  over: boolean;
  action: 'remind' | 'leader' | 'approve' | 'reject' | null;
}

const BATCH = 500;

/** Tasks of all companies that have waited for half of their time, or for all of it. */
function late(runtime: Runtime, now: string): Promise<Late[]> {
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<Late>`
      SELECT company_id AS company, id AS task, instance_id AS instance, no, due_at <= ${now} AS over, on_due AS action
        FROM approval.task
       WHERE state = 'pending' AND noticed < 2 AND CASE noticed WHEN 0 THEN remind_at ELSE due_at END <= ${now}
       ORDER BY CASE noticed WHEN 0 THEN remind_at ELSE due_at END LIMIT ${BATCH}`.execute(db);
    return rows;
  });
}

async function nudge(ctx: Ctx, { task, instance, over }: Late): Promise<void> {
  const { rows } = await sql<{
    type: string;
    id: string;
    number: string;
    summary: string;
    person: string;
    node: string;
  }>`
    SELECT i.doc_type AS type, i.doc_id AS id, i.number, i.summary, t.assignee_id AS person, t.node_name AS node
      FROM approval.task AS t JOIN approval.instance AS i ON i.company_id = t.company_id AND i.id = t.instance_id
     WHERE t.company_id = ${ctx.companyId} AND t.id = ${task}`.execute(ctx.db);
  const row = rows[0];
  if (!row) return;
  const { def } = kindOf(ctx.runtime, row.type);
  await remind(ctx, {
    to: [row.person],
    event: TASK_EVENT,
    approval: true,
    documentType: def.name,
    documentId: row.id,
    title: `${def.title} ${row.number} ${over ? '审批已超时' : '审批时限已过半'}`,
    content: row.summary,
    dedupeKey: `${TASK_EVENT}:${task}:${over ? 'over' : 'half'}`,
  });
  if (over) await logEntry(ctx, instance, { action: 'overdue', node: row.node, detail: '已超时，提醒审批人' });
}

/** The time of a task that was looked at: nobody looks at it again for the same reason. */
async function settleTime(ctx: Ctx, { task, over }: Late): Promise<void> {
  await sql`
    UPDATE approval.task SET noticed = ${over ? 2 : 1}
     WHERE company_id = ${ctx.companyId} AND id = ${task}`.execute(ctx.db);
}

/** Who decides in the place of whose time is over: the nearest lead, or who looks after the flow, who may and is not asked yet. */
function superior(state: FlowState, world: World, no: number): Assignee | undefined {
  const task = state.tasks[no - 1];
  const node = task && world.env.plan.at(task.node).node;
  if (!task || !node || !isWork(node)) return undefined;
  const asked = new Set(counted(tasksOf(state, task.visit)).map(({ person }) => person));
  return [...leadsAbove(world.chart, task.person), ...world.admins]
    .map(world.standingFor)
    .find(({ person }) => !asked.has(person) && !world.env.bars(node, person));
}

async function enforce(ctx: Ctx, one: Late): Promise<void> {
  const { instance, no, action } = one;
  if (action === 'approve' || action === 'reject') {
    const detail = action === 'approve' ? '超时自动同意' : '超时自动拒绝';
    await advance(ctx, instance, { action: 'overdue', comment: detail }, () => ({ act: action, task: no }));
    return;
  }
  await advance(ctx, instance, { action: 'overdue', detail: '超时转上级' }, ({ state, world }) => {
    const to = superior(state, world, no);
    if (to === undefined) throw new AppError(409, 409, '没有上级');
    return { act: 'transfer', task: no, to };
  });
}

async function one(ctx: Ctx, what: Late): Promise<void> {
  await settleTime(ctx, what);
  const acts = what.over && what.action !== null && what.action !== 'remind';
  if (!acts) await nudge(ctx, what);
  else await enforce(ctx, what);
}

/**
 * Looks after time-outs: reminds at half of the time and at its end, then does what the step says. Each task in a
 * transaction of its own, so that a document that cannot be approved keeps no other from its turn.
 * @returns how many tasks were looked at
 */
export async function runDue(runtime: Runtime, now = runtime.clock.now().toISOString()): Promise<number> {
  const found = await late(runtime, now);
  for (const what of found) {
    try {
      await inTenant(runtime, systemPrincipal(what.company), (ctx) => one(ctx, what));
    } catch (error) {
      runtime.log.warn({ err: error, task: what.task }, 'time-out of an approval could not be carried out');
      // The person is reminded instead, and nothing is tried again.
      await inTenant(runtime, systemPrincipal(what.company), (ctx) =>
        forFlow(ctx, async (flow) => {
          await settleTime(flow, what);
          await nudge(flow, what);
        }),
      );
    }
  }
  return found.length;
}

export const dueJob: JobDef = job<object>('approval.due', async (runtime) => {
  await runDue(runtime);
});
