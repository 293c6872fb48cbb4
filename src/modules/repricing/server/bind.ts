import { sql } from 'kysely';
import type { z } from 'zod';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { FieldError } from '#kit/contract/envelope.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, invalid, notFound } from '#kit/server/errors.ts';
import type { BindLine, bindListings } from '../contract/bindings.ts';
import { pause, resume } from './halt.ts';
import { decideSoon } from './job.ts';
import { lockRule } from './rules.ts';

interface Known {
  id: string;
  sku: string;
  account: string;
  marketplace: string;
  currency: string;
  price: string | null;
  state: string;
  rule_id: string | null;
  rule_name: string | null;
}

async function listingsOf(ctx: Ctx, site: string, skus: readonly string[]): Promise<Map<string, Known>> {
  const at = site.indexOf('-');
  const { rows } = await sql<Known>`
    SELECT p.listing_id AS id, p.seller_sku AS sku, p.account_id AS account, p.marketplace_id AS marketplace, p.currency,
           p.price, p.state, b.rule_id, r.name AS rule_name
      FROM listing.product AS p
      LEFT JOIN repricing.binding AS b ON b.company_id = p.company_id AND b.listing_id = p.listing_id
      LEFT JOIN repricing.rule AS r ON r.company_id = b.company_id AND r.id = b.rule_id
     WHERE p.company_id = ${ctx.companyId} AND p.marketplace_id = ${site.slice(0, at)}
       AND p.account_id = ${site.slice(at + 1)} AND p.seller_sku = ANY (${[...skus]}::text[])`.execute(ctx.db);
  return new Map(rows.map((row) => [row.sku, row]));
}

function problemOf(line: BindLine, known: Known | undefined, ruleId: string): string | undefined {
  if (!known) return '该站点没有这个商品';
  if (known.state === 'GONE') return '商品已移除';
  if (known.price === null) return '商品没有售价';
  if (known.rule_id !== null && known.rule_id !== ruleId) return `已绑定规则「${known.rule_name}」`;
  const scale = currencyScale(known.currency);
  const [min, max] = [new Decimal(line.minPrice), new Decimal(line.maxPrice)];
  if (min.isZero() || min.decimalPlaces() > scale || max.decimalPlaces() > scale)
    return `请输入正确的价格（最多 ${scale} 位小数）`;
  return max.lt(min) ? '最高价不能低于最低价' : undefined;
}

/**
 * Puts listings of a site under a rule, or gives those that are under it other limits: all or none. @throws 404 for the rule;
 * 409 for an archived one; AppError with one entry per line
 */
export async function bind(
  ctx: Ctx,
  { ruleId, site, lines }: z.output<typeof bindListings.body>,
): Promise<{ bound: number; changed: number }> {
  const rule = await lockRule(ctx, ruleId);
  if (rule.status === 'ARCHIVED') throw conflict('规则已归档，不能绑定商品');
  const unique = [...new Map(lines.map((line) => [line.sku, line])).values()];
  const known = await listingsOf(
    ctx,
    site,
    unique.map((line) => line.sku),
  );
  const problems = unique.flatMap((line, index): FieldError[] => {
    const why = problemOf(line, known.get(line.sku), ruleId);
    return why === undefined ? [] : [{ field: `lines.${index}.sku`, title: 'MSKU', msg: `${line.sku}：${why}` }];
  });
  if (problems.length > 0) throw invalid(problems);
  const wanted = unique.flatMap((line) => {
    const listing = known.get(line.sku);
    return listing ? [{ ...line, otherCost: line.otherCost ?? null, ...listing }] : [];
  });
  const { rows } = await sql<{ id: string; listingId: string; fresh: boolean }>`
    INSERT INTO repricing.binding AS b
      (company_id, rule_id, listing_id, account_id, marketplace_id, seller_sku, min_price, max_price, other_cost)
    SELECT ${ctx.companyId}, ${ruleId}, w.id, w.account, w.marketplace, w.sku, w."minPrice", w."maxPrice",
           coalesce(w."otherCost", 0)
      FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w(id uuid, account uuid, marketplace text, sku text,
           "minPrice" numeric, "maxPrice" numeric, "otherCost" numeric)
     ORDER BY w.id
    ON CONFLICT (company_id, listing_id) DO UPDATE
       SET min_price = excluded.min_price, max_price = excluded.max_price, other_cost = excluded.other_cost,
           pause_code = CASE WHEN b.pause_code = 'range' THEN NULL ELSE b.pause_code END,
           pause_words = CASE WHEN b.pause_code = 'range' THEN '' ELSE b.pause_words END
     WHERE b.rule_id = excluded.rule_id
    RETURNING b.id, b.listing_id AS "listingId", old.id IS NULL AS fresh`.execute(ctx.db);
  // Somebody put one of them under another rule since they were looked at.
  if (rows.length < wanted.length) throw conflict('部分商品刚被绑定到其它规则，请刷新后重试');
  await audit(ctx, {
    action: '绑定智能调价商品',
    resource: 'repricing.rule',
    resourceId: ruleId,
    after: { site, lines: unique },
  });
  if (['SHADOW', 'ACTIVE'].includes(rule.status)) await decideSoon(ctx, rows, 0);
  const bound = rows.filter((row) => row.fresh).length;
  return { bound, changed: rows.length - bound };
}

/** Bindings by id with their rows locked. @throws 404 where one is not the company's */
async function lockBindings(
  ctx: Ctx,
  ids: readonly string[],
): Promise<{ id: string; listingId: string; sku: string }[]> {
  const { rows } = await sql<{ id: string; listingId: string; sku: string }>`
    SELECT id, listing_id AS "listingId", seller_sku AS sku FROM repricing.binding
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`.execute(ctx.db);
  if (rows.length < new Set(ids).size) throw notFound('部分绑定不存在或已解除，请刷新后重试');
  return rows;
}

/** Takes listings out of their rules. @throws 404 */
export async function unbind(ctx: Ctx, ids: readonly string[]): Promise<{ count: number }> {
  const rows = await lockBindings(ctx, ids);
  await ctx.db
    .deleteFrom('repricing.binding')
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .execute();
  const skus = rows.map((row) => row.sku);
  await audit(ctx, { action: '解绑智能调价商品', resource: 'repricing.rule', after: { skus } });
  return { count: rows.length };
}

/** Has listings stand still until somebody lets them go on. @throws 404 */
export async function pauseByHand(ctx: Ctx, ids: readonly string[]): Promise<{ count: number }> {
  const skus = (await lockBindings(ctx, ids)).map((row) => row.sku);
  const count = await pause(ctx, ids, { code: 'person', words: `${ctx.userName} 手动暂停` });
  await audit(ctx, { action: '暂停智能调价商品', resource: 'repricing.rule', after: { skus } });
  return { count };
}

/** Lets listings go on, whatever stopped them; what they did before counts no more. @throws 404 */
export async function resumeByHand(ctx: Ctx, ids: readonly string[]): Promise<{ count: number }> {
  const rows = await lockBindings(ctx, ids);
  const count = await resume(ctx, ids, true);
  const skus = rows.map((row) => row.sku);
  await audit(ctx, { action: '恢复智能调价商品', resource: 'repricing.rule', after: { skus } });
  await decideSoon(ctx, rows, 0);
  return { count };
}
