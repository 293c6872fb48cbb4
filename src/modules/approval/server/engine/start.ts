import { sql } from 'kysely';
import { type Approvable, type ApprovalSubject, forFlow } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import type { Setting } from '../../contract/config.ts';
import { type Definition, isNamedBefore, nodesIn } from '../../contract/flow.ts';
import { begin, resume } from '../core/acts.ts';
import { stillHolds } from '../core/again.ts';
import { holds, type Vars } from '../core/condition.ts';
import type { Case } from '../core/people.ts';
import { blank } from '../core/state.ts';
import { conclude } from './conclude.ts';
import { worldOf } from './people.ts';
import { inBase } from './rates.ts';
import { pickFlow } from './route.ts';
import { hashOf, type Instance, latestOf, lockInstance, logEntry, type Position, stateOf } from './store.ts';

/** A document as it is handed in: what the company decides by from now on. */
export interface Submission {
  subject: ApprovalSubject;
  amountBase: string | null;
  vars: Vars;
  initiator: string | null;
}

/** Departments of a member, his own first. */
async function departmentsAbove(ctx: Ctx, member: string | null): Promise<string[]> {
  const chart = await chartOf(ctx);
  const above: string[] = [];
  let id = member === null ? null : (chart.members.get(member)?.department ?? null);
  while (id !== null && !above.includes(id)) {
    above.push(id);
    id = chart.departments.get(id)?.parent ?? null;
  }
  return above;
}

/** Reads a document and freezes what conditions compare. @throws refused B0848 without an exchange rate */
export async function submissionOf(
  ctx: Ctx,
  kind: Approvable,
  docId: string,
  initiator: string | null,
): Promise<Submission> {
  const subject = await kind.subject(ctx, docId);
  const amountBase = await inBase(ctx, subject.amount, subject.currency);
  const vars: Vars = {
    ...subject.vars,
    amount: subject.amount,
    amountBase,
    currency: subject.currency,
    initiator,
    department: await departmentsAbove(ctx, initiator),
    // Where the document belongs: what the data rights of whoever is asked by a role are held against.
    scopeStores: subject.stores ?? [],
    scopeWarehouses: subject.warehouses ?? [],
  };
  return { subject, amountBase, vars, initiator };
}

/** People whom the maker picked for the steps that leave it to him. */
export async function choicesOf(ctx: Ctx, docType: string, docId: string): Promise<Record<string, string[]>> {
  const rows = await ctx.db
    .selectFrom('approval.choice')
    .select(['node_key', 'people'])
    .where('company_id', '=', ctx.companyId)
    .where('doc_type', '=', docType)
    .where('doc_id', '=', docId)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.node_key, row.people]));
}

/** Who decides this time picks anew whom the next steps go to. */
async function forgetNamed(ctx: Ctx, docType: string, docId: string, { steps }: Definition): Promise<void> {
  const keys = nodesIn(steps)
    .filter(isNamedBefore)
    .map(({ key }) => key);
  if (keys.length === 0) return;
  await ctx.db
    .deleteFrom('approval.choice')
    .where('company_id', '=', ctx.companyId)
    .where('doc_type', '=', docType)
    .where('doc_id', '=', docId)
    .where('node_key', 'in', keys)
    .execute();
}

interface Flow {
  id: string | null;
  no: number | null;
  name: string;
  definition: Definition;
}

const NO_FLOW: Flow = { id: null, no: null, name: '免审', definition: { steps: [] } };

async function insert(
  ctx: Ctx,
  kind: Approvable,
  docId: string,
  { subject, amountBase, vars, initiator }: Submission,
  flow: Flow,
  submission: number,
): Promise<Instance> {
  const { tasks: _, ...position } = blank();
  const row = await ctx.db
    .insertInto('approval.instance')
    .values({
      company_id: ctx.companyId,
      doc_type: kind.def.name,
      doc_id: docId,
      number: subject.number,
      summary: subject.summary,
      place: subject.place,
      facts: JSON.stringify(subject.facts),
      amount: subject.amount,
      currency: subject.currency,
      amount_base: amountBase,
      vars: JSON.stringify(vars),
      people: JSON.stringify(subject.people ?? {}),
      doc_hash: hashOf(subject),
      flow_id: flow.id,
      flow_no: flow.no,
      flow_name: flow.name,
      definition: JSON.stringify(flow.definition),
      submission,
      state: 'running',
      position: JSON.stringify(position),
      initiator_id: initiator,
      initiator_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return lockInstance(ctx, row.id);
}

/**
 * Freezes a document anew that comes straight back to the steps that returned it, and keeps what was decided about
 * before; whoever handed it in stands for it.
 */
async function refresh(
  ctx: Ctx,
  instance: Instance,
  { subject, amountBase, vars, initiator }: Submission,
): Promise<void> {
  await sql`
    UPDATE approval.instance SET before = jsonb_build_object('facts', facts, 'amount', amount::text),
           summary = ${subject.summary}, place = ${subject.place}, people = ${JSON.stringify(subject.people ?? {})}::jsonb, facts = ${JSON.stringify(subject.facts)}::jsonb,
           amount = ${subject.amount}, currency = ${subject.currency}, amount_base = ${amountBase},
           vars = ${JSON.stringify(vars)}::jsonb, doc_hash = ${hashOf(subject)}, submitted_at = kit.now(),
           initiator_id = ${initiator}, initiator_name = ${ctx.userName},
           submission = submission + 1
     WHERE company_id = ${ctx.companyId} AND id = ${instance.id}`.execute(ctx.db);
}

/**
 * Whether a returned document may go straight back to the step that returned it: what the steps before it agreed to still
 * holds, so the same flow takes it the same way, and nothing has become more than they were asked about.
 */
async function mayResume(
  ctx: Ctx,
  kind: Approvable,
  setting: Setting,
  last: Instance,
  submission: Submission,
): Promise<boolean> {
  const flow = await pickFlow(ctx, kind.def.name, submission);
  if (flow?.id !== last.flowId || flow.no !== last.flowNo) return false;
  return stillHolds(last.definition, last, submission, kind.fixed ?? [], setting.tolerance);
}

export function caseOf(
  docType: string,
  from: Pick<Instance, 'initiatorId' | 'amountBase' | 'vars' | 'people'>,
  chosen: Record<string, string[]>,
): Case {
  return {
    docType,
    initiator: from.initiatorId,
    amountBase: from.amountBase,
    vars: from.vars,
    people: from.people,
    chosen,
  };
}

async function run(
  ctx: Ctx,
  kind: Approvable,
  setting: Setting,
  instance: Instance,
  again: Position | null,
): Promise<void> {
  const chosen = await choicesOf(ctx, kind.def.name, instance.docId);
  const world = await worldOf(ctx, instance.definition, setting, caseOf(kind.def.name, instance, chosen));
  const before = again === null ? blank() : await stateOf(ctx, instance);
  const { state: after, events } = again === null ? begin(world.env) : resume(world.env, before);
  await conclude(ctx, kind, { instance, before, after, ...world }, events, '');
}

/** Hands a document in: the flow that fits begins, or goes on, or nobody needs to be asked. In the caller's transaction. */
export async function start(ctx: Ctx, kind: Approvable, setting: Setting, docId: string): Promise<void> {
  await forFlow(ctx, async (flowCtx) => {
    const submission = await submissionOf(flowCtx, kind, docId, ctx.userId);
    const last = await latestOf(flowCtx, kind.def.name, docId);
    const say = (id: string, action: 'submit' | 'resubmit' | 'exempt', detail?: string) =>
      logEntry(flowCtx, id, { action, detail });
    const record = (instance: Instance) =>
      audit(flowCtx, {
        action: `${kind.def.title}·提交审批`,
        resource: 'approval.instance',
        resourceId: instance.id,
        after: { number: instance.number, flow: instance.flowName },
      });
    if (setting.exempt && setting.exempt.rules.length > 0 && holds(setting.exempt, submission.vars)) {
      const instance = await insert(flowCtx, kind, docId, submission, NO_FLOW, (last?.submission ?? 0) + 1);
      await say(instance.id, 'exempt');
      await record(instance);
      return run(flowCtx, kind, setting, instance, null);
    }
    const straight = last?.state === 'returned' && last.position.resume.length > 0;
    if (straight && (await mayResume(flowCtx, kind, setting, last, submission))) {
      await refresh(flowCtx, last, submission);
      const instance = await lockInstance(flowCtx, last.id);
      await say(instance.id, 'resubmit');
      await record(instance);
      return run(flowCtx, kind, setting, instance, instance.position);
    }
    const flow = await pickFlow(flowCtx, kind.def.name, submission);
    if (!flow) throw refused('未找到匹配的审批流程，请联系管理员', 'B0847');
    await forgetNamed(flowCtx, kind.def.name, docId, flow.definition);
    const instance = await insert(flowCtx, kind, docId, submission, flow, (last?.submission ?? 0) + 1);
    await say(instance.id, last ? 'resubmit' : 'submit', straight ? '修改影响审批，从头逐级审批' : undefined);
    await record(instance);
    return run(flowCtx, kind, setting, instance, null);
  });
}
