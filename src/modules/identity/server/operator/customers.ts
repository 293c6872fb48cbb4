import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { type CustomerFilter, CustomerRow, NOBODYS_COMPANY, type Usage } from '../../contract/operator.ts';
import { changes } from '../organisation/changes.ts';

/** Something that tells how much a company uses: the module that owns it counts it, in a transaction of the company. */
export interface UsageKind {
  /** e.g. "stores" */
  key: string;
  /** e.g. 店铺 */
  title: string;
  /** Whether a plan can limit it; the module that makes more of it asks `requireRoom` then. */
  limited: boolean;
  count: (ctx: Ctx) => Promise<number>;
}

/** Where modules declare what is counted of a company. */
export const usageKinds = extensionPoint<UsageKind>('identity.usageKinds');

const USERS = { key: 'users', title: '子账号' };

/** What a plan can limit. */
export function kindsOf(ctx: Ctx): { key: string; title: string }[] {
  const limited = extensionsOf(ctx.runtime.modules, usageKinds).filter((kind) => kind.limited);
  return [USERS, ...limited.map(({ key, title }) => ({ key, title }))];
}

type DbRow = Omit<CustomerRow, 'usage' | 'usageText'> & { limits: Record<string, number | null>; subUsers: number };

const STATE = sql<string>`
  CASE WHEN c.status = 'active' AND c.expire_date < (kit.now() AT TIME ZONE c.time_zone)::date THEN 'expired'
       ELSE c.status END`;

/** Companies without the operator's own; only tables that open themselves to the system are read. */
function companies(db: Db, filter: CustomerFilter) {
  let query = db
    .selectFrom('identity.company as c')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('identity.member as m')
          .select(['m.name', 'm.account'])
          .whereRef('m.company_id', '=', 'c.company_id')
          .where('m.user_type', '=', 'owner')
          .where('m.deleted_at', 'is', null)
          .orderBy('m.created_at')
          .limit(1)
          .as('o'),
      (join) => join.onTrue(),
    )
    .where('c.company_id', '<>', NOBODYS_COMPANY);
  if (filter.state) query = query.where(STATE, '=', filter.state);
  if (filter.search) {
    const text = containing(filter.search);
    query = query.where((eb) => eb.or([eb('c.name', 'ilike', text), eb('o.account', 'ilike', text)]));
  }
  return query;
}

function selected(db: Db, filter: CustomerFilter) {
  const people = (more: string) =>
    sql<number>`(SELECT count(*) FROM identity.member m
      WHERE m.company_id = c.company_id AND m.deleted_at IS NULL ${sql.raw(more)})`;
  return companies(db, filter).select([
    'c.company_id as id',
    'c.name',
    'o.name as owner',
    'o.account as ownerAccount',
    STATE.as('state'),
    'c.plan_name as planName',
    'c.plan_limits as limits',
    'c.created_at as createdAt',
    'c.expire_date as expireDate',
    'c.remark',
    people('').as('users'),
    people("AND m.user_type <> 'owner'").as('subUsers'),
    sql<string | null>`(SELECT max(s.created_at) FROM identity.session s WHERE s.company_id = c.company_id)`.as(
      'lastLoginAt',
    ),
  ]);
}

/** Counts of one company, each in its own right: the operator sees how much there is, never what. */
async function usageOf(ctx: Ctx, row: DbRow): Promise<Usage[]> {
  const limitOf = (key: string) => row.limits[key] ?? null;
  const counted = await inTenant(
    ctx.runtime,
    systemPrincipal(row.id),
    async (tenant) => {
      const found: Usage[] = [];
      for (const { key, title, count } of extensionsOf(ctx.runtime.modules, usageKinds)) {
        found.push({ key, title, count: await count(tenant), limit: limitOf(key) });
      }
      return found;
    },
    { readOnly: true },
  );
  return [{ ...USERS, count: row.subUsers, limit: limitOf(USERS.key) }, ...counted];
}

function textOf(usage: readonly Usage[]): string {
  return usage.map(({ title, count, limit }) => `${title} ${count}${limit === null ? '' : `/${limit}`}`).join('　');
}

export async function customerPage(ctx: Ctx, request: PageRequest<CustomerFilter>): Promise<PageOf<CustomerRow>> {
  const found = await inSystem(ctx.runtime, (db) =>
    page<DbRow>({ ...ctx, db }, request, {
      row: CustomerRow,
      query: listQuery(selected(db, request.filter)),
      sort: { name: 'c.name', createdAt: 'c.created_at', expireDate: 'c.expire_date', lastLoginAt: '"lastLoginAt"' },
      order: [['c.created_at', 'desc']],
      key: 'c.company_id',
    }),
  );
  const records: CustomerRow[] = [];
  for (const row of found.records) {
    const usage = await usageOf(ctx, row);
    const { limits: _limits, subUsers: _subUsers, ...rest } = row;
    records.push({ ...rest, usage, usageText: textOf(usage) });
  }
  return { ...found, records };
}

export async function customerCounts(
  ctx: Ctx,
  { state: _, ...filter }: CustomerFilter,
): Promise<Record<string, number>> {
  const rows = await inSystem(ctx.runtime, (db) =>
    companies(db, filter)
      .select([STATE.as('state'), sql<number>`count(*)`.as('n')])
      .groupBy(STATE)
      .execute(),
  );
  return {
    ...Object.fromEntries(rows.map((row) => [row.state, row.n])),
    all: rows.reduce((sum, row) => sum + row.n, 0),
  };
}

interface Terms {
  status: string;
  planName: string | null;
  expireDate: string | null;
  remark: string | null;
  limits: unknown;
}

/** Changes a company's terms as the company itself, so that its own log says so too; then the operator's log. */
async function changeTerms(
  ctx: Ctx,
  id: string,
  action: string,
  change: (before: Terms) => Partial<Terms>,
  reason?: string,
): Promise<void> {
  if (id === NOBODYS_COMPANY) throw notFound();
  const principal = systemPrincipal(id, '平台运营');
  const diff = await inTenant(ctx.runtime, principal, async (tenant) => {
    const before = await tenant.db
      .selectFrom('identity.company')
      .select(['status', 'plan_name as planName', 'expire_date as expireDate', 'remark', 'plan_limits as limits'])
      .where('company_id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw notFound();
    const after = { ...before, ...change(before) };
    await tenant.db
      .updateTable('identity.company')
      .set({
        status: after.status,
        plan_name: after.planName,
        expire_date: after.expireDate,
        remark: after.remark,
        plan_limits: JSON.stringify(after.limits),
      })
      .where('company_id', '=', id)
      .execute();
    const found = changes({ ...before }, after) ?? { before: {}, after: {} };
    // What the operator notes down about a customer is not the customer's to read.
    const { remark: _was, ...shownBefore } = found.before;
    const { remark: _is, ...shownAfter } = found.after;
    await audit(tenant, {
      action,
      resource: 'identity.company',
      resourceId: id,
      before: shownBefore,
      after: { ...shownAfter, ...(reason ? { reason } : {}) },
    });
    return found;
  });
  await audit(ctx, {
    action,
    resource: 'identity.company',
    resourceId: id,
    before: diff.before,
    after: { ...diff.after, ...(reason ? { reason } : {}) },
  });
}

export interface TermsForm {
  planName?: string | undefined;
  expireDate?: string | null | undefined;
  remark?: string | undefined;
  limits?: Record<string, number | null> | undefined;
}

export async function saveTerms(ctx: Ctx, id: string, form: TermsForm): Promise<void> {
  const known = kindsOf(ctx).map(({ key }) => key);
  const unknown = Object.keys(form.limits ?? {}).find((key) => !known.includes(key));
  if (unknown !== undefined) throw refused(`没有「${unknown}」这个用量项`, 'B0183');
  const limits = form.limits && Object.fromEntries(Object.entries(form.limits).filter(([, value]) => value !== null));
  await changeTerms(ctx, id, '修改客户', (before) => ({
    planName: form.planName === undefined ? before.planName : form.planName || null,
    expireDate: form.expireDate === undefined ? before.expireDate : form.expireDate,
    remark: form.remark === undefined ? before.remark : form.remark || null,
    limits: limits ?? before.limits,
  }));
}

/** Nobody of the company gets in any more; open sessions end within the second. */
export async function suspend(ctx: Ctx, id: string, reason: string): Promise<void> {
  await changeTerms(
    ctx,
    id,
    '停用客户',
    (before) => {
      if (before.status !== 'active') throw refused('只能停用正常的客户', 'B0184');
      return { status: 'suspended' };
    },
    reason,
  );
}

export async function resume(ctx: Ctx, id: string): Promise<void> {
  await changeTerms(ctx, id, '恢复客户', (before) => {
    if (before.status !== 'suspended') throw refused('该客户未停用', 'B0185');
    return { status: 'active' };
  });
}
