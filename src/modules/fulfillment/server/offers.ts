import { sql } from 'kysely';
import { sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { containing } from '#kit/server/list/words.ts';
import { asked, siteOf, siteParts } from '#modules/publish/server/index.ts';
import type { Goods, Offer, Recipient, WishedLine } from '../contract/create.ts';
import type { Speed } from '../contract/states.ts';
import { askPreviews, type Preview } from './amazon/preview.ts';
import { reasonWords } from './write/problems.ts';

const ALL_SPEEDS: readonly Speed[] = ['STANDARD', 'EXPEDITED', 'PRIORITY'];
const MOST_GOODS = 50;

/** What an order costs at a speed, decimal text; null where Amazon says nothing of it. */
export function feeOf({ fees }: Preview): string | null {
  return fees.length === 0 ? null : sum(fees);
}

/** What stands in the way of an order at a speed, in Chinese. */
export function problemsOf({ reasons, lacking }: Preview): string[] {
  return [
    ...reasons.map(reasonWords),
    ...lacking.map(({ sku, quantity, reasons: why }) => `${sku} ${why.map(reasonWords).join('、')}，缺 ${quantity} 件`),
  ];
}

/** 预览费用与时效: each speed with its fee, its days and what stands in its way. @throws AppError in Chinese */
export async function previewMcf(
  open: OpenCtx,
  { site, recipient, lines }: { site: string; recipient: Recipient; lines: WishedLine[] },
): Promise<Offer[]> {
  const { api, marketplaceId } = await siteOf(open, siteParts(site));
  const previews = await asked(() => askPreviews(api, { marketplaceId, to: recipient, lines, speeds: ALL_SPEEDS }));
  return previews.map((preview) => ({
    speed: preview.speed,
    fulfillable: preview.fulfillable,
    fee: feeOf(preview),
    currency: preview.currency,
    arrivesFrom: preview.arrivesFrom,
    arrivesTo: preview.arrivesTo,
    problems: problemsOf(preview),
  }));
}

/** Goods that lie at Amazon for a site, those with most pieces first: of all, or of those with a word in SKU or title. */
export async function goodsOf(
  ctx: Ctx,
  { site, keyword }: { site: string; keyword?: string | undefined },
): Promise<Goods[]> {
  const { accountId, marketplaceId } = siteParts(site);
  const word = keyword?.trim();
  const named = word ? sql`AND (s.seller_sku ILIKE ${containing(word)} OR p.name ILIKE ${containing(word)})` : sql``;
  interface Row {
    seller_sku: string;
    fulfillable: number;
    name: string | null;
    image: string | null;
    asin: string | null;
  }
  const { rows } = await sql<Row>`
    SELECT s.seller_sku, sum(s.fulfillable)::int AS fulfillable, min(p.name) AS name, min(p.image) AS image, min(s.asin) AS asin
      FROM inventory.fba_stock AS s
      LEFT JOIN listing.product AS p ON p.company_id = ${ctx.companyId} AND p.account_id = s.account_id
       AND p.marketplace_id = s.marketplace_id AND p.seller_sku = s.seller_sku
     WHERE s.company_id = ${ctx.companyId} AND s.account_id = ${accountId} AND s.marketplace_id = ${marketplaceId} ${named}
     GROUP BY s.seller_sku ORDER BY 2 DESC, 1 LIMIT ${MOST_GOODS}`.execute(ctx.db);
  return rows.map((row) => ({
    id: row.seller_sku,
    product: { name: row.name ?? '', code: row.seller_sku, image: row.image, extra: row.asin },
    fulfillable: row.fulfillable,
  }));
}
