import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import type { DeskFilter } from '../../contract/desk.ts';
import { DeskRow, type Tab } from '../../contract/instance.ts';
import { baseOf } from '../engine/rates.ts';
import { kindsOf } from '../kinds.ts';
import { settings } from '../setting.ts';

/** What a tab of the desk is about: open tasks, tasks that were decided, own documents, copies. */
function sourceOf(ctx: Ctx, tab: Tab) {
  const me = ctx.userId ?? '';
  switch (tab) {
    case 'todo':
      return sql`SELECT t.id, t.instance_id, t.begun_at AS since, t.due_at, t.principal_name, t.node_name AS node
        FROM approval.task AS t WHERE t.company_id = ${ctx.companyId} AND t.assignee_id = ${me} AND t.state = 'pending'`;
    case 'done':
      return sql`SELECT DISTINCT ON (t.instance_id) t.id, t.instance_id, t.acted_at AS since, NULL::timestamptz AS due_at,
               t.principal_name, t.node_name AS node
        FROM approval.task AS t WHERE t.company_id = ${ctx.companyId} AND t.assignee_id = ${me}
         AND t.state IN ('approved', 'auto', 'rejected', 'returned', 'transferred')
       ORDER BY t.instance_id, t.acted_at DESC`;
    case 'mine':
      return sql`SELECT i.id, i.id AS instance_id, i.entered_at AS since, NULL::timestamptz AS due_at,
               NULL::text AS principal_name, i.current_nodes AS node
        FROM approval.instance AS i WHERE i.company_id = ${ctx.companyId} AND i.initiator_id = ${me}`;
    case 'copied':
      return sql`SELECT c.instance_id AS id, c.instance_id, c.at AS since, NULL::timestamptz AS due_at,
               NULL::text AS principal_name, c.node_name AS node
        FROM approval.copy AS c WHERE c.company_id = ${ctx.companyId} AND c.user_id = ${me}`;
  }
}

interface Row {
  id: string;
  instance_id: string;
  doc_type: string;
  doc_id: string;
  number: string;
  summary: string;
  amount: string | null;
  currency: string | null;
  amount_base: string | null;
  place: string;
  initiator_name: string;
  submitted_at: string;
  node: string;
  since: string | null;
  due_at: string | null;
  principal_name: string | null;
  state: DeskRow['state'];
}

function selected(ctx: Ctx, tab: Tab, filter: DeskFilter) {
  const { docType, state, keyword, initiator, submitted } = filter;
  const day = sql<string>`kit.day(i.submitted_at)`;
  let query = ctx.db
    .selectFrom(
      sql<Pick<Row, 'id' | 'instance_id' | 'since' | 'due_at' | 'principal_name' | 'node'>>`(${sourceOf(ctx, tab)})`.as(
        'd',
      ),
    )
    .innerJoin('approval.instance as i', (join) =>
      join.onRef('i.id', '=', 'd.instance_id').on('i.company_id', '=', ctx.companyId),
    )
    .select([
      'd.id',
      'd.instance_id',
      'd.since',
      'd.due_at',
      'd.principal_name',
      'd.node',
      'i.doc_type',
      'i.doc_id',
      'i.number',
      'i.summary',
      'i.amount',
      'i.currency',
      'i.amount_base',
      'i.place',
      'i.initiator_name',
      'i.submitted_at',
      'i.state',
    ]);
  if (docType?.length) query = query.where('i.doc_type', 'in', docType);
  if (state?.length) query = query.where('i.state', 'in', state);
  if (keyword)
    query = query.where((eb) =>
      eb.or([eb('i.number', 'ilike', containing(keyword)), eb('i.summary', 'ilike', containing(keyword))]),
    );
  if (initiator) query = query.where('i.initiator_name', 'ilike', containing(initiator));
  if (submitted?.from) query = query.where(day, '>=', submitted.from);
  if (submitted?.to) query = query.where(day, '<=', submitted.to);
  return query;
}

/** Rows of the desk: all of them are the caller's own matters. */
export async function deskRows(ctx: Ctx, request: PageRequest<DeskFilter>): Promise<PageOf<DeskRow>> {
  const tab = request.filter.tab ?? 'todo';
  const kinds = new Map(kindsOf(ctx.runtime).map((kind) => [kind.def.name, kind]));
  const batch = new Map((await settings(ctx)).map((setting) => [setting.docType, setting.batch]));
  const base = await baseOf(ctx);
  const map = (row: Row): DeskRow => {
    const kind = kinds.get(row.doc_type);
    // Whoever is asked to decide sees the amount; others only with the right to.
    const hidden = tab !== 'todo' && kind?.amountPermission !== undefined && !can(ctx, kind.amountPermission);
    return {
      id: row.id,
      instanceId: row.instance_id,
      docType: row.doc_type,
      docId: row.doc_id,
      number: row.number,
      docTitle: kind?.def.title ?? row.doc_type,
      summary: row.summary,
      amount: hidden ? null : row.amount,
      currency: row.currency,
      amountBase: hidden ? null : row.amount_base,
      base,
      place: row.place,
      initiatorName: row.initiator_name,
      submittedAt: row.submitted_at,
      node: row.node,
      since: row.since,
      dueAt: row.due_at,
      principalName: row.principal_name,
      state: row.state,
      batch: tab === 'todo' && (batch.get(row.doc_type) ?? false),
    };
  };
  const def: ListDef<Row, DeskRow> = {
    row: DeskRow,
    query: listQuery(selected(ctx, tab, request.filter)),
    sort: {
      number: 'number',
      submittedAt: 'submitted_at',
      since: 'since',
      dueAt: 'due_at',
      initiatorName: 'initiator_name',
      amountBase: 'amount_base',
    },
    order:
      tab === 'todo'
        ? [
            ['due_at', 'asc'],
            ['d.id', 'asc'],
          ]
        : [['since', 'desc']],
    key: 'd.id',
    map,
    countLimit: 999,
  };
  return page(ctx, request, def);
}

const MANY = 1000;

/** How much there is: for the caller to decide, decided, of his own under way, told to him and not read. */
export async function deskCounts(ctx: Ctx): Promise<{ todo: number; done: number; mine: number; copied: number }> {
  const me = ctx.userId ?? '00000000-0000-0000-0000-000000000000';
  const { rows } = await sql<{ todo: number; done: number; mine: number; copied: number }>`
    SELECT (SELECT count(*)::int FROM (SELECT FROM approval.task WHERE company_id = ${ctx.companyId}
              AND assignee_id = ${me} AND state = 'pending' LIMIT ${MANY}) AS a) AS todo,
           (SELECT count(*)::int FROM (SELECT DISTINCT instance_id FROM approval.task WHERE company_id = ${ctx.companyId}
              AND assignee_id = ${me} AND acted_at IS NOT NULL LIMIT ${MANY}) AS d) AS done,
           (SELECT count(*)::int FROM (SELECT FROM approval.instance WHERE company_id = ${ctx.companyId}
              AND initiator_id = ${me} AND state IN ('running', 'suspended') LIMIT ${MANY}) AS b) AS mine,
           (SELECT count(*)::int FROM (SELECT FROM approval.copy WHERE company_id = ${ctx.companyId}
              AND user_id = ${me} AND read_at IS NULL LIMIT ${MANY}) AS c) AS copied`.execute(ctx.db);
  return rows[0] ?? { todo: 0, done: 0, mine: 0, copied: 0 };
}
