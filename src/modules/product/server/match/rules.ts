import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { RuleForm } from '../../contract/match.ts';
import { ALWAYS } from '../../contract.ts';
import { auditChange } from '../catalogue/shared.ts';
import { costsOfListings } from './costs.ts';
import { siteOf } from './list.ts';
import { lockMatches } from './listing-costs.ts';

const SAMPLE = 50;
/** More than that in one go are several goes. */
const MAX_AT_ONCE = 50_000;

/**
 * Why a pattern cannot be used, or undefined. The database matches it, whose engine needs no backtracking as long as a
 * pattern does not refer to what it found before or look around.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern === '') return '请填写正则';
  if (pattern.length > 100) return '正则不能超过100个字符';
  if (/\\[1-9]|\(\?|\[\[|\*\*\*/.test(pattern)) return '正则不支持反向引用、环视等写法';
  if (/\{\d{3,}|\{\d+,\d{3,}/.test(pattern)) return '正则的重复次数不能超过99';
  try {
    new RegExp(pattern);
    return undefined;
  } catch {
    return '正则格式有误';
  }
}

/** What stands for groups in a replacement, as the database writes them. */
export function replacementOf(text: string): string {
  return text.replaceAll('\\', '\\\\').replace(/\$(\d)/g, '\\$1');
}

function requireRule(rule: RuleForm): void {
  if (rule.way === 'affix' && rule.prefix === '' && rule.suffix === '') throw refused('请填写前缀或后缀', 'B0763');
  const problem = rule.way === 'regex' ? patternProblem(rule.pattern) : undefined;
  if (problem) throw refused(problem, 'B0764');
}

export async function ruleRows(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('product.match_rule')
    .select(['id', 'name', 'way', 'prefix', 'suffix', 'pattern', 'replacement', 'enabled', 'sort', 'version'])
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

type Rule = Awaited<ReturnType<typeof ruleRows>>[number];

/** The SKU that a rule makes of an MSKU, as SQL over `l.seller_sku`; NULL where it does not apply. */
function skuBy(rule: Rule) {
  if (rule.way === 'exact') return sql<string | null>`l.seller_sku`;
  if (rule.way === 'affix') {
    const { prefix, suffix } = rule;
    return sql<
      string | null
    >`CASE WHEN starts_with(l.seller_sku, ${prefix}) AND right(l.seller_sku, length(${suffix}::text)) = ${suffix}
        AND length(l.seller_sku) > length(${prefix}::text) + length(${suffix}::text)
      THEN substr(l.seller_sku, length(${prefix}::text) + 1, length(l.seller_sku) - length(${prefix}::text) - length(${suffix}::text)) END`;
  }
  const whole = `^(?:${rule.pattern})$`;
  // The pattern as a whole is the group that a replacement without one takes.
  const put = rule.replacement === '' ? '\\1' : replacementOf(rule.replacement);
  return sql<string | null>`CASE WHEN l.seller_sku ~ ${whole} THEN regexp_replace(l.seller_sku, ${whole}, ${put}) END`;
}

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
                         AND i.sku_key = lower(btrim(l.seller_sku)) AND NOT i.is_spelling))
     ORDER BY 1, 2, 3 LIMIT ${MAX_AT_ONCE}`.execute(ctx.db);
  return rows
    .filter((row) => !taken.has(`${row.accountId}\t${row.marketplaceId}\t${row.msku}`))
    .map((row) => ({ ...row, rule }));
}

async function write(ctx: Ctx, hits: readonly Hit[]): Promise<void> {
  const column = <K extends keyof Hit>(key: K) => hits.map((hit) => hit[key]);
  await sql`
    WITH given AS (
      SELECT * FROM unnest(${column('accountId')}::uuid[], ${column('marketplaceId')}::text[], ${column('msku')}::text[],
                           ${column('productId')}::uuid[], ${hits.map((hit) => hit.rule.way)}::text[], ${hits.map((hit) => hit.rule.id)}::uuid[])
        AS g(account_id, marketplace_id, msku, product_id, way, rule_id)
    ), made AS (
      INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, valid_from, way, rule_id, updated_by_name)
      SELECT ${ctx.companyId}, account_id, marketplace_id, msku, ${ALWAYS}::date, way, rule_id, ${ctx.userName} FROM given
      ON CONFLICT DO NOTHING
      RETURNING id, account_id, marketplace_id, msku)
    INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
    SELECT ${ctx.companyId}, made.id, given.product_id, 1 FROM made
      JOIN given USING (account_id, marketplace_id, msku)`.execute(ctx.db);
  await costsOfListings(ctx, hits);
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
  for (const rule of (await ruleRows(ctx)).filter((one) => one.enabled)) {
    for (const hit of await hitsOf(ctx, rule, sites, taken)) {
      taken.add(`${hit.accountId}\t${hit.marketplaceId}\t${hit.msku}`);
      hits.push(hit);
    }
  }
  if (!dryRun && hits.length > 0) await write(ctx, hits);
  if (!dryRun) await audit(ctx, { action: '自动配对', resource: 'product.match', after: { matched: hits.length } });
  const stores = await storeNames(ctx);
  const sample = hits.slice(0, SAMPLE).map((hit) => ({
    msku: hit.msku,
    store: stores.get(hit.accountId) ?? '—',
    country: countryOf(hit.marketplaceId),
    sku: hit.sku,
    rule: hit.rule.name,
  }));
  return { matched: hits.length, sample };
}
