import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { chartOf, departmentsOf, rolesOf } from '#modules/identity/server/index.ts';
import { problemsOf } from '../../contract/check.ts';
import type { Definition } from '../../contract/flow.ts';
import { type FlowInput, FlowRow, type FlowView } from '../../contract/flows.ts';
import { kindOf, titleOf } from '../kinds.ts';
import { kindViews, surroundings } from './around.ts';
import { compare } from './compare.ts';

const RESOURCE = 'approval.flow';

interface Filter {
  docType?: readonly string[] | undefined;
  state?: readonly string[] | undefined;
  keyword?: string | undefined;
}

function selected(ctx: Ctx, { docType, state, keyword }: Filter, id?: string) {
  let query = ctx.db
    .selectFrom('approval.flow as f')
    .leftJoin('approval.flow_version as v', (join) =>
      join
        .onRef('v.company_id', '=', 'f.company_id')
        .onRef('v.flow_id', '=', 'f.id')
        .onRef('v.no', '=', 'f.published_no'),
    )
    .where('f.company_id', '=', ctx.companyId)
    .select([
      'f.id',
      'f.name',
      'f.doc_type',
      'f.published_no',
      'f.scope',
      'f.scope_ids',
      'f.priority',
      'f.state',
      'f.updated_by_name',
      'f.updated_at',
      'f.version',
      sql<boolean>`v.definition IS DISTINCT FROM f.draft`.as('changed'),
      sql<number>`(SELECT count(*)::int FROM approval.instance AS i WHERE i.company_id = f.company_id
        AND i.flow_id = f.id AND i.state IN ('running', 'suspended'))`.as('running'),
    ]);
  if (id !== undefined) query = query.where('f.id', '=', id);
  if (docType?.length) query = query.where('f.doc_type', 'in', docType);
  if (state?.length) query = query.where('f.state', 'in', state);
  if (keyword) query = query.where('f.name', 'ilike', containing(keyword));
  return query;
}

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

/** Names of departments, stores and warehouses that scopes can name, by id. */
async function scopeNames(ctx: Ctx): Promise<Map<string, string>> {
  const names = new Map((await departmentsOf(ctx)).map(({ id, name }) => [id, name]));
  for (const { fields } of await kindViews(ctx)) {
    for (const { options } of fields) for (const { value, title } of options) names.set(value, title);
  }
  return names;
}

function rowOf(ctx: Ctx, row: Row, names: ReadonlyMap<string, string>): FlowRow {
  return {
    id: row.id,
    name: row.name,
    docType: row.doc_type,
    docTitle: titleOf(ctx.runtime, row.doc_type),
    no: row.published_no,
    scope: row.scope as FlowRow['scope'],
    scopeNames: row.scope_ids.map((id) => names.get(id) ?? '已删除').join('、'),
    priority: row.priority,
    state: row.state as FlowRow['state'],
    running: row.running,
    changed: row.changed,
    updatedByName: row.updated_by_name,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

export async function listFlowRows(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<FlowRow>> {
  const names = await scopeNames(ctx);
  return page<Row, FlowRow>(ctx, request, {
    row: FlowRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: { name: 'name', priority: 'priority', updatedAt: 'updated_at', no: 'published_no' },
    order: [
      ['doc_type', 'asc'],
      ['priority', 'desc'],
    ],
    key: 'f.id',
    map: (row) => rowOf(ctx, row, names),
  });
}

/** @throws notFound */
export async function flowView(ctx: Ctx, id: string): Promise<FlowView> {
  const row = await selected(ctx, {}, id).select('f.draft').executeTakeFirst();
  if (!row) throw notFound();
  const definition = row.draft as unknown as Definition;
  const versions = await ctx.db
    .selectFrom('approval.flow_version')
    .select(['no', 'note', 'published_at as publishedAt', 'published_by_name as publishedByName'])
    .where('company_id', '=', ctx.companyId)
    .where('flow_id', '=', id)
    .orderBy('no', 'desc')
    .execute();
  return {
    ...rowOf(ctx, row, await scopeNames(ctx)),
    scopeIds: row.scope_ids,
    definition,
    versions,
    problems: problemsOf(definition, await surroundings(ctx, row.doc_type)),
  };
}

async function locked(ctx: Ctx, id: string, version?: number) {
  const row = await ctx.db
    .selectFrom('approval.flow')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  if (version !== undefined && version !== row.version) throw conflict();
  return row;
}

async function requireName(ctx: Ctx, docType: string, name: string, except?: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('approval.flow')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('doc_type', '=', docType)
    .where('name', '=', name)
    .executeTakeFirst();
  if (row && row.id !== except) throw refused(`流程名称「${name}」已存在`, 'B0863');
}

function saved(id: string, version: number, message: string) {
  return { id, version, message };
}

/** Writes a flow's draft; what is published stays as it is. @throws conflict for a stale version */
export async function putFlow(ctx: Ctx, input: FlowInput) {
  kindOf(ctx.runtime, input.docType);
  if (input.scope !== 'company' && input.scopeIds.length === 0) throw refused('请选择适用范围', 'B0864');
  await requireName(ctx, input.docType, input.name, input.id);
  const values = {
    name: input.name,
    scope: input.scope,
    scope_ids: input.scope === 'company' ? [] : input.scopeIds,
    priority: input.priority,
    draft: JSON.stringify(input.definition),
    updated_at: ctx.runtime.clock.now().toISOString(),
    updated_by_name: ctx.userName,
  };
  if (input.id === undefined) {
    const row = await ctx.db
      .insertInto('approval.flow')
      .values({ company_id: ctx.companyId, doc_type: input.docType, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新建流程', resource: RESOURCE, resourceId: row.id, after: { name: input.name } });
    return saved(row.id, 0, '流程已保存');
  }
  const before = await locked(ctx, input.id, input.version);
  if (before.doc_type !== input.docType) throw refused('不能修改流程的单据类型', 'B0865');
  await ctx.db
    .updateTable('approval.flow')
    .set({ ...values, version: before.version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .execute();
  await audit(ctx, {
    action: '修改流程',
    resource: RESOURCE,
    resourceId: input.id,
    before: { name: before.name, scope: before.scope, priority: before.priority },
    after: { name: input.name, scope: input.scope, priority: input.priority },
  });
  return saved(input.id, before.version + 1, '流程已保存');
}

/** A second flow like this one, as a draft. */
export async function duplicateFlow(ctx: Ctx, id: string) {
  const { name, doc_type: docType, scope, scope_ids: scopeIds, priority, draft } = await locked(ctx, id);
  const definition = draft as unknown as Definition;
  for (let n = 1; n <= 50; n += 1) {
    const copy = `${name.slice(0, 40)} 副本${n === 1 ? '' : n}`;
    const taken = await ctx.db
      .selectFrom('approval.flow')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .where('doc_type', '=', docType)
      .where('name', '=', copy)
      .executeTakeFirst();
    if (!taken)
      return putFlow(ctx, { name: copy, docType, scope: scope as FlowInput['scope'], scopeIds, priority, definition });
  }
  throw refused('副本过多，请先整理', 'B0863');
}

/** @throws refused B0866 for one that was published: approvals refer to it */
export async function deleteFlow(ctx: Ctx, id: string): Promise<null> {
  const row = await locked(ctx, id);
  if (row.published_no !== null) throw refused('流程已发布过，只能停用', 'B0866');
  await ctx.db.deleteFrom('approval.flow').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, { action: '删除流程', resource: RESOURCE, resourceId: id, before: { name: row.name } });
  return null;
}

/** Makes the draft the version that new submissions take; approvals under way keep theirs. @throws refused with the first problem */
export async function publish(ctx: Ctx, id: string, version: number, note: string) {
  const row = await locked(ctx, id, version);
  const definition = row.draft as unknown as Definition;
  const problems = problemsOf(definition, await surroundings(ctx, row.doc_type));
  if (problems[0]) throw refused(problems[0].text, 'B0867', { problems });
  const { no } = await ctx.db
    .insertInto('approval.flow_version')
    .values({
      company_id: ctx.companyId,
      flow_id: id,
      no: sql<number>`(SELECT coalesce(max(no), 0) + 1 FROM approval.flow_version WHERE company_id = ${ctx.companyId} AND flow_id = ${id})`,
      definition: JSON.stringify(definition),
      note,
      published_by_name: ctx.userName,
    })
    .returning('no')
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('approval.flow')
    .set({
      state: 'published',
      published_no: no,
      version: row.version + 1,
      updated_at: ctx.runtime.clock.now().toISOString(),
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '发布流程', resource: RESOURCE, resourceId: id, after: { name: row.name, no, note } });
  return saved(id, row.version + 1, `流程「${row.name}」第${no}版已发布`);
}

/** Takes no new documents any more; approvals under way go on. */
export async function disable(ctx: Ctx, id: string) {
  const row = await locked(ctx, id);
  if (row.state !== 'published') throw refused('只有已发布的流程可以停用', 'B0868');
  await ctx.db
    .updateTable('approval.flow')
    .set({
      state: 'disabled',
      version: row.version + 1,
      updated_at: ctx.runtime.clock.now().toISOString(),
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '停用流程', resource: RESOURCE, resourceId: id, before: { name: row.name } });
  return saved(id, row.version + 1, `流程「${row.name}」已停用`);
}

async function versionOf(ctx: Ctx, id: string, no: number): Promise<Definition> {
  const { rows } = await sql<{ definition: Definition }>`
    SELECT draft AS definition FROM approval.flow WHERE ${no} = 0 AND company_id = ${ctx.companyId} AND id = ${id}
     UNION ALL
    SELECT definition FROM approval.flow_version WHERE company_id = ${ctx.companyId} AND flow_id = ${id} AND no = ${no}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw notFound();
  return rows[0].definition;
}

/** Names of all whom and what a definition can name, those who left as well. */
async function everyName(ctx: Ctx): Promise<Map<string, string>> {
  const { members, departments } = await chartOf(ctx);
  const named = [...members, ...departments].map(([id, { name }]): [string, string] => [id, name]);
  return new Map([...named, ...(await rolesOf(ctx)).map(({ id, name }): [string, string] => [id, name])]);
}

/** Two versions of a flow, what differs in words, and what to mark in their pictures; 0 is the draft. */
export async function diff(ctx: Ctx, id: string, before: number, after: number) {
  const flow = await ctx.db
    .selectFrom('approval.flow')
    .select('doc_type')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!flow) throw notFound();
  const a = await versionOf(ctx, id, before);
  const b = await versionOf(ctx, id, after);
  const kind = (await kindViews(ctx)).find(({ docType }) => docType === flow.doc_type);
  return { a, b, ...compare(a, b, { names: await everyName(ctx), kind }) };
}
