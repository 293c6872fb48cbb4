import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type RequisitionFilter, RequisitionRow, type RequisitionState } from '../../contract/requisition.ts';

function matching(ctx: Ctx, filter: RequisitionFilter) {
  let query = ctx.db.selectFrom('purchase.requisition as r').where('r.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('r.state', '=', filter.state);
  const day = sql<string>`kit.day(r.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(r.number ILIKE ${like} OR EXISTS (SELECT FROM purchase.requisition_line AS l
        JOIN product.local_product AS p ON p.company_id = l.company_id AND p.id = l.product_id
       WHERE l.company_id = r.company_id AND l.requisition_id = r.id AND p.sku ILIKE ${like}))`,
    );
  }
  return query;
}

interface Sums {
  products: number;
  qty: number;
  made: number;
  /** Amount by currency. */
  amounts: Record<string, string>;
}

const SUMS = sql<Sums>`(SELECT jsonb_build_object(
    'products', count(DISTINCT l.product_id), 'qty', coalesce(sum(l.qty) FILTER (WHERE l.way = 'BUY'), 0),
    'made', coalesce(sum(l.qty) FILTER (WHERE l.way = 'MAKE'), 0),
    'amounts', coalesce((SELECT jsonb_object_agg(c.currency, c.amount::text) FROM (
        SELECT currency, sum(amount) AS amount FROM purchase.requisition_line AS m
         WHERE m.company_id = r.company_id AND m.requisition_id = r.id AND m.amount IS NOT NULL GROUP BY 1) AS c), '{}'))
   FROM purchase.requisition_line AS l WHERE l.company_id = r.company_id AND l.requisition_id = r.id)`;

function selected(ctx: Ctx, filter: RequisitionFilter) {
  return matching(ctx, filter).select([
    'r.id',
    'r.number',
    'r.state',
    'r.created_by_name as createdByName',
    'r.created_at as createdAt',
    'r.version',
    SUMS.as('sums'),
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

/** Amounts of several currencies in CNY, half-up to cents; null where a rate is missing. */
function inCny(amounts: Record<string, string>, rates: ReadonlyMap<string, string>): string | null {
  let total = new Decimal(0);
  for (const [currency, amount] of Object.entries(amounts)) {
    const rate = rates.get(currency);
    if (rate === undefined) return null;
    total = total.plus(new Decimal(amount).times(rate));
  }
  return total.toFixed(2);
}

async function rowsOf(ctx: Ctx, found: readonly DbRow[]): Promise<RequisitionRow[]> {
  const currencies = found.flatMap((row) => Object.keys(row.sums.amounts));
  const rates = await ratesOn(ctx, currencies, ctx.clock.today());
  return found.map(({ sums, ...row }) => ({
    ...row,
    state: row.state as RequisitionState,
    products: sums.products,
    qty: sums.qty,
    made: sums.made,
    amount: inCny(sums.amounts, rates),
  }));
}

/** One page of plans that were handed in, the newest first. Amounts in CNY by today's rates. */
export async function requisitionPage(
  ctx: Ctx,
  request: PageRequest<RequisitionFilter>,
): Promise<PageOf<RequisitionRow>> {
  const def: ListDef<DbRow, DbRow> = {
    row: RequisitionRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: { number: 'r.number', createdAt: 'r.created_at' },
    order: [['r.id', 'desc']],
    key: 'r.id',
  };
  const found = await page(ctx, request, def);
  return { ...found, records: await rowsOf(ctx, found.records) };
}

/** One plan as lists show it; undefined for one that is not there. */
export async function requisitionRow(ctx: Ctx, id: string): Promise<RequisitionRow | undefined> {
  const rows = await selected(ctx, {}).where('r.id', '=', id).execute();
  return (await rowsOf(ctx, rows))[0];
}

/** How many plans are in each state under the other filters; "all" is their sum. */
export async function requisitionCounts(
  ctx: Ctx,
  { state: _, ...others }: RequisitionFilter,
): Promise<Record<string, number>> {
  const rows = await matching(ctx, others)
    .select(['r.state', sql<number>`count(*)::int`.as('n')])
    .groupBy('r.state')
    .execute();
  const all = rows.reduce((sum, row) => sum + row.n, 0);
  return { ...Object.fromEntries(rows.map((row) => [row.state, row.n])), all };
}
