import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { OWNER_DIMENSION } from '../../../contract/roles.ts';
import { type SubUserFilter, SubUserRow } from '../../../contract/sub-users.ts';
import { dimensionsOf } from '../../data-scope.ts';
import { registered } from '../scopes.ts';

type DbRow = Omit<SubUserRow, 'storeScope' | 'warehouseScope' | 'ownerScope'>;

/** State of the member m of the company c: disabled by hand, past his last day, or neither. */
export const STATE = sql<'active' | 'expired' | 'disabled'>`
  CASE WHEN m.is_disabled THEN 'disabled'
       WHEN m.expire_date < (kit.now() AT TIME ZONE c.time_zone)::date THEN 'expired' ELSE 'active' END`;

function peopleOf(ctx: Ctx, filter: SubUserFilter) {
  let query = ctx.db
    .selectFrom('identity.member as m')
    .innerJoin('identity.company as c', 'c.company_id', 'm.company_id')
    .leftJoin('identity.department as d', (join) =>
      join.onRef('d.company_id', '=', 'm.company_id').onRef('d.id', '=', 'm.dept_id'),
    )
    .where('m.company_id', '=', ctx.companyId)
    .where('m.deleted_at', 'is', null);
  if (filter.state) query = query.where(STATE, '=', filter.state);
  if (filter.search) {
    const text = containing(filter.search);
    query = query.where((eb) => eb.or([eb('m.name', 'ilike', text), eb('m.account', 'ilike', text)]));
  }
  if (filter.deptIds?.length) query = query.where('m.dept_id', 'in', filter.deptIds);
  if (filter.roleIds?.length) {
    query = query.where(
      sql<boolean>`EXISTS (SELECT FROM identity.member_role mr WHERE mr.company_id = m.company_id
        AND mr.member_id = m.id AND mr.role_id = ANY(${filter.roleIds}::uuid[]))`,
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: SubUserFilter) {
  return peopleOf(ctx, filter)
    .select(['m.id', 'm.name', 'm.account', 'm.email', 'm.tel', 'm.remark', 'm.version', 'd.name as dept'])
    .select(['m.user_type as userType', 'm.created_at as createdAt', 'm.expire_date as expireDate'])
    .select([
      STATE.as('state'),
      sql<string>`CASE WHEN m.user_type = 'owner' THEN '主账号（全部权限）' ELSE coalesce((
        SELECT string_agg(r.name, '、' ORDER BY r.name) FROM identity.member_role mr
          JOIN identity.role r ON r.company_id = mr.company_id AND r.id = mr.role_id
         WHERE mr.company_id = m.company_id AND mr.member_id = m.id), '') END`.as('roles'),
      sql<boolean>`EXISTS (SELECT FROM identity.mfa f WHERE f.company_id = m.company_id AND f.member_id = m.id
        AND f.confirmed_at IS NOT NULL)`.as('mfa'),
      sql<string | null>`(SELECT max(l.at) FROM identity.login_log l
        WHERE l.account = m.account AND l.ok AND l.company_id = m.company_id)`.as('lastLoginAt'),
      sql<number>`(SELECT count(*) FROM identity.session s WHERE s.company_id = m.company_id AND s.member_id = m.id
        AND s.revoked_at IS NULL AND s.expires_at > kit.now() AND s.last_seen_at > kit.now() - interval '3 hours')`.as(
        'online',
      ),
    ]);
}

interface Reached {
  member: string;
  dimension: string;
  /** Modes of his roles on the dimension, and the ids that they name together. */
  modes: string[];
  ids: string[];
  own: string | null;
  own_ids: string[] | null;
}

/** What the roles of some members reach on each dimension, and what narrows each of them. */
async function reachedBy(ctx: Ctx, members: readonly string[]): Promise<Reached[]> {
  const { rows } = await sql<Reached>`
    SELECT m.id AS member, d.dimension, own.mode AS own, own.ids AS own_ids,
           coalesce((SELECT array_agg(DISTINCT s.mode) FROM identity.member_role mr
              JOIN identity.role_scope s ON s.company_id = mr.company_id AND s.role_id = mr.role_id
             WHERE mr.company_id = m.company_id AND mr.member_id = m.id AND s.dimension = d.dimension), '{}') AS modes,
           coalesce((SELECT array_agg(DISTINCT i.id) FROM identity.member_role mr
              JOIN identity.role_scope s ON s.company_id = mr.company_id AND s.role_id = mr.role_id
              CROSS JOIN unnest(s.ids) AS i(id)
             WHERE mr.company_id = m.company_id AND mr.member_id = m.id AND s.dimension = d.dimension
               AND s.mode = 'LIST'), '{}')::text[] AS ids
      FROM identity.member m
      CROSS JOIN unnest(${registered(ctx).map(({ name }) => name)}::text[]) AS d(dimension)
      LEFT JOIN identity.member_scope own
        ON own.company_id = m.company_id AND own.member_id = m.id AND own.dimension = d.dimension
     WHERE m.company_id = ${ctx.companyId} AND m.id = ANY(${members}::uuid[])`.execute(ctx.db);
  return rows;
}

const BY_PLACE: Record<string, string> = { SELF: '本人', DEPT: '本部门', DEPT_TREE: '本部门及下级' };

function textOf(reached: Reached, names: ReadonlyMap<string, string>): string {
  const narrow = reached.own !== null && reached.own !== 'ALL' ? new Set(reached.own_ids) : null;
  const wide = reached.modes.includes('ALL');
  const places = reached.modes.flatMap((mode) => BY_PLACE[mode] ?? []);
  const own = reached.own === null ? undefined : BY_PLACE[reached.own];
  if (own) return wide ? own : [...places, own].join(' ∩ ');
  if (wide && !narrow) return '全部';
  const ids = wide ? [...(narrow ?? [])] : reached.ids.filter((id) => narrow === null || narrow.has(id));
  const known = ids.flatMap((id) => names.get(id) ?? []);
  const shown = [...places, ...known.slice(0, 2)];
  const more = ids.length - Math.min(2, known.length);
  if (shown.length === 0) return ids.length > 0 ? `${ids.length} 个` : '无';
  return more > 0 ? `${shown.join('、')} 等 ${ids.length} 个` : shown.join('、');
}

/** Text of what each member reaches, by member and dimension: 「全部」, names, 「无」, or 「未启用」. */
export async function reachTexts(ctx: Ctx, members: readonly string[]): Promise<Map<string, Record<string, string>>> {
  const texts = new Map(members.map((id) => [id, {} as Record<string, string>]));
  if (members.length === 0) return texts;
  const [on, reached] = [await dimensionsOf(ctx), await reachedBy(ctx, members)];
  const names = new Map<string, string>();
  for (const dimension of registered(ctx).filter(({ name }) => on.includes(name))) {
    for (const option of await dimension.options(ctx)) names.set(option.id, option.title);
  }
  for (const row of reached) {
    const texts1 = texts.get(row.member);
    if (texts1) texts1[row.dimension] = on.includes(row.dimension) ? textOf(row, names) : '全部';
  }
  return texts;
}

async function withReach(ctx: Ctx, rows: readonly DbRow[]): Promise<SubUserRow[]> {
  const texts = await reachTexts(
    ctx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => {
    const text = (dimension: string) =>
      row.userType === 'owner' ? '全部' : (texts.get(row.id)?.[dimension] ?? '全部');
    return { ...row, storeScope: text('store'), warehouseScope: text('warehouse'), ownerScope: text(OWNER_DIMENSION) };
  });
}

/** One page of the company's people, owners included. */
export async function peoplePage(ctx: Ctx, request: PageRequest<SubUserFilter>): Promise<PageOf<SubUserRow>> {
  const found = await page<DbRow>(ctx, request, {
    row: SubUserRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: {
      name: 'm.name',
      account: 'm.account',
      dept: 'd.name',
      createdAt: 'm.created_at',
      expireDate: 'm.expire_date',
      lastLoginAt: '"lastLoginAt"',
    },
    order: [['m.created_at', 'asc']],
    key: 'm.id',
  });
  return { ...found, records: await withReach(ctx, found.records) };
}

/** All people of a filter, for the file; a company has some hundreds at most. */
export async function peopleRows(ctx: Ctx, filter: SubUserFilter): Promise<SubUserRow[]> {
  const rows = await selected(ctx, filter).orderBy('m.created_at').orderBy('m.id').execute();
  return withReach(ctx, rows);
}

/** Numbers of people by state under the other filters. */
export async function peopleCounts(ctx: Ctx, { state: _, ...others }: SubUserFilter): Promise<Record<string, number>> {
  const rows = await peopleOf(ctx, others)
    .select([STATE.as('state'), sql<number>`count(*)`.as('n')])
    .groupBy(STATE)
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}
