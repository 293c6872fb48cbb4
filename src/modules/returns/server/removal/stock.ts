import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { invalid } from '#kit/server/errors.ts';
import { containing } from '#kit/server/list/words.ts';
import { ofListing, siteOf } from '#modules/listing/server/index.ts';
import type { RemovalGoods, RemovalLine } from '../../contract/removals.ts';

export interface Place {
  accountId: string;
  marketplaceId: string;
}
interface Free {
  seller_sku: string;
  account_id: string;
  marketplace_id: string;
  asin: string | null;
  sellable: number;
  unsellable: number;
}

/**
 * What of the FBA stock of a site can be asked for, by SKU: what Amazon last stated, without what requests that have no answer yet
 * want of it, the request `except` left aside.
 */
function freeSelect(ctx: Ctx, { accountId, marketplaceId }: Place, where: RawBuilder<unknown>, except?: string) {
  const others = except === undefined ? sql`` : sql`AND r.id <> ${except}::uuid`;
  return sql<Free>`
    SELECT s.seller_sku, s.account_id, s.marketplace_id, min(s.asin) AS asin,
           greatest(0, sum(s.fulfillable) - coalesce(min(w.sellable), 0))::int AS sellable,
           greatest(0, sum(s.unsellable) - coalesce(min(w.unsellable), 0))::int AS unsellable
      FROM inventory.fba_stock AS s
      LEFT JOIN (
        SELECT l.seller_sku, sum(l.sellable) AS sellable, sum(l.unsellable) AS unsellable
          FROM returns.removal AS r
          JOIN returns.removal_line AS l ON l.company_id = r.company_id AND l.removal_id = r.id
         WHERE r.company_id = ${ctx.companyId} AND r.account_id = ${accountId} AND r.marketplace_id = ${marketplaceId}
           AND r.state IN ('submitting', 'unknown') ${others}
         GROUP BY l.seller_sku) AS w ON w.seller_sku = s.seller_sku
     WHERE s.company_id = ${ctx.companyId} AND s.account_id = ${accountId} AND s.marketplace_id = ${marketplaceId} AND ${where}
     GROUP BY s.account_id, s.marketplace_id, s.seller_sku`;
}

const MOST_GOODS = 50;

/** Goods of a site that can be removed, those with most pieces first: of all, or of those with a word in SKU or title. */
export async function goodsOf(
  ctx: Ctx,
  { site, keyword }: { site: string; keyword?: string | undefined },
): Promise<RemovalGoods[]> {
  const word = keyword?.trim();
  const named = word ? sql`AND (f.seller_sku ILIKE ${containing(word)} OR p.name ILIKE ${containing(word)})` : sql``;
  const { rows } = await sql<Free & { name: string | null; image: string | null }>`
    SELECT f.*, p.name, p.image FROM (${freeSelect(ctx, siteOf(site), sql`true`)}) AS f
      LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}
     WHERE f.sellable + f.unsellable > 0 ${named}
     ORDER BY f.sellable + f.unsellable DESC, f.seller_sku LIMIT ${MOST_GOODS}`.execute(ctx.db);
  return rows.map((row) => ({
    id: row.seller_sku,
    product: { name: row.name ?? '', code: row.seller_sku, image: row.image, extra: row.asin },
    sellable: row.sellable,
    unsellable: row.unsellable,
  }));
}

/** Whoever else asks for stock of the account waits, so that two never ask for the same pieces. */
export async function lockStock(ctx: Ctx, { accountId }: Place): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`returns.removal ${ctx.companyId} ${accountId}`}, 0))`.execute(
    ctx.db,
  );
}

/** Whether lines ask for pieces that are there. @throws 400 with each field that is wrong, its SKU named */
export async function checkStock(
  ctx: Ctx,
  place: Place,
  lines: readonly RemovalLine[],
  except?: string,
): Promise<void> {
  const skus = lines.map(({ sku }) => sku);
  const { rows } = await freeSelect(ctx, place, sql`s.seller_sku = ANY (${skus}::text[])`, except).execute(ctx.db);
  const free = new Map(rows.map((row) => [row.seller_sku, row]));
  const problems = lines.flatMap(({ sku, sellable, unsellable }, index) => {
    const wrong = (key: 'sku' | 'sellable' | 'unsellable', title: string, msg: string) => ({
      field: `lines.${index}.${key}`,
      title,
      msg: `MSKU【${sku}】${msg}`,
    });
    const there = free.get(sku);
    if (!there) return [wrong('sku', 'MSKU', '在该站点没有 FBA 库存')];
    if (sellable + unsellable === 0) return [wrong('sellable', '可售', '请填写可售或不可售的件数')];
    return [
      ...(sellable > there.sellable ? [wrong('sellable', '可售', `可售最多移除 ${there.sellable} 件`)] : []),
      ...(unsellable > there.unsellable
        ? [wrong('unsellable', '不可售', `不可售最多移除 ${there.unsellable} 件`)]
        : []),
    ];
  });
  if (problems.length > 0) throw invalid(problems);
}
