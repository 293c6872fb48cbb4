import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { membersAmong } from '#modules/identity/server/index.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { tagsOf } from '#modules/system/server/index.ts';
import type { RuleRow, readAlertRules, saveAlertRule } from '../contract/alerts.ts';
import { lookSoon } from './job.ts';
import { kindsOf } from './kinds.ts';
import { memberNames, peopleChoices } from './people.ts';

type Saved = z.output<typeof saveAlertRule.body>;

interface DbRule {
  id: string;
  kind: string;
  scope: RuleRow['scope'];
  scope_id: string | null;
  threshold: string;
  enabled: boolean;
  version: number;
}

const all = (ctx: Ctx) =>
  ctx.db
    .selectFrom('alert.rule')
    .select(['id', 'kind', 'scope', 'scope_id', 'threshold', 'enabled', 'version'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('kind')
    .orderBy('scope')
    .orderBy('id')
    .execute() as Promise<DbRule[]>;

/** Kinds with their usual thresholds, and what the company set. */
export async function readRules(ctx: Ctx): Promise<Reply<typeof readAlertRules>> {
  const kinds = kindsOf(ctx);
  const stores = await storeNames(ctx);
  const people = await memberNames(ctx);
  const rows = await all(ctx);
  const tags = await tagsOf(
    ctx,
    rows.flatMap((row) => (row.scope === 'TAG' && row.scope_id ? [row.scope_id] : [])),
  );
  const nameOf = ({ scope, scope_id }: DbRule): string => {
    if (scope_id === null) return '全部';
    if (scope === 'ACCOUNT') return stores.get(scope_id) ?? '—';
    return scope === 'OWNER' ? (people.get(scope_id) ?? '—') : (tags.get(scope_id)?.name ?? '—');
  };
  return {
    kinds: [...kinds.values()].map(({ code, title, unit, below = false, threshold }) => ({
      code,
      title,
      unit,
      below,
      threshold,
    })),
    rules: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      title: kinds.get(row.kind)?.title ?? row.kind,
      scope: row.scope,
      scopeName: nameOf(row),
      threshold: new Decimal(row.threshold).toFixed(),
      unit: kinds.get(row.kind)?.unit ?? '',
      enabled: row.enabled,
      version: row.version,
    })),
    scopes: {
      accounts: [...stores].map(([value, label]) => ({ value, label })),
      owners: await peopleChoices(ctx),
    },
  };
}

async function requireScope(ctx: Ctx, { scope, scopeId }: Saved): Promise<void> {
  if (scope === 'COMPANY') {
    if (scopeId !== null) throw refused('全公司规则不需要选择对象', 'B1702');
    return;
  }
  if (scopeId === null) throw refused('请选择对象', 'B1702');
  const known =
    scope === 'ACCOUNT'
      ? (await storeNames(ctx)).has(scopeId)
      : scope === 'OWNER'
        ? (await membersAmong(ctx, [scopeId])).length > 0
        : (await tagsOf(ctx, [scopeId])).size > 0;
  if (!known) throw notFound('对象不存在或已删除');
}

/** Sets a threshold and has the kind looked at soon. @throws refused B1702, B1703; notFound; conflict */
export async function saveRule(ctx: Ctx, input: Saved): Promise<{ id: string; version: number }> {
  const { kind, scope, scopeId, threshold, enabled, version } = input;
  const known = kindsOf(ctx).get(kind);
  if (!known) throw refused('预警类型不存在', 'B1703');
  await requireScope(ctx, input);
  const { rows } = await sql<{ id: string; version: number; before: string | null }>`
    INSERT INTO alert.rule AS r (company_id, kind, scope, scope_id, threshold, enabled, updated_by_name)
    VALUES (${ctx.companyId}, ${kind}, ${scope}, ${scopeId}::uuid, ${threshold}::numeric, ${enabled}, ${ctx.userName})
    ON CONFLICT (company_id, kind, scope, scope_id) DO UPDATE
       SET threshold = excluded.threshold, enabled = excluded.enabled, version = r.version + 1, updated_at = kit.now(),
           updated_by_name = excluded.updated_by_name
     WHERE ${version} IN (0, r.version)
    RETURNING id, version, old.threshold::text AS before`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw conflict();
  await audit(ctx, {
    action: '修改预警规则',
    resource: 'alert.rule',
    resourceId: row.id,
    before: row.before === null ? null : { threshold: row.before },
    after: { kind: known.title, scope, scopeId, threshold, enabled },
  });
  await lookSoon(ctx, [kind], 0);
  return { id: row.id, version: row.version };
}

/** Takes a rule away; what held before it holds again. @throws notFound; conflict */
export async function deleteRule(ctx: Ctx, input: { id: string; version: number }): Promise<{ deleted: true }> {
  const row = (await all(ctx)).find((one) => one.id === input.id);
  if (!row) throw notFound('规则不存在或已删除');
  const gone = await ctx.db
    .deleteFrom('alert.rule')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .where('version', '=', input.version)
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw conflict();
  const { kind, scope, threshold } = row;
  await audit(ctx, {
    action: '删除预警规则',
    resource: 'alert.rule',
    resourceId: input.id,
    before: { kind, scope, threshold },
  });
  await lookSoon(ctx, [kind], 0);
  return { deleted: true };
}
