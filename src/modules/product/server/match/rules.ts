import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { RuleForm } from '../../contract/match-rules.ts';
import { auditChange } from '../catalogue/shared.ts';
import { lockMatches } from './listing-costs.ts';
import { siteOf } from './query.ts';
import { requireRule, skuBy } from './rule-words.ts';
import { writeMatches } from './write.ts';

/** Listings of each rule that a preview shows. */
const SAMPLE = 20;
/** More than that in one go are several goes. */
const MAX_AT_ONCE = 50_000;

export async function ruleRows(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('product.match_rule')
    .select(['id', 'name', 'way', 'prefix', 'suffix', 'pattern', 'replacement', 'qty', 'enabled', 'sort', 'version'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('sort')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, way: row.way as RuleForm['way'] }));
}

/** @throws AppError B0763 nothing to take off, B0764 a pattern that cannot be used, 409 stale */
export async function saveRuleRow(
  ctx: Ctx,
  input: RuleForm & { id?: string | undefined; version?: number | undefined },
): Promise<string> {
  requireRule(input);
  const { id, version, ...values } = input;
  if (!id) {
    const row = await ctx.db
      .insertInto('product.match_rule')
      .values({ company_id: ctx.companyId, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新增配对规则', resource: 'product.matchRule', resourceId: row.id, after: values });
    return row.id;
  }
  const before = (await ruleRows(ctx)).find((rule) => rule.id === id);
  if (!before) throw notFound('规则不存在或已删除');
  const done = await ctx.db
    .updateTable('product.match_rule')
    .set({ ...values, version: sql<number>`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('version', '=', version ?? before.version)
    .executeTakeFirst();
  if (done.numUpdatedRows === 0n) throw refused('规则已被他人修改，请刷新', 'B0765');
  await auditChange(ctx, { action: '修改配对规则', resource: 'product.matchRule', resourceId: id }, before, values);
  return id;
}

export async function deleteRuleRow(ctx: Ctx, id: string): Promise<void> {
  const gone = await ctx.db
    .deleteFrom('product.match_rule')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  if (!gone) throw notFound('规则不存在或已删除');
  await audit(ctx, { action: '删除配对规则', resource: 'product.matchRule', resourceId: id, before: gone });
}

export type Rule = Awaited<ReturnType<typeof ruleRows>>[number];

interface Hit {
  accountId: string;
  marketplaceId: string;
  msku: string;
  productId: string;
  sku: string;
  rule: Rule;
}

/** What one rule would match among the listings that have no match and were not taken by a rule before it. */
async function hitsOf(
  ctx: Ctx,
  rule: Rule,
  sites: readonly string[] | undefined,
  taken: ReadonlySet<string>,
): Promise<Hit[]> {
  const at = sites?.map(siteOf);
  const { rows } = await sql<Omit<Hit, 'rule'>>`
    SELECT l.account_id AS "accountId", l.marketplace_id AS "marketplaceId", l.seller_sku AS msku, p.id AS "productId", p.sku
      FROM listing.product AS l
      JOIN product.local_product AS p ON p.company_id = l.company_id AND p.sku_key = lower(btrim(${skuBy(rule)}))
       AND NOT p.is_spelling AND p.lifecycle <> 'offline'
     WHERE l.company_id = ${ctx.companyId} AND l.state <> 'GONE'
       AND (${at ? 'some' : 'all'} = 'all' OR (l.marketplace_id, l.account_id) IN (
             SELECT * FROM unnest(${at?.map((one) => one.marketplaceId) ?? []}::text[], ${at?.map((one) => one.accountId) ?? []}::uuid[])))
       AND NOT EXISTS (SELECT FROM product.sku_match AS m WHERE m.company_id = l.company_id AND m.account_id = l.account_id
                         AND m.marketplace_id = l.marketplace_id AND m.msku = l.seller_sku)
       AND (${rule.way} = 'exact' OR NOT EXISTS (SELECT FROM product.local_product AS i WHERE i.company_id = l.company_id
                         AND i.sku_key = l.product_key AND NOT i.is_spelling))
     ORDER BY 1, 2, 3 LIMIT ${MAX_AT_ONCE}`.execute(ctx.db);
  return rows
    .filter((row) => !taken.has(`${row.accountId}\t${row.marketplaceId}\t${row.msku}`))
    .map((row) => ({ ...row, rule }));
}

/** Applies the rules in their order. `dryRun` writes nothing. */
export async function runRules(
  ctx: Ctx,
  { dryRun, sites }: { dryRun: boolean; sites?: readonly string[] | undefined },
) {
  // A pattern that takes long holds up nobody but whoever wrote it.
  await sql`SET LOCAL statement_timeout = 20000`.execute(ctx.db);
  if (!dryRun) await lockMatches(ctx);
  const hits: Hit[] = [];
  const taken = new Set<string>();
  const rules = (await ruleRows(ctx)).filter((one) => one.enabled);
  for (const rule of rules) {
    for (const hit of await hitsOf(ctx, rule, sites, taken)) {
      taken.add(`${hit.accountId}\t${hit.marketplaceId}\t${hit.msku}`);
      hits.push(hit);
    }
  }
  if (!dryRun) {
    const items = hits.map(({ rule, productId, ...listing }) => ({
      ...listing,
      parts: [{ productId, qty: rule.qty }],
      way: rule.way,
      ruleId: rule.id,
    }));
    await writeMatches(ctx, items);
    await audit(ctx, { action: '自动配对', resource: 'product.match', after: { matched: hits.length } });
  }
  const stores = await storeNames(ctx);
  const byRule = Map.groupBy(hits, (hit) => hit.rule.id);
  const sample = [...byRule.values()]
    .flatMap((mine) => mine.slice(0, SAMPLE))
    .map((hit) => ({
      msku: hit.msku,
      store: stores.get(hit.accountId) ?? '—',
      country: countryOf(hit.marketplaceId),
      sku: hit.sku,
      rule: hit.rule.name,
    }));
  const counts = rules.map(({ id, name }) => ({ id, name, matched: byRule.get(id)?.length ?? 0 }));
  return { matched: hits.length, rules: counts, sample };
}
