import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { ALL_GROUPS } from '#modules/profit/contract/figures.ts';
import type { Region, SimAccount } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { PATIENCE_MS } from './patience.ts';
import type { Person, World } from './world.ts';

interface Sales {
  orders: number;
  units: number;
  sales: string;
}

/** What is compared: pieces and money to the cent, by name, so that a difference reads as a sentence. */
export interface Figures {
  /** By marketplace. */
  sales: Record<string, Sales>;
  /** "marketplace sku" to units sold. */
  unitsBySku: Record<string, number>;
  /** "marketplace sku" to "fulfillable/unsellable". */
  stock: Record<string, string>;
  /** Settlement id to "total lines". */
  settlements: Record<string, string>;
  /** "marketplace sku" to "pieces sales refunds net": what the profit report says before cost, without shared money. */
  earned: Record<string, string>;
  /** Marketplace to "shared whole": money that names no SKU, as the report shares it out, and all of it. */
  profit: Record<string, string>;
}

function money(amount: string): string {
  return new Decimal(amount).toFixed(2);
}

async function dictionary(
  ctx: Ctx,
  query: RawBuilder<{ key: string; value: unknown }>,
): Promise<Record<string, unknown>> {
  const { rows } = await query.execute(ctx.db);
  return Object.fromEntries(rows.map((row) => [row.key, row.value]));
}

/** Lines that count as sold: not cancelled, not a replacement, not put in another's place. */
const counted = (companyId: string, accountId: string) => sql`
    FROM "order".amazon_order_line l
    JOIN "order".amazon_order o USING (company_id, selling_partner_id, amazon_order_id)
   WHERE l.company_id = ${companyId} AND l.account_id = ${accountId} AND l.superseded_by IS NULL
     AND o.channel = 'AMAZON' AND NOT o.is_replacement AND o.status NOT IN ('CANCELLED', 'UNFULFILLABLE')`;

/** Waits until the profit of all money that has arrived is counted. */
async function untilCounted(world: World, person: Person): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const left = await world.as(person, async ({ db, companyId }) => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*) AS n FROM profit.dirty WHERE company_id = ${companyId}`.execute(db);
      return rows[0]?.n ?? 0;
    });
    if (left === 0) return;
    if (Date.now() > deadline) throw new Error(`the profit of ${left} SKU days was not counted`);
    await sleep(100);
  }
}

/** The product's books, straight from its tables, once a worker that must be running has counted everything. */
export async function productFigures(world: World, person: Person, accountId: string): Promise<Figures> {
  await untilCounted(world, person);
  return world.as(person, async (ctx) => {
    const { companyId } = ctx;
    // Nobody has told the planner of this company's orders yet; walking from each to all lines takes half a second.
    await sql`SET LOCAL enable_nestloop = off`.execute(ctx.db);
    const from = counted(companyId, accountId);
    const sales = await dictionary(
      ctx,
      sql`SELECT l.marketplace_id AS key, json_build_object('orders', count(DISTINCT l.amazon_order_id),
            'units', sum(l.quantity), 'sales', sum(coalesce(l.item_price, l.estimated_price))::numeric(18,2)::text) AS value
          ${from} GROUP BY 1`,
    );
    const unitsBySku = await dictionary(
      ctx,
      sql`SELECT l.marketplace_id || ' ' || l.seller_sku AS key, sum(l.quantity) AS value ${from} GROUP BY 1`,
    );
    const stock = await dictionary(
      ctx,
      sql`SELECT marketplace_id || ' ' || seller_sku AS key, fulfillable || '/' || unsellable AS value
            FROM inventory.fba_stock WHERE company_id = ${companyId} AND account_id = ${accountId}`,
    );
    const settlements = await dictionary(
      ctx,
      sql`SELECT settlement_id AS key, total_amount::numeric(18,2) || ' ' || line_count AS value FROM settlement.settlement
           WHERE company_id = ${companyId} AND account_id = ${accountId} AND superseded_at IS NULL`,
    );
    const amounts = (columns: readonly string[]) => sql.raw(`sum(${columns.join(' + ')})`);
    const earned = await dictionary(
      ctx,
      sql`SELECT marketplace_id || ' ' || sku AS key,
                 concat_ws(' ', sum(units), ${amounts(['principal', 'shipping'])}::numeric(18,2), ${amounts(['refund'])}::numeric(18,2), ${amounts(ALL_GROUPS)}::numeric(18,2)) AS value
            FROM profit.profit_daily
           WHERE company_id = ${companyId} AND account_id = ${accountId} AND scope = 'DIRECT' GROUP BY marketplace_id, sku`,
    );
    const profit = await dictionary(
      ctx,
      sql`SELECT marketplace_id AS key,
                 concat_ws(' ', (${amounts(ALL_GROUPS)} FILTER (WHERE scope = 'SHARE'))::numeric(18,2), ${amounts(ALL_GROUPS)}::numeric(18,2)) AS value
            FROM profit.profit_daily WHERE company_id = ${companyId} AND account_id = ${accountId} GROUP BY 1`,
    );
    return { sales, unitsBySku, stock, settlements, earned, profit } as Figures;
  });
}

function accountIn(sandbox: Sandbox, sellingPartnerId: string, region: Region): SimAccount {
  const account = sandbox.business.accounts.find((a) => a.sellingPartnerId === sellingPartnerId && a.region === region);
  if (!account) throw new Error(`no account ${sellingPartnerId} in ${region}`);
  return account;
}

/** The marketplace's own books, which the product never reads. */
export function truthFigures(sandbox: Sandbox, sellingPartnerId: string, region: Region): Figures {
  const account = accountIn(sandbox, sellingPartnerId, region);
  const now = sandbox.clock.now();
  const figures: Figures = { sales: {}, unitsBySku: {}, stock: {}, settlements: {}, earned: {}, profit: {} };
  for (const marketplaceId of account.marketplaceIds) {
    const truth = sandbox.business.truth(account, marketplaceId, { from: 0, to: now }, now);
    figures.sales[marketplaceId] = { orders: truth.orders, units: truth.units, sales: money(truth.productSales) };
    for (const row of truth.bySku) {
      if (row.units > 0) figures.unitsBySku[`${marketplaceId} ${row.sku}`] = row.units;
    }
    for (const row of truth.stock) {
      figures.stock[`${marketplaceId} ${row.sku}`] = `${row.fulfillable}/${row.unsellable}`;
    }
    for (const row of truth.money.bySku) {
      const texts = [row.units, money(row.sales), money(row.refunds), money(row.net)];
      figures.earned[`${marketplaceId} ${row.sku}`] = texts.join(' ');
    }
    figures.profit[marketplaceId] = `${money(truth.money.shop)} ${money(truth.money.net)}`;
  }
  for (const one of sandbox.business.settlements(account, now)) {
    figures.settlements[one.settlementId] = `${money(one.total)} ${one.lines.length}`;
  }
  return figures;
}

/**
 * Holds the product's books against the marketplace's. A worker must be running: what was loaded a moment ago is still
 * being counted.
 */
export async function expectBooks(world: World, person: Person, accountId: string, truth: Figures): Promise<void> {
  await expect
    .poll(() => productFigures(world, person, accountId), { timeout: PATIENCE_MS, interval: 250 })
    .toEqual(truth);
}
