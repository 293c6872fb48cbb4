import { sql } from 'kysely';
import type { z } from 'zod';
import { allocate, currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { CostRowInput } from '../contract/document.ts';
import type { dropShareRule, ShareRule, ShareRuleInput, saveShareRule, shareByRule } from '../contract/share-rule.ts';
import { requireStores } from './save.ts';

const RULE = 'costshare.shareRule';
const ALL = new Decimal(100);

const percentOf = (share: string): string => new Decimal(share).times(100).toFixed();

/** Rules by name with the rows that the caller may see, those of which he sees some. */
async function rulesOf(ctx: Ctx, id?: string): Promise<ShareRule[]> {
  const { rows } = await sql<
    Omit<ShareRule, 'rows' | 'whole'> & { rows: { store: string; sku: string; share: string }[] }
  >`
    SELECT r.id, r.name, r.version, coalesce((
             SELECT jsonb_agg(jsonb_build_object('store', w.marketplace_id || '-' || w.account_id, 'sku', w.sku, 'share', w.share::text)
                              ORDER BY w.row_no)
               FROM costshare.share_rule_row AS w WHERE w.company_id = r.company_id AND w.rule_id = r.id), '[]') AS rows
      FROM costshare.share_rule AS r
     WHERE r.company_id = ${ctx.companyId} AND r.id = ${id ?? null}::uuid IS NOT FALSE
     ORDER BY r.name`.execute(ctx.db);
  // A rule of stores that the caller does not see is none of his.
  return rows
    .filter(({ rows: found }) => found.length > 0)
    .map(({ rows: found, ...rule }) => ({
      ...rule,
      rows: found.map(({ share, ...row }) => ({ ...row, percent: percentOf(share) })),
      whole: ALL.eq(sum(found.map(({ share }) => percentOf(share)))),
    }));
}

/** The rules of the company. */
export const shareRules = (ctx: Ctx): Promise<ShareRule[]> => rulesOf(ctx);

/** @throws B2309 where the parts are not 100 %, one of them is nothing, or one bearer stands twice */
function requireParts({ rows }: ShareRuleInput): void {
  const bearers = new Set(rows.map(({ store, sku }) => `${store}\t${sku}`));
  if (bearers.size < rows.length) throw refused('同一店铺的同一 SKU 只能有一行', 'B2309');
  const empty = rows.findIndex(({ percent }) => new Decimal(percent).isZero());
  if (empty >= 0) throw refused(`第${empty + 1}行比例须大于 0`, 'B2309');
  const whole = new Decimal(sum(rows.map(({ percent }) => percent)));
  if (!whole.eq(ALL)) throw refused(`比例合计须为 100%，现为 ${whole.toFixed()}%`, 'B2309');
}

/** @throws B2310 where another rule has the name */
async function requireName(ctx: Ctx, name: string, own: string | undefined): Promise<void> {
  const { rows } = await sql`
    SELECT FROM costshare.share_rule WHERE company_id = ${ctx.companyId} AND name = ${name} AND id IS DISTINCT FROM ${own ?? null}::uuid`.execute(
    ctx.db,
  );
  if (rows.length > 0) throw refused(`规则名称【${name}】已存在`, 'B2310');
}

/** The rule, its row locked. @throws notFound; conflict for a stale version; B2311 where rows are hidden from the caller */
async function lockedRule(ctx: Ctx, id: string, version: number | undefined): Promise<ShareRule> {
  await sql`SELECT FROM costshare.share_rule WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(
    ctx.db,
  );
  const [rule] = await rulesOf(ctx, id);
  if (!rule) throw notFound();
  if (version !== undefined && version !== rule.version) throw conflict();
  requireWhole(rule);
  return rule;
}

function requireWhole({ name, whole }: ShareRule): void {
  if (!whole) throw refused(`规则【${name}】包含您没有权限的店铺`, 'B2311');
}

async function putRows(ctx: Ctx, id: string, { rows }: ShareRuleInput): Promise<void> {
  await sql`DELETE FROM costshare.share_rule_row WHERE company_id = ${ctx.companyId} AND rule_id = ${id}`.execute(
    ctx.db,
  );
  await ctx.db
    .insertInto('costshare.share_rule_row')
    .values(
      rows.map(({ store, sku, percent }, at) => ({
        company_id: ctx.companyId,
        rule_id: id,
        row_no: at + 1,
        account_id: store.slice(store.indexOf('-') + 1),
        marketplace_id: store.slice(0, store.indexOf('-')),
        sku,
        share: new Decimal(percent).div(100).toFixed(),
      })),
    )
    .execute();
}

/**
 * Writes a rule, or changes one.
 * @throws notFound, conflict; B2305 store, B2309 parts, B2310 name, B2311 rows that the caller does not see
 */
export async function saveRule(ctx: Ctx, input: z.output<typeof saveShareRule.body>): Promise<{ id: string }> {
  requireParts(input);
  await requireStores(ctx, input);
  await requireName(ctx, input.name, input.id);
  const before = input.id === undefined ? undefined : await lockedRule(ctx, input.id, input.version);
  const values = { name: input.name, updated_by_name: ctx.userName };
  const { id } = before
    ? await ctx.db
        .updateTable('costshare.share_rule')
        .set((eb) => ({ ...values, updated_at: sql`kit.now()`, version: eb('version', '+', 1) }))
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', before.id)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await ctx.db
        .insertInto('costshare.share_rule')
        .values({ company_id: ctx.companyId, ...values })
        .returning('id')
        .executeTakeFirstOrThrow();
  await putRows(ctx, id, input);
  await audit(ctx, {
    action: '分摊规则·保存',
    resource: RULE,
    resourceId: id,
    ...(before ? { before: { name: before.name, rows: before.rows } } : {}),
    after: { name: input.name, rows: input.rows },
  });
  return { id };
}

/** Deletes a rule. @throws notFound, conflict; B2311 where rows are hidden from the caller */
export async function dropRule(ctx: Ctx, { id, version }: z.output<typeof dropShareRule.body>): Promise<'success'> {
  const { name } = await lockedRule(ctx, id, version);
  await sql`DELETE FROM costshare.share_rule_row WHERE company_id = ${ctx.companyId} AND rule_id = ${id}`.execute(
    ctx.db,
  );
  await sql`DELETE FROM costshare.share_rule WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await audit(ctx, { action: '分摊规则·删除', resource: RULE, resourceId: id, before: { name } });
  return 'success';
}

/**
 * Shares an amount by a rule: parts add up to it, and what comes to nothing is left out.
 * @throws notFound; B2301 decimals, B2311 where rows are hidden from the caller
 */
export async function sharedByRule(
  ctx: Ctx,
  { id, amount, currency }: z.output<typeof shareByRule.body>,
): Promise<Reply<typeof shareByRule>> {
  const [rule] = await rulesOf(ctx, id);
  if (!rule) throw notFound();
  requireWhole(rule);
  const scale = currencyScale(currency);
  if (new Decimal(amount).decimalPlaces() > scale) throw refused('金额：请输入正确的金额', 'B2301');
  const weights = new Map(rule.rows.map(({ percent }, at) => [String(at).padStart(4, '0'), percent]));
  const parts = allocate(amount, weights, scale) ?? new Map<string, string>();
  return rule.rows
    .map(({ store, sku }, at): CostRowInput => ({ store, sku, amount: parts.get(String(at).padStart(4, '0')) ?? '0' }))
    .filter((row) => !new Decimal(row.amount).isZero());
}
