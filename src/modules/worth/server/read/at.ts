import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { type GroupBy, Source, Stage, type WorthFilter } from '../../contract/fields.ts';

/** The newest day that is known; null where none is. */
export async function newestDay(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT max(day)::text AS day FROM worth.day WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0]?.day ?? null;
}

/** The day that a filter asks for, else the newest known one. @throws refused B1605 for one that is not known */
export async function dayOf(ctx: Ctx, { day }: WorthFilter): Promise<string> {
  const found = day ?? (await newestDay(ctx)) ?? ctx.clock.today();
  if (day === undefined) return found;
  const { rows } = await sql`SELECT FROM worth.day WHERE company_id = ${ctx.companyId} AND day = ${day}::date`.execute(
    ctx.db,
  );
  if (rows.length === 0) throw refused('当日无库存快照', 'B1605');
  return found;
}

/** Conditions on lines `k` with their product `p`, the day aside. Goods that are only ordered count where they are asked for. */
export function conditions(filter: WorthFilter): RawBuilder<unknown> {
  const { stages, accounts, warehouses, brands, categories, keyword, uncosted, ordered } = filter;
  const parts: RawBuilder<unknown>[] = [sql`true`];
  if (stages?.length) parts.push(sql`k.stage = ANY (${stages}::text[])`);
  else if (!ordered) parts.push(sql`k.stage <> 'ORDERED'`);
  if (accounts?.length && warehouses?.length)
    parts.push(sql`(k.account_id = ANY (${accounts}::uuid[]) OR k.warehouse_id = ANY (${warehouses}::uuid[]))`);
  else if (accounts?.length) parts.push(sql`k.account_id = ANY (${accounts}::uuid[])`);
  else if (warehouses?.length) parts.push(sql`k.warehouse_id = ANY (${warehouses}::uuid[])`);
  if (brands?.length) parts.push(sql`p.brand_id = ANY (${brands}::uuid[])`);
  if (categories?.length) parts.push(sql`p.category_id = ANY (${categories}::uuid[])`);
  if (keyword)
    parts.push(
      sql`(lower(p.sku) LIKE ${containingLower(keyword)} OR lower(p.name) LIKE ${containingLower(keyword)} OR lower(k.seller_sku) LIKE ${containingLower(keyword)})`,
    );
  if (uncosted) parts.push(sql`k.uncosted > 0`);
  return sql.join(parts, sql` AND `);
}

/** FROM and WHERE of the lines `k` of a filter on a day, with their product `p`. */
export function linesAt(ctx: Ctx, day: string, filter: WorthFilter): RawBuilder<unknown> {
  return sql`
    worth.line AS k
    LEFT JOIN product.local_product AS p ON p.company_id = k.company_id AND p.id = k.product_id
   WHERE k.company_id = ${ctx.companyId} AND k.month = date_trunc('month', ${day}::date)::date
     AND k.from_day <= ${day}::date AND k.to_day > ${day}::date AND ${conditions(filter)}`;
}

/** Groups of all lines of a large company fit into it; on disk they take several times as long. */
export const roomy = (ctx: Ctx) => sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);

/** What lines are grouped by: text that is never null, '' for none. */
export const KEYS: Readonly<Record<GroupBy, string>> = {
  STAGE: 'k.stage',
  PLACE: `coalesce(k.warehouse_id::text, k.account_id::text || ':' || k.pool) COLLATE "C"`,
  STORE: `coalesce(k.account_id::text, '') COLLATE "C"`,
  PRODUCT: `coalesce(k.product_id::text, '?' || k.seller_sku) COLLATE "C"`,
  MSKU: 'k.seller_sku COLLATE "C"',
  BRAND: "coalesce(p.brand_id::text, '')",
  CATEGORY: "coalesce(p.category_id::text, '')",
  DISPOSITION: 'k.disposition',
};

/** Sums over lines `k`. What nobody knows the cost of has none: amounts are null where all pieces are such. */
export const SUMS = sql`
  sum(k.qty)::bigint AS qty, sum(k.uncosted)::bigint AS uncosted, sum(k.purchase) AS purchase, sum(k.first_leg) AS first_leg,
  sum(k.duty) AS duty, sum(k.other) AS other, sum(k.total) AS total, sum(k.reserve) AS reserve,
  sum(k.total - k.reserve) AS net`;

export interface Sums {
  qty: number;
  uncosted: number;
  purchase: string;
  first_leg: string;
  duty: string;
  other: string;
  total: string;
  reserve: string;
  net: string;
}

/** Sums as the contract names them; without amounts where nothing has a cost, or where the caller may not see any. */
export function amountsOf(row: Sums, costs: boolean) {
  const { qty, uncosted } = row;
  const known = costs && (uncosted < qty || qty === 0);
  const of = (amount: string) => (known ? amount : null);
  return {
    qty,
    uncosted,
    purchase: of(row.purchase),
    firstLeg: of(row.first_leg),
    duty: of(row.duty),
    other: of(row.other),
    gross: of(row.total),
    reserve: of(row.reserve),
    net: of(row.net),
  };
}

export const sourceOf = (text: string): Source => (Source.options.find((one) => one === text) ?? 'MANY') as Source;
export const stageTitle = (stage: string): string => Stage.meta()?.states?.[stage]?.title ?? stage;
