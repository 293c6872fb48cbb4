import { type RawBuilder, sql } from 'kysely';
import type { DocumentDef } from '#kit/contract/document.ts';
import { flowGate } from './approval.ts';
import { auditRow } from './audit.ts';
import { type AuditEntry, type Ctx, can } from './context.ts';
import { conflict, forbidden, notFound, refused } from './errors.ts';

export interface DocumentRow {
  id: string;
  state: string;
  version: number;
}

/** Columns and what they are set to. */
type Stamp = Readonly<Record<string, RawBuilder<unknown>>>;

/** What a module adds to one transition. */
export interface TransitionRules<D> {
  /** A Chinese reason why it may not happen now, or nothing. */
  guard?: (ctx: Ctx, doc: D) => Promise<string | undefined>;
  /** Columns that the step's update sets besides the state; asked for after the guard. */
  stamp?: (ctx: Ctx, doc: D) => Promise<Stamp>;
  /** Effects, in the same transaction. */
  run?: (ctx: Ctx, doc: D, input: TransitionInput) => Promise<void>;
}

export interface TransitionInput {
  reason?: string | undefined;
  /** The version that the caller saw; a mismatch is a conflict. */
  version?: number | undefined;
}

export interface DocumentKind<D extends DocumentRow> {
  def: DocumentDef;
  /** Qualified table; it must have company_id, id, state, version. */
  table: string;
  /** Reads the document for the guards and effects, once it is locked. */
  load: (ctx: Ctx, id: string) => Promise<D | undefined>;
  rules?: Record<string, TransitionRules<D>>;
  /** The row as the caller locked it in this transaction: it is not locked a second time. */
  held?: DocumentRow;
  /** More columns that the step's update sets, e.g. who took it: a row is written once, not once for each of them. */
  stamp?: Stamp;
}

async function lock(ctx: Ctx, table: string, id: string): Promise<DocumentRow> {
  const { rows } = await sql<DocumentRow>`
    SELECT id, state, version FROM ${sql.table(table)}
     WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound();
  return row;
}

/** An entry of a document's timeline. */
export interface TimelineEntry {
  kind: 'transition' | 'comment' | 'note';
  title: string;
  body?: string | undefined;
  from?: string;
  to?: string;
}

function timelineRow(ctx: Ctx, documentType: string, documentId: string, entry: TimelineEntry) {
  return {
    company_id: ctx.companyId,
    document_type: documentType,
    document_id: documentId,
    kind: entry.kind,
    actor_id: ctx.userId,
    actor_name: ctx.userName,
    from_state: entry.from ?? null,
    to_state: entry.to ?? null,
    title: entry.title,
    body: entry.body ?? null,
  };
}

/** Adds an entry to a document's timeline. */
export async function note(ctx: Ctx, documentType: string, documentId: string, entry: TimelineEntry): Promise<void> {
  await ctx.db
    .insertInto('kit.timeline')
    .values(timelineRow(ctx, documentType, documentId, entry))
    .execute();
}

/** Adds an entry to a document's timeline and writes the audit row of the same change, in one statement. */
export async function noteAndAudit(
  ctx: Ctx,
  documentType: string,
  documentId: string,
  entry: TimelineEntry,
  audited: Omit<AuditEntry, 'resource' | 'resourceId'>,
): Promise<void> {
  const row = timelineRow(ctx, documentType, documentId, entry);
  await ctx.db
    .with('noted', (db) => db.insertInto('kit.timeline').values(row))
    .insertInto('kit.audit')
    .values(auditRow(ctx, { ...audited, resource: documentType, resourceId: documentId }))
    .execute();
}

/**
 * Takes a transition: locks the document row, checks state, version, permission and guard, runs the effects, writes
 * the new state, the timeline and the audit row. All of it is one transaction, the caller's. Where the company has such
 * documents approved by a flow, handing one in begins it, and the steps that are the flow's are refused.
 * @returns the state in the end: a flow that asks nobody has approved the document already
 */
export async function transition<D extends DocumentRow>(
  ctx: Ctx,
  kind: DocumentKind<D>,
  id: string,
  name: string,
  input: TransitionInput = {},
): Promise<string> {
  const rule = kind.def.transitions[name];
  if (!rule) throw refused('不支持的操作', 'B0010');
  const gate = flowGate(ctx, kind.def);
  if (!can(ctx, rule.permission)) throw forbidden(rule.permission);
  const locked = kind.held ?? (await lock(ctx, kind.table, id));
  if (input.version !== undefined && input.version !== locked.version) throw conflict('单据状态已变更，请刷新');
  if (!rule.from.includes(locked.state)) {
    const title = kind.def.states[locked.state]?.title ?? locked.state;
    throw conflict(`单据当前为「${title}」，不能${rule.title}`);
  }
  await gate?.before(ctx, kind.def, id, name);
  if (rule.reason && !input.reason?.trim()) throw refused('请填写原因', 'B0011');
  const doc = await kind.load(ctx, id);
  if (!doc) throw notFound();
  const extra = kind.rules?.[name];
  const obstacle = await extra?.guard?.(ctx, doc);
  if (obstacle) throw refused(obstacle, 'B0012');
  const stamped = { ...kind.stamp, ...(await extra?.stamp?.(ctx, doc)) };
  const stamps = Object.entries(stamped).map(([column, value]) => sql`, ${sql.ref(column)} = ${value}`);
  await sql`
    UPDATE ${sql.table(kind.table)} SET state = ${rule.to}, version = version + 1${sql.join(stamps, sql``)}
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await extra?.run?.(ctx, doc, input);
  await noteAndAudit(
    ctx,
    kind.def.name,
    id,
    { kind: 'transition', title: rule.title, body: input.reason, from: locked.state, to: rule.to },
    {
      action: `${kind.def.title}·${rule.title}`,
      before: { state: locked.state },
      after: { state: rule.to, ...(input.reason ? { reason: input.reason } : {}) },
    },
  );
  // A flow that began or ended has perhaps moved the document on already.
  const moved = await gate?.after(ctx, kind.def, id, name, input.reason);
  return moved ? (await lock(ctx, kind.table, id)).state : rule.to;
}

/** The timeline of a document, newest first. */
export async function timelineOf(ctx: Ctx, documentType: string, documentId: string) {
  return ctx.db
    .selectFrom('kit.timeline')
    .select(['id', 'at', 'kind', 'actor_name as actorName', 'from_state as from', 'to_state as to', 'title', 'body'])
    .where('company_id', '=', ctx.companyId)
    .where('document_type', '=', documentType)
    .where('document_id', '=', documentId)
    .orderBy('id', 'desc')
    .execute();
}
