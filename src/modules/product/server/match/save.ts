import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { ListingRef, MatchPart, MatchWay } from '../../contract/match.ts';
import { ALWAYS } from '../../contract.ts';
import { costsOfListings } from './costs.ts';
import { lockMatches } from './listing-costs.ts';

interface MatchInput {
  listings: readonly ListingRef[];
  parts: readonly { productId: string; qty: number }[];
  validFrom?: string | undefined;
  validTo?: string | null | undefined;
}

/** Listings of a call as rows `k`. */
function keysOf(listings: readonly ListingRef[]) {
  return sql`unnest(${listings.map((one) => one.accountId)}::uuid[], ${listings.map((one) => one.marketplaceId)}::text[],
                    ${listings.map((one) => one.msku)}::text[]) AS k(account_id, marketplace_id, msku)`;
}

/** @throws AppError B0760 a product twice, notFound */
export async function requireProducts(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (new Set(ids).size < ids.length) throw refused('本地产品重复', 'B0760');
  const found = await ctx.db
    .selectFrom('product.local_product')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .where('is_spelling', '=', false)
    .execute();
  if (found.length < ids.length) throw notFound('产品不存在或已删除');
}

/**
 * Makes room from a day on: what begins then or later goes, what is in force then ends the day before. Locks in one
 * order, so that two people who match the same listings wait for each other.
 */
export async function clearFrom(
  ctx: Ctx,
  listings: readonly ListingRef[],
  from: string,
  to: string | null,
): Promise<void> {
  const period = sql`daterange(${from}::date, ${to}::date, '[]')`;
  const { rows } = await sql<{ id: string; valid_from: string; valid_to: string | null }>`
    SELECT m.id, m.valid_from, m.valid_to FROM product.sku_match AS m JOIN ${keysOf(listings)}
        ON k.account_id = m.account_id AND k.marketplace_id = m.marketplace_id AND k.msku = m.msku
     WHERE m.company_id = ${ctx.companyId} AND m.period && ${period} ORDER BY m.id FOR UPDATE OF m`.execute(ctx.db);
  if (to !== null && rows.some((row) => row.valid_from < from && (row.valid_to === null || row.valid_to > to))) {
    throw refused('生效期与已有配对重叠，请先修改已有配对', 'B0761');
  }
  const before = rows.filter((row) => row.valid_from < from).map((row) => row.id);
  const inside = rows.filter((row) => row.valid_from >= from).map((row) => row.id);
  await sql`
    UPDATE product.sku_match SET valid_to = ${from}::date - 1, updated_at = kit.now(), updated_by_name = ${ctx.userName}
     WHERE company_id = ${ctx.companyId} AND id = ANY (${before}::uuid[])`.execute(ctx.db);
  await sql`DELETE FROM product.sku_match WHERE company_id = ${ctx.companyId} AND id = ANY (${inside}::uuid[])`.execute(
    ctx.db,
  );
}

/** @throws AppError B0760 a product twice, B0761 an overlap that cannot be made room for */
export async function saveMatchRows(ctx: Ctx, input: MatchInput, way: MatchWay = 'manual'): Promise<{ saved: number }> {
  const from = input.validFrom ?? ALWAYS;
  const to = input.validTo ?? null;
  if (to !== null && to < from) throw refused('失效日期不能早于生效日期', 'B0762');
  const keys = new Map(input.listings.map((one) => [`${one.accountId}\t${one.marketplaceId}\t${one.msku}`, one]));
  const listings = [...keys.values()];
  await requireProducts(
    ctx,
    input.parts.map((part) => part.productId),
  );
  await lockMatches(ctx);
  await clearFrom(ctx, listings, from, to);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, valid_from, valid_to, way, updated_by_name)
    SELECT ${ctx.companyId}, k.account_id, k.marketplace_id, k.msku, ${from}, ${to}, ${way}, ${ctx.userName}
      FROM ${keysOf(listings)} ORDER BY 2, 3, 4
    RETURNING id`.execute(ctx.db);
  const ids = rows.map((row) => row.id);
  await sql`
    INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
    SELECT ${ctx.companyId}, m.id, p.id, p.qty
      FROM unnest(${ids}::uuid[]) AS m(id)
      CROSS JOIN unnest(${input.parts.map((part) => part.productId)}::uuid[], ${input.parts.map((part) => part.qty)}::int[]) AS p(id, qty)`.execute(
    ctx.db,
  );
  await costsOfListings(ctx, listings);
  const mskus = listings.map((one) => one.msku).slice(0, 50);
  await audit(ctx, {
    action: '保存SKU配对',
    resource: 'product.match',
    after: { mskus, count: listings.length, parts: input.parts, from, to },
  });
  return { saved: ids.length };
}

/** Takes matches out; the listings stand for the product of the same name again, if there is one. */
export async function removeMatches(ctx: Ctx, ids: readonly string[]): Promise<{ removed: number }> {
  const gone = await ctx.db
    .deleteFrom('product.sku_match')
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .returning(['account_id as accountId', 'marketplace_id as marketplaceId', 'msku'])
    .execute();
  if (gone.length < new Set(ids).size) throw notFound('部分配对不存在或已解除，请刷新后重试');
  await costsOfListings(ctx, gone);
  const mskus = gone.map((one) => one.msku).slice(0, 50);
  await audit(ctx, { action: '解除SKU配对', resource: 'product.match', before: { mskus, count: gone.length } });
  return { removed: gone.length };
}

/** Everything that a listing stood for over time, newest first. */
export async function historyOfListing(ctx: Ctx, { accountId, marketplaceId, msku }: ListingRef) {
  const { rows } = await sql<{
    id: string;
    validFrom: string;
    validTo: string | null;
    way: MatchWay;
    parts: MatchPart[];
    by: string;
    at: string;
  }>`
    SELECT m.id, m.valid_from AS "validFrom", m.valid_to AS "validTo", m.way, m.updated_by_name AS "by", m.updated_at AS at,
           (SELECT jsonb_agg(jsonb_build_object('productId', p.id, 'sku', p.sku, 'name', p.name, 'qty', n.qty) ORDER BY p.sku)
              FROM product.sku_match_line AS n JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id
             WHERE n.company_id = m.company_id AND n.match_id = m.id) AS parts
      FROM product.sku_match AS m
     WHERE m.company_id = ${ctx.companyId} AND m.account_id = ${accountId} AND m.marketplace_id = ${marketplaceId}
       AND m.msku = ${msku}
     ORDER BY m.valid_from DESC`.execute(ctx.db);
  return rows;
}
