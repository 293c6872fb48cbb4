import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Chart } from '#modules/identity/server/index.ts';
import { addWorkingHours } from '#modules/system/server/index.ts';
import { type Due, isWork } from '../../contract/flow.ts';
import type { Env, FlowState, Task } from '../core/state.ts';
import type { Instance, Undo } from './store.ts';

const HOUR_MS = 3_600_000;

/** When half of the time for a step is over, and when all of it; ISO instants. */
export async function dueOf(ctx: Ctx, due: Due, from: string): Promise<{ remindAt: string; dueAt: string }> {
  const after = async (hours: number) =>
    due.clock === 'working'
      ? addWorkingHours(ctx, from, hours)
      : new Date(Date.parse(from) + hours * HOUR_MS).toISOString();
  return { remindAt: await after(due.hours / 2), dueAt: await after(due.hours) };
}

export interface Change {
  instance: Instance;
  before: FlowState;
  after: FlowState;
  env: Env;
  chart: Chart;
  admins: readonly string[];
  /** The task that was acted on, with what was said. */
  acted?: { no: number; comment: string } | undefined;
  undo?: Undo | null | undefined;
}

/** Tasks whose turn has come by a change. */
export function begun({ before, after }: Pick<Change, 'before' | 'after'>): Task[] {
  return after.tasks.filter((task) => task.state === 'pending' && before.tasks[task.no - 1]?.state !== 'pending');
}

const OVER = ['approved', 'auto', 'rejected', 'returned', 'transferred'];

function rowsOf(change: Change, at: string, times: ReadonlyMap<string, { remindAt: string; dueAt: string }>) {
  const { before, after, env, chart, acted } = change;
  const fresh = new Set(begun(change).map((task) => task.no));
  return after.tasks
    .filter((task) => before.tasks[task.no - 1]?.state !== task.state)
    .map((task) => {
      const { node } = env.plan.at(task.node);
      const time = fresh.has(task.no) ? times.get(task.node) : undefined;
      return {
        no: task.no,
        node_key: task.node,
        node_name: node.name,
        visit: task.visit,
        round: task.round,
        seq: task.seq,
        assignee_id: task.person,
        assignee_name: chart.members.get(task.person)?.name ?? '',
        principal_id: task.insteadOf,
        principal_name: task.insteadOf === null ? null : (chart.members.get(task.insteadOf)?.name ?? ''),
        kind: task.kind,
        source_no: task.source,
        state: task.state,
        begun_at: fresh.has(task.no) ? at : null,
        remind_at: time?.remindAt ?? null,
        due_at: time?.dueAt ?? null,
        on_due: time && isWork(node) ? (node.due?.action ?? null) : null,
        acted_at: OVER.includes(task.state) ? at : null,
        comment: task.no === acted?.no ? acted.comment : '',
      };
    });
}

async function timesOf(ctx: Ctx, change: Change, at: string) {
  const times = new Map<string, { remindAt: string; dueAt: string }>();
  for (const { node: key } of begun(change)) {
    const { node } = change.env.plan.at(key);
    if (isWork(node) && node.due && !times.has(key)) times.set(key, await dueOf(ctx, node.due, at));
  }
  return times;
}

/** Writes what an act came to: tasks in one statement, then the position. */
export async function saveChange(ctx: Ctx, change: Change): Promise<void> {
  const { instance, after, env, undo = null } = change;
  const at = ctx.runtime.clock.now().toISOString();
  const rows = rowsOf(change, at, await timesOf(ctx, change, at));
  if (rows.length > 0) {
    await sql`
      INSERT INTO approval.task AS t (company_id, instance_id, no, node_key, node_name, visit, round, seq, assignee_id,
        assignee_name, principal_id, principal_name, kind, source_no, state, begun_at, remind_at, due_at, on_due, acted_at,
        comment)
      SELECT ${ctx.companyId}, ${instance.id}, r.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(no int,
        node_key text, node_name text, visit int, round int, seq int, assignee_id uuid, assignee_name text,
        principal_id uuid, principal_name text, kind text, source_no int, state text, begun_at timestamptz,
        remind_at timestamptz, due_at timestamptz, on_due text, acted_at timestamptz, comment text)
      ON CONFLICT (company_id, instance_id, no) DO UPDATE SET state = excluded.state,
        begun_at = coalesce(excluded.begun_at, t.begun_at), remind_at = coalesce(excluded.remind_at, t.remind_at),
        due_at = coalesce(excluded.due_at, t.due_at), on_due = coalesce(excluded.on_due, t.on_due),
        noticed = CASE WHEN excluded.begun_at IS NULL THEN t.noticed ELSE 0 END,
        acted_at = excluded.acted_at,
        comment = CASE WHEN excluded.comment = '' THEN t.comment ELSE excluded.comment END`.execute(ctx.db);
  }
  const { tasks: _, ...position } = after;
  const nodes = [...new Set(after.tokens.map(({ node }) => env.plan.at(node).node.name))].join('、');
  const ended = after.status !== 'running' && after.status !== 'suspended';
  await sql`
    UPDATE approval.instance SET state = ${after.status}, position = ${JSON.stringify(position)}::jsonb,
           undo = ${undo === null ? null : JSON.stringify(undo)}::jsonb, current_nodes = ${nodes}, version = version + 1,
           entered_at = CASE WHEN current_nodes = ${nodes} THEN entered_at ELSE ${at} END,
           finished_at = CASE WHEN ${ended} THEN ${at}::timestamptz END
     WHERE company_id = ${ctx.companyId} AND id = ${instance.id}`.execute(ctx.db);
}
