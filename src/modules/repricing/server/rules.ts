import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { cutAs, listQuery, page, type Query } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { offerStandsSelect } from '#modules/listing/server/index.ts';
import { type RuleDetail, type RuleFilter, RuleRow, type RuleStatus, type saveRule } from '../contract/rules.ts';
import { RuleSettings } from '../contract/settings.ts';
import { decideSoon } from './job.ts';

/** A rule is on trial for so long before it may send. */
export const TRIAL_HOURS = 24;

function selected(ctx: Ctx, { status, keyword }: RuleFilter) {
  let query = ctx.db.selectFrom('repricing.rule as r').where('r.company_id', '=', ctx.companyId);
  if (status?.length) query = query.where('r.status', 'in', status);
  else query = query.where('r.status', '<>', 'ARCHIVED');
  if (keyword) query = query.where('r.name', 'ilike', containing(keyword));
  return query;
}

interface DbRow {
  id: string;
  name: string;
  strategy: RuleRow['strategy'];
  status: RuleStatus;
  shadow_since: string | null;
  updated_at: string;
  updated_by_name: string;
  version: number;
  listings: number;
  paused: number;
  changes: number;
  floored: number;
  featured: string | null;
}

type Rows = Query<DbRow>;

/**
 * What rules have under them and did in the last day, a row for each rule: all of them are put together at once, for each by
 * itself the listings of the whole company would be read again.
 */
const listingsOf = (ctx: Ctx) => sql<{ rule_id: string; listings: number; paused: number; featured: string | null }>`
  (SELECT b.rule_id, count(*)::int AS listings, (count(b.pause_code))::int AS paused,
          round((count(*) FILTER (WHERE s.own_featured))::numeric / nullif(count(s.asin), 0), 4)::text AS featured
     FROM repricing.binding AS b
     LEFT JOIN listing.product AS p ON p.company_id = b.company_id AND p.listing_id = b.listing_id
     LEFT JOIN (${offerStandsSelect(ctx)}) AS s ON s.account_id = p.account_id
      AND s.marketplace_id = p.marketplace_id AND s.asin = p.asin
    WHERE b.company_id = ${ctx.companyId} GROUP BY b.rule_id)`;
const dayOf = (ctx: Ctx) => sql<{ rule_id: string; changes: number; floored: number }>`
  (SELECT u.rule_id, (count(*) FILTER (WHERE u.outcome IN ('sent', 'would')))::int AS changes,
          (count(*) FILTER (WHERE u.at_floor AND u.outcome IN ('sent', 'would')))::int AS floored
     FROM repricing.run AS u
    WHERE u.company_id = ${ctx.companyId} AND u.at > kit.now() - interval '1 day' GROUP BY u.rule_id)`;

/** The rules of a page with their figures. */
function around(ctx: Ctx, rows: Rows): Rows {
  const listed = cutAs(ctx, rows, 'r')
    .leftJoin(listingsOf(ctx).as('l'), (join) => join.onRef('l.rule_id', '=', 'r.id'))
    .leftJoin(dayOf(ctx).as('d'), (join) => join.onRef('d.rule_id', '=', 'r.id'))
    .selectAll('r')
    .select([
      sql<number>`coalesce(l.listings, 0)`.as('listings'),
      sql<number>`coalesce(l.paused, 0)`.as('paused'),
      'l.featured',
      sql<number>`coalesce(d.changes, 0)`.as('changes'),
      sql<number>`coalesce(d.floored, 0)`.as('floored'),
    ]);
  return listQuery(listed);
}

const shown = (ctx: Ctx, filter: RuleFilter) =>
  selected(ctx, filter).selectAll('r').select(sql<string>`r.settings ->> 'strategy'`.as('strategy'));

/** Rules with how they went; archived ones only where they are asked for. */
export function rulePage(ctx: Ctx, request: PageRequest<RuleFilter>): Promise<PageOf<RuleRow>> {
  return page<DbRow, RuleRow>(ctx, request, {
    row: RuleRow,
    query: listQuery(shown(ctx, request.filter)),
    around: (rows) => around(ctx, rows),
    sort: { name: 'r.name', status: 'r.status', updatedAt: 'r.updated_at' },
    order: [['r.updated_at', 'desc']],
    key: 'r.id',
    map: ({ shadow_since, updated_at, updated_by_name, ...row }) => ({
      id: row.id,
      name: row.name,
      strategy: row.strategy,
      status: row.status,
      listings: row.listings,
      paused: row.paused,
      changes: row.changes,
      floored: row.floored,
      featured: row.featured,
      shadowSince: shadow_since,
      updatedBy: updated_by_name,
      updatedAt: updated_at,
      version: row.version,
    }),
  });
}

/** How many rules are in each mode; "all" is those that are not archived. */
export async function ruleCounts(ctx: Ctx, { status: _, ...others }: RuleFilter): Promise<Record<string, number>> {
  const all: RuleStatus[] = ['DRAFT', 'SHADOW', 'ACTIVE', 'PAUSED', 'ARCHIVED'];
  const counts = await countsBy(selected(ctx, { ...others, status: all }), 'r.status');
  return { ...counts, all: (counts.all ?? 0) - (counts.ARCHIVED ?? 0) };
}

/** One rule with all of its settings. @throws 404 */
export async function ruleDetail(ctx: Ctx, id: string): Promise<RuleDetail> {
  const row = await ctx.db
    .selectFrom('repricing.rule')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('规则不存在或已删除');
  const { name, status, shadow_since: shadowSince, version } = row;
  return { ...RuleSettings.parse(row.settings), id, name, status: status as RuleStatus, shadowSince, version };
}

async function requireFreeName(ctx: Ctx, name: string, id: string | undefined): Promise<void> {
  const taken = await ctx.db
    .selectFrom('repricing.rule')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', name)
    .where('status', '<>', 'ARCHIVED')
    .executeTakeFirst();
  if (taken && taken.id !== id) throw refused(`名称：已有规则「${name}」`, 'B0940');
}

/** A rule with its row locked, as the caller saw it last. @throws 404; 409 where it has changed since */
export async function lockRule(ctx: Ctx, id: string, version?: number) {
  const row = await ctx.db
    .selectFrom('repricing.rule')
    .select(['name', 'status', 'settings', 'version', 'shadow_since'])
    .select(sql<boolean>`shadow_since <= kit.now() - make_interval(hours => ${TRIAL_HOURS})`.as('tried'))
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('规则不存在或已删除');
  if (version !== undefined && row.version !== version) throw conflict();
  return row;
}

/** Makes or changes a rule. @throws 404; 409 for an old version or an archived one; B0940 for a name that is taken */
export async function save(ctx: Ctx, body: z.output<typeof saveRule.body>): Promise<{ id: string; version: number }> {
  const { id, version, name, ...settings } = body;
  await requireFreeName(ctx, name, id);
  if (id === undefined) {
    const made = await ctx.db
      .insertInto('repricing.rule')
      .values({
        company_id: ctx.companyId,
        name,
        settings: JSON.stringify(settings),
        updated_by_name: ctx.userName,
      })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新建智能调价规则', resource: 'repricing.rule', resourceId: made.id, after: body });
    return made;
  }
  const old = await lockRule(ctx, id, version);
  if (old.status === 'ARCHIVED') throw conflict('规则已归档，不能修改');
  const next = await write(ctx, id, { name, settings: JSON.stringify(settings) });
  const before = { ...(old.settings as object), name: old.name };
  await audit(ctx, {
    action: '修改智能调价规则',
    resource: 'repricing.rule',
    resourceId: id,
    before,
    after: { ...settings, name },
  });
  if (['SHADOW', 'ACTIVE'].includes(old.status)) await decideRule(ctx, id);
  return { id, version: next };
}

async function write(ctx: Ctx, id: string, change: Record<string, unknown>): Promise<number> {
  const { version } = await ctx.db
    .updateTable('repricing.rule')
    .set({ ...change, updated_by_name: ctx.userName, updated_at: sql`kit.now()`, version: sql`version + 1` } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

async function decideRule(ctx: Ctx, ruleId: string): Promise<void> {
  const rows = await ctx.db
    .selectFrom('repricing.binding')
    .select(['id', 'listing_id as listingId'])
    .where('company_id', '=', ctx.companyId)
    .where('rule_id', '=', ruleId)
    .where('pause_code', 'is', null)
    .execute();
  await decideSoon(ctx, rows, 0);
}

type Step = 'shadow' | 'activate' | 'pause' | 'archive';

const STEPS: Readonly<Record<Step, { from: readonly RuleStatus[]; to: RuleStatus; title: string }>> = {
  shadow: { from: ['DRAFT', 'ACTIVE', 'PAUSED'], to: 'SHADOW', title: '试运行智能调价规则' },
  activate: { from: ['SHADOW', 'PAUSED'], to: 'ACTIVE', title: '启用智能调价规则' },
  pause: { from: ['SHADOW', 'ACTIVE'], to: 'PAUSED', title: '停用智能调价规则' },
  archive: { from: ['DRAFT', 'SHADOW', 'ACTIVE', 'PAUSED'], to: 'ARCHIVED', title: '归档智能调价规则' },
};

/**
 * Takes a rule from one mode to the next. @throws 404; 409 for an old version or a mode that it does not follow; B0941 for a
 * rule without listings, B0942 for one that has not been on trial for a day
 */
export async function moveRule(
  ctx: Ctx,
  { id, version }: { id: string; version: number },
  by: Step,
): Promise<{ status: RuleStatus; version: number }> {
  const { from, to, title } = STEPS[by];
  const old = await lockRule(ctx, id, version);
  if (!from.includes(old.status as RuleStatus)) throw conflict('规则的模式已改变，请刷新后重试');
  if (by === 'activate' && !old.tried) throw refused(`须先试运行满 ${TRIAL_HOURS} 小时才能启用`, 'B0942');
  if (by === 'shadow' || by === 'activate') await requireListings(ctx, id);
  const change = {
    status: to,
    ...(by === 'shadow' ? { shadow_since: sql`kit.now()` } : {}),
  };
  const next = await write(ctx, id, change);
  if (by === 'archive') {
    await ctx.db
      .deleteFrom('repricing.binding')
      .where('company_id', '=', ctx.companyId)
      .where('rule_id', '=', id)
      .execute();
  }
  await audit(ctx, {
    action: title,
    resource: 'repricing.rule',
    resourceId: id,
    before: { status: old.status },
    after: { status: to },
  });
  if (by === 'shadow' || by === 'activate') await decideRule(ctx, id);
  return { status: to, version: next };
}

async function requireListings(ctx: Ctx, ruleId: string): Promise<void> {
  const any = await ctx.db
    .selectFrom('repricing.binding')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('rule_id', '=', ruleId)
    .limit(1)
    .executeTakeFirst();
  if (!any) throw refused('请先绑定商品', 'B0941');
}
