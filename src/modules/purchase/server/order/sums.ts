import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { OrderFilter } from '../../contract/order.ts';

/** Orders of one currency added up: how many, their pieces, and money in that currency. */
export interface OrderSums {
  currency: string;
  orders: number;
  qty: number;
  receivedQty: number;
  /** Of placed orders only. */
  openQty: number;
  amount: string;
  dueAmount: string;
  paidAmount: string;
}

/** Filters that the sums by day know; each other one is answered by the orders themselves. */
const BY_DAY: readonly string[] = ['stage', 'warehouse', 'type', 'created'] satisfies (keyof OrderFilter)[];

const given = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false && value !== '';

/** Whether the sums by day answer for a filter. */
export function keptByDay(filter: OrderFilter): boolean {
  return Object.entries(filter).every(([key, value]) => BY_DAY.includes(key) || !given(value));
}

/** The cells of the filter; only for those that keptByDay() is true of. */
function cells(ctx: Ctx, { stage, warehouse, type, created }: OrderFilter) {
  let query = ctx.db.selectFrom('purchase.order_sum as o').where('o.company_id', '=', ctx.companyId);
  if (stage?.length) query = query.where('o.stage', 'in', stage);
  if (warehouse?.length) query = query.where('o.warehouse_id', 'in', warehouse);
  if (type) query = query.where('o.type', '=', type);
  if (created?.from) query = query.where('o.day', '>=', created.from);
  if (created?.to) query = query.where('o.day', '<=', created.to);
  return query;
}

type Addable = SelectQueryBuilder<never, never, object>;

/** One row of sums for each currency; `n` is how many orders a row stands for, `open` its pieces that are waited for. */
async function byCurrency(rows: unknown, n: Expression<number>, open: Expression<number>): Promise<OrderSums[]> {
  const pieces = (value: Expression<unknown>) => sql<number>`sum(${value})::bigint`;
  const money = (column: string) => sql<string>`sum(${sql.ref(column)})::text`;
  return await (rows as Addable)
    .select([
      sql.ref<string>('o.currency').as('currency'),
      pieces(n).as('orders'),
      pieces(sql.ref('o.qty')).as('qty'),
      pieces(sql.ref('o.received_qty')).as('receivedQty'),
      pieces(open).as('openQty'),
      money('o.amount').as('amount'),
      money('o.due_amount').as('dueAmount'),
      money('o.paid_amount').as('paidAmount'),
    ])
    .groupBy(sql.ref('o.currency'))
    .having(pieces(n), '>', 0)
    .orderBy(sql.ref('o.currency'))
    .execute();
}

/**
 * Sums over all orders of a filter, one row per currency: from the sums by day where they know the filter, else from
 * `matching`, the orders of the filter under the name `o`.
 */
export async function sumsOf(ctx: Ctx, filter: OrderFilter, matching: () => Promise<unknown>): Promise<OrderSums[]> {
  if (keptByDay(filter)) return byCurrency(cells(ctx, filter), sql.ref('o.orders'), sql.ref('o.open_qty'));
  const open = sql<number>`CASE WHEN o.state = 'ordered' THEN o.open_qty ELSE 0 END`;
  return byCurrency(await matching(), sql<number>`1`, open);
}

/** The sums as totals of the list, by field of its row. */
export async function asTotals(ctx: Ctx, sums: readonly OrderSums[]): Promise<Totals> {
  const all = (field: 'qty' | 'receivedQty' | 'openQty') => sums.reduce((total, row) => total + row[field], 0);
  return {
    ...(await moneyTotals(ctx, sums, ['amount', 'dueAmount', 'paidAmount'])),
    qty: all('qty'),
    receivedQty: all('receivedQty'),
    openQty: all('openQty'),
  };
}

/** How many orders are in each stage, from the sums by day; only for filters that keptByDay() is true of. */
export async function stageCounts(ctx: Ctx, filter: OrderFilter): Promise<Record<string, number>> {
  const rows = await cells(ctx, filter)
    .select((eb) => ['o.stage', eb.fn.sum<number>('o.orders').as('n')])
    .groupBy('o.stage')
    .having((eb) => eb.fn.sum('o.orders'), '>', 0)
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.stage, Number(row.n)]));
  return { ...counts, all: rows.reduce((total, row) => total + Number(row.n), 0) };
}

/**
 * Counts the days on which orders changed anew from their orders, so that a cell has one row again. What others commit
 * meanwhile stays beside it: the rows that go and the orders that are counted are of one moment.
 */
export async function recountOrders(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('purchase.order_sum:' || ${ctx.companyId}, 0))`.execute(
    ctx.db,
  );
  await sql`
    WITH days AS (
      SELECT DISTINCT day FROM purchase.order_sum WHERE company_id = ${ctx.companyId} AND NOT exact
    ), gone AS (
      DELETE FROM purchase.order_sum AS s USING days WHERE s.company_id = ${ctx.companyId} AND s.day = days.day
    )
    INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, exact, orders, qty, received_qty,
                                    open_qty, amount, due_amount, paid_amount)
    SELECT o.company_id, days.day, o.warehouse_id, o.type, o.stage, o.currency, true, count(*), sum(o.qty), sum(o.received_qty),
           coalesce(sum(o.open_qty) FILTER (WHERE o.state = 'ordered'), 0), sum(o.amount), sum(o.due_amount),
           sum(o.paid_amount)
      FROM days JOIN purchase.purchase_order AS o
        ON o.company_id = ${ctx.companyId} AND o.made_on = days.day
     GROUP BY 1, 2, 3, 4, 5, 6`.execute(ctx.db);
}

/** Tidies every company's sums; one that fails does not keep the others from their turn. */
const recount: JobDef = job('purchase.recountOrders', async (runtime: Runtime) => {
  const { rows } = await inSystem(runtime, (db) =>
    sql<{ id: string }>`SELECT company_id AS id FROM identity.company WHERE status = 'active'`.execute(db),
  );
  for (const { id } of rows) {
    try {
      await inTenant(runtime, systemPrincipal(id), recountOrders, { timeoutMs: 10 * 60_000 });
    } catch (error) {
      runtime.log.error({ err: error, companyId: id }, 'sums of purchase orders could not be counted');
    }
  }
});

export const jobs: JobDef[] = [recount];
export const crons = [{ pattern: '*/15 * * * *', job: 'purchase.recountOrders' }];
