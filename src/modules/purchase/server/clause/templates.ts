import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { type ListDef, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { asksFor, type ClauseForm, ClauseRow, ClauseText, clausesIn, MAX_CLAUSES } from '../../contract/clause.ts';
import { OrderType } from '../../contract/fields.ts';

const RESOURCE = 'purchase.clause';
const TYPES = OrderType.meta()?.states ?? {};

type DbRow = Omit<ClauseRow, 'defaults' | 'clauses'>;

function selected(ctx: Ctx, name: string | undefined) {
  const query = ctx.db
    .selectFrom('purchase.clause_template as t')
    .select(['t.id', 't.name', 't.body', 't.penalty', 't.version'])
    .select(['t.updated_by_name as updatedBy', 't.updated_at as updatedAt'])
    .select(
      sql<OrderType[]>`ARRAY(SELECT d.order_type FROM purchase.clause_default AS d
        WHERE d.company_id = t.company_id AND d.template_id = t.id ORDER BY d.order_type)`.as('defaultFor'),
    )
    .where('t.company_id', '=', ctx.companyId);
  return name ? query.where('t.name', 'ilike', containing(name)) : query;
}

const toRow = (row: DbRow): ClauseRow => ({
  ...row,
  defaults: row.defaultFor.map((type) => TYPES[type]?.title ?? type).join('、'),
  clauses: clausesIn(row.body).length,
});

/** One page of templates by name. */
export function clausePage(ctx: Ctx, request: PageRequest<{ name?: string | undefined }>): Promise<PageOf<ClauseRow>> {
  return page<DbRow, ClauseRow>(ctx, request, {
    row: ClauseRow,
    query: selected(ctx, request.filter.name) as unknown as ListDef<DbRow, ClauseRow>['query'],
    sort: { name: 't.name', updatedAt: 't.updated_at' },
    order: [['t.name', 'asc']],
    key: 't.id',
    map: toRow,
  });
}

/** All templates by name, with their clauses and the types that begin with them. */
export async function clauseChoices(ctx: Ctx) {
  const rows = await selected(ctx, undefined).orderBy('t.name').limit(500).execute();
  return rows.map(({ id, name, penalty, body, defaultFor }) => ({
    id,
    name,
    penalty,
    lines: clausesIn(body),
    defaultFor,
  }));
}

/** The template that orders of a type begin with; undefined: none. */
export async function defaultTemplate(ctx: Ctx, type: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('purchase.clause_default')
    .select('template_id')
    .where('company_id', '=', ctx.companyId)
    .where('order_type', '=', type)
    .executeTakeFirst();
  return row?.template_id;
}

/** A template as it is now; undefined for one that is gone. Its penalty is a share. */
export function templateOf(
  ctx: Ctx,
  id: string,
): Promise<{ name: string; body: string; penalty: string | null } | undefined> {
  return ctx.db
    .selectFrom('purchase.clause_template')
    .select(['name', 'body', 'penalty'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
}

async function locked(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('purchase.clause_template')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('合同条款模板不存在或已删除');
  return row;
}

/** @throws refused B1123 for too many clauses, one that is too long, or a penalty that is asked for and not given */
function requireWhole(input: ClauseForm): void {
  const lines = clausesIn(input.body);
  if (lines.length > MAX_CLAUSES) throw refused(`合同条款不能超过${MAX_CLAUSES}条`, 'B1123');
  const long = lines.findIndex((line) => !ClauseText.safeParse(line).success);
  if (long >= 0) throw refused(`第${long + 1}条条款不能超过1000个字符`, 'B1123');
  requirePenalty(lines, input.penalty);
}

/** @throws refused B1123 where a clause asks for a penalty that nobody gave */
export function requirePenalty(lines: readonly string[], penalty: string | null): void {
  if (penalty === null && lines.some((line) => asksFor(line, '违约金比例'))) {
    throw refused('条款使用了占位符「违约金比例」，请填写违约金比例', 'B1123');
  }
}

/** The template is the one that these types of orders begin with, and of no others. */
async function putDefaults(ctx: Ctx, id: string, types: readonly OrderType[]): Promise<void> {
  await sql`
    DELETE FROM purchase.clause_default
     WHERE company_id = ${ctx.companyId} AND template_id = ${id} AND order_type <> ALL (${[...types]}::text[])`.execute(
    ctx.db,
  );
  await sql`
    INSERT INTO purchase.clause_default (company_id, order_type, template_id)
    SELECT ${ctx.companyId}, type, ${id} FROM unnest(${[...new Set(types)].sort()}::text[]) AS type
        ON CONFLICT (company_id, order_type) DO UPDATE SET template_id = excluded.template_id`.execute(ctx.db);
}

/**
 * Writes a template; orders that took its text before keep theirs.
 * @throws refused B1120 a name that another one has, B1123 clauses that cannot be used; conflict for a stale version
 */
export async function saveTemplate(
  ctx: Ctx,
  input: ClauseForm & { id?: string | undefined; version?: number | undefined },
): Promise<{ id: string }> {
  requireWhole(input);
  const before = input.id ? await locked(ctx, input.id) : undefined;
  if (before && input.version !== undefined && input.version !== before.version) {
    throw conflict(`单据已被 ${before.updated_by_name} 修改，请刷新后重试`);
  }
  const same = await ctx.db
    .selectFrom('purchase.clause_template')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where(sql<string>`lower(name)`, '=', input.name.toLowerCase())
    .executeTakeFirst();
  if (same && same.id !== before?.id) throw refused(`合同条款模板「${input.name}」已存在`, 'B1120');
  const values = { name: input.name, body: input.body, penalty: input.penalty, updated_by_name: ctx.userName };
  const id = before
    ? before.id
    : (
        await ctx.db
          .insertInto('purchase.clause_template')
          .values({ company_id: ctx.companyId, ...values })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
  if (before) {
    await ctx.db
      .updateTable('purchase.clause_template')
      .set({ ...values, version: before.version + 1, updated_at: sql<string>`kit.now()` })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
  }
  await putDefaults(ctx, id, input.defaultFor);
  const { name, body, penalty, defaultFor } = input;
  await audit(ctx, {
    action: before ? '修改合同条款模板' : '新增合同条款模板',
    resource: RESOURCE,
    resourceId: id,
    ...(before ? { before: { name: before.name, body: before.body, penalty: before.penalty } } : {}),
    after: { name, body, penalty, defaultFor },
  });
  return { id };
}

/** Deletes a template; orders keep what they took from it. @throws notFound */
export async function removeTemplate(ctx: Ctx, id: string): Promise<void> {
  const { name, body } = await locked(ctx, id);
  await ctx.db
    .deleteFrom('purchase.clause_template')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '删除合同条款模板', resource: RESOURCE, resourceId: id, before: { name, body } });
}
