import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { type Chart, chartOf, type Handover, memberLeft } from '#modules/identity/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import type { Definition } from '../contract/flow.ts';
import { adminsOf, leadOf } from './core/people.ts';
import { planOf } from './core/plan.ts';
import { type Held, hold } from './engine/advance.ts';
import { logEntry } from './engine/store.ts';
import { TASK_EVENT } from './engine/tell.ts';
import { settings } from './setting.ts';

/** Approvals under way, or handed back to who began them. */
const OPEN = sql`i.state IN ('running', 'suspended', 'returned')`;
const WAITING = sql`t.state IN ('pending', 'waiting')`;

async function countOf(ctx: Ctx, tasks: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${tasks}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** Who decides where `member` would have to decide about his own document: his lead, or whoever looks after the flows. */
function otherThan(chart: Chart, setting: Parameters<typeof adminsOf>[1], member: string, leaver: string) {
  const candidates = [leadOf(chart, member), ...adminsOf(chart, setting)];
  return candidates.find(
    (id) => id !== undefined && id !== member && id !== leaver && (chart.members.get(id)?.active ?? false),
  );
}

/** Whether a step asks whoever made the document himself. */
function namesMaker(definition: Definition, key: string): boolean {
  const { node } = planOf(definition).at(key);
  return 'who' in node && node.who.some(({ from }) => from === 'initiator');
}

/** Passes one task on; whoever decides does so in the place of who was asked first. */
async function pass(ctx: Ctx, chart: Chart, id: string, to: string): Promise<void> {
  await sql`
    UPDATE approval.task SET assignee_id = ${to}, assignee_name = ${chart.members.get(to)?.name ?? ''},
           principal_id = coalesce(principal_id, assignee_id), principal_name = coalesce(principal_name, assignee_name)
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
}

interface OwnTask {
  id: string;
  node: string;
  docType: string;
  definition: Definition;
}

/**
 * Passes on those of `heir`'s open tasks that are about documents he stands for by now: nobody decides about his own,
 * unless the company or the step wants that, or nobody else could.
 */
async function leaveToOthers(ctx: Ctx, chart: Chart, tasks: ReturnType<typeof sql>, heir: string, leaver: string) {
  const { rows } = await sql<OwnTask>`
    SELECT t.id, t.node_key AS node, i.doc_type AS "docType", i.definition FROM approval.task AS t
      JOIN approval.instance AS i ON i.company_id = t.company_id AND i.id = t.instance_id
     WHERE t.company_id = ${ctx.companyId} AND t.assignee_id = ${heir} AND i.initiator_id = ${heir} AND ${WAITING}
       AND ${tasks}
     ORDER BY t.id`.execute(ctx.db);
  if (rows.length === 0) return;
  const all = new Map((await settings(ctx)).map((setting) => [setting.docType, setting]));
  for (const { id, node, docType, definition } of rows) {
    const setting = all.get(docType);
    if (!setting || setting.selfApprove || namesMaker(definition, node)) continue;
    const other = otherThan(chart, setting, heir, leaver);
    if (other !== undefined) await pass(ctx, chart, id, other);
  }
}

/** What a leaver is asked to decide: who takes over decides in his place, but never about his own documents. */
export const openTasks: Handover = {
  key: 'approval.tasks',
  title: '待审批任务',
  count: (ctx, from) =>
    countOf(
      ctx,
      sql`approval.task AS t WHERE t.company_id = ${ctx.companyId} AND t.assignee_id = ${from} AND ${WAITING}`,
    ),
  move: async (ctx, from, to) => {
    const chart = await chartOf(ctx);
    const { rows } = await sql<{ id: string }>`
      SELECT t.id FROM approval.task AS t
       WHERE t.company_id = ${ctx.companyId} AND t.assignee_id = ${from} AND ${WAITING} ORDER BY t.id FOR UPDATE`.execute(
      ctx.db,
    );
    for (const { id } of rows) await pass(ctx, chart, id, to);
    const moved = sql`t.id = ANY(${rows.map(({ id }) => id)}::uuid[])`;
    await leaveToOthers(ctx, chart, moved, to, from);
    return rows.length;
  },
};

/**
 * Documents that a leaver handed in: who takes over hears of their end, withdraws them and hands them in again, and is
 * asked about none of them any more.
 */
export const openSubmissions: Handover = {
  key: 'approval.submissions',
  title: '发起的审批',
  count: (ctx, from) =>
    countOf(
      ctx,
      sql`approval.instance AS i WHERE i.company_id = ${ctx.companyId} AND i.initiator_id = ${from} AND ${OPEN}`,
    ),
  move: async (ctx, from, to) => {
    const chart = await chartOf(ctx);
    const { rows } = await sql<{ id: string }>`
      UPDATE approval.instance AS i SET initiator_id = ${to}, initiator_name = ${chart.members.get(to)?.name ?? ''}
       WHERE i.company_id = ${ctx.companyId} AND i.initiator_id = ${from} AND ${OPEN}
      RETURNING i.id`.execute(ctx.db);
    const his = sql`t.instance_id = ANY(${rows.map(({ id }) => id)}::uuid[])`;
    await leaveToOthers(ctx, chart, his, to, from);
    return rows.length;
  },
};

/** Who is asked where somebody may work no more: whoever stands in for him, or looks after the flows. */
function standIn({ world, setting, instance }: Held, left: string): string | undefined {
  const active = (id: string) => id !== left && (world.chart.members.get(id)?.active ?? false);
  const others = [world.standingFor(left).person, ...world.admins].filter(active);
  const free = setting.selfApprove ? others : others.filter((id) => id !== instance.initiatorId);
  return free[0] ?? others[0];
}

/** Whoever is disabled or removed keeps no document waiting: what he was asked passes on, and is told so. */
export const onMemberLeft = on(memberLeft, async (ctx, { memberId }) => {
  const { rows } = await sql<{ id: string; instance: string; node: string; pending: boolean }>`
    SELECT t.id, t.instance_id AS instance, t.node_name AS node, t.state = 'pending' AS pending FROM approval.task AS t
     WHERE t.company_id = ${ctx.companyId} AND t.assignee_id = ${memberId} AND ${WAITING}
     ORDER BY t.instance_id, t.no`.execute(ctx.db);
  for (const { id, instance, node, pending } of rows) {
    const held = await hold(ctx, instance);
    const to = standIn(held, memberId);
    if (to === undefined) continue;
    const { chart } = held.world;
    await pass(ctx, chart, id, to);
    const nameOf = (person: string) => chart.members.get(person)?.name ?? '';
    const detail = `${nameOf(memberId)} 已停用，改由 ${nameOf(to)} 处理`;
    await logEntry(ctx, instance, { action: 'reassign', node, detail });
    if (!pending) continue;
    await remind(ctx, {
      to: [to],
      event: TASK_EVENT,
      approval: true,
      documentType: held.kind.def.name,
      documentId: held.instance.docId,
      title: `${held.kind.def.title} ${held.instance.number} 待您审批（代${nameOf(memberId)}）`,
      content: `${held.instance.summary}\n${detail}`,
    });
  }
});
