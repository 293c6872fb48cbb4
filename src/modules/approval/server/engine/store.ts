import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Definition } from '../../contract/flow.ts';
import type { Action, InstanceState } from '../../contract/instance.ts';
import type { Vars } from '../core/condition.ts';
import type { FlowState, Task, TaskState } from '../core/state.ts';

export type Position = Omit<FlowState, 'tasks'>;

/** What it takes to take the last agreement back. */
export interface Undo {
  by: string;
  /** ISO instant of the agreement. */
  at: string;
  position: Position;
  tasks: TaskState[];
}

export interface Instance {
  id: string;
  docType: string;
  docId: string;
  number: string;
  summary: string;
  amountBase: string | null;
  vars: Vars;
  people: Record<string, string[]>;
  docHash: string;
  flowId: string | null;
  flowNo: number | null;
  flowName: string;
  definition: Definition;
  submission: number;
  state: InstanceState;
  position: Position;
  undo: Undo | null;
  initiatorId: string | null;
  initiatorName: string;
  submittedAt: string;
}

const COLUMNS =
  sql.raw(`id, doc_type AS "docType", doc_id AS "docId", number, summary, amount_base AS "amountBase", vars,
  people, doc_hash AS "docHash", flow_id AS "flowId", flow_no AS "flowNo", flow_name AS "flowName", definition, submission,
  state, position, undo, initiator_id AS "initiatorId", initiator_name AS "initiatorName", submitted_at AS "submittedAt"`);

/** Stable text of a value: the keys of objects in one order, so that equal things have one hash. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** SHA-256 of what must not change while people decide. */
export function hashOf(subject: Pick<ApprovalSubject, 'content' | 'amount' | 'currency'>): string {
  const { content, amount, currency } = subject;
  return createHash('sha256').update(canonical({ content, amount, currency })).digest('hex');
}

/** An instance, its row locked until the transaction ends. @throws notFound */
export async function lockInstance(ctx: Ctx, id: string): Promise<Instance> {
  const { rows } = await sql<Instance>`
    SELECT ${COLUMNS} FROM approval.instance WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(
    ctx.db,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** The latest approval of a document, or the one under way. */
export async function latestOf(ctx: Ctx, docType: string, docId: string): Promise<Instance | undefined> {
  const { rows } = await sql<Instance>`
    SELECT ${COLUMNS} FROM approval.instance
     WHERE company_id = ${ctx.companyId} AND doc_type = ${docType} AND doc_id = ${docId} ORDER BY id DESC LIMIT 1`.execute(
    ctx.db,
  );
  return rows[0];
}

export async function openOf(ctx: Ctx, docType: string, docId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM approval.instance
     WHERE company_id = ${ctx.companyId} AND doc_type = ${docType} AND doc_id = ${docId}
       AND state IN ('running', 'suspended')`.execute(ctx.db);
  return rows[0]?.id;
}

/** What the interpreter works on: position and tasks together. */
export async function stateOf(ctx: Ctx, { id, position }: Pick<Instance, 'id' | 'position'>): Promise<FlowState> {
  const { rows } = await sql<Task>`
    SELECT no, node_key AS node, visit, round, seq, assignee_id AS person, principal_id AS "insteadOf", kind,
           source_no AS source, state
      FROM approval.task WHERE company_id = ${ctx.companyId} AND instance_id = ${id} ORDER BY no`.execute(ctx.db);
  return { ...position, tasks: rows };
}

export interface Entry {
  action: Action;
  node?: string | undefined;
  comment?: string | undefined;
  detail?: string | undefined;
  principal?: string | null | undefined;
}

/** Writes what somebody did into the log of an approval. */
export async function logEntry(ctx: Ctx, instance: string, entry: Entry): Promise<void> {
  await ctx.db
    .insertInto('approval.log')
    .values({
      company_id: ctx.companyId,
      instance_id: instance,
      action: entry.action,
      actor_id: ctx.userId,
      actor_name: ctx.userName,
      principal_name: entry.principal ?? null,
      node_name: entry.node ?? '',
      comment: entry.comment ?? '',
      detail: entry.detail ?? '',
    })
    .execute();
}
