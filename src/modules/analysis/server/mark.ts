import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { adSpendTouched } from '#modules/advertising/server/index.ts';
import { stockTouched } from '#modules/inventory/server/index.ts';
import { listingsTouched, ranksTouched } from '#modules/listing/server/index.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { profitFolded } from '#modules/profit/server/index.ts';
import { trafficTouched } from '#modules/report/server/index.ts';
import { salesFolded } from '#modules/sales/server/index.ts';

/** Pause before rows are made anew, in which further changes join them. */
const GATHER_MS = 2_000;

/** Has an account's marked rows made anew soon; asked again before it began, it is still queued once. */
async function refreshSoon(ctx: Ctx, accountId: string): Promise<void> {
  const key = `analysis.refresh:${ctx.companyId}:${accountId}`;
  await enqueue(
    ctx,
    'analysis.refresh',
    { companyId: ctx.companyId, accountId },
    { key, keyMode: 'preserve_run_at', queue: key, runAt: new Date(ctx.runtime.clock.ms() + GATHER_MS) },
  );
}

/** Marks all rows of an account. */
export async function markAccount(ctx: Ctx, accountId: string): Promise<void> {
  await sql`INSERT INTO analysis.dirty (company_id, account_id) VALUES (${ctx.companyId}, ${accountId})`.execute(
    ctx.db,
  );
  await refreshSoon(ctx, accountId);
}

/** Marks all rows of the company. Returns the number of its accounts. */
export async function markAll(ctx: Ctx): Promise<number> {
  const accounts = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .orderBy('id')
    .execute();
  for (const { id } of accounts) await markAccount(ctx, id);
  return accounts.length;
}

/** Sales are told by SKU; they make nothing but those SKUs' rows anew. */
const onSales = on(salesFolded, async (ctx, { accountId, table }) => {
  await sql`
    INSERT INTO analysis.dirty (company_id, account_id, seller_sku)
    SELECT DISTINCT ${ctx.companyId}::uuid, ${accountId}::uuid, seller_sku FROM ${sql.table(`pg_temp.${table}`)}
     WHERE seller_sku IS NOT NULL`.execute(ctx.db);
  await refreshSoon(ctx, accountId);
});

export const handlers = [
  onSales,
  on(listingsTouched, (ctx, { accountId }) => markAccount(ctx, accountId)),
  on(ranksTouched, (ctx, { accountId }) => markAccount(ctx, accountId)),
  on(stockTouched, (ctx, { accountId }) => markAccount(ctx, accountId)),
  on(trafficTouched, (ctx, { accountId }) => markAccount(ctx, accountId)),
  on(adSpendTouched, (ctx, { accountId }) => markAccount(ctx, accountId)),
  on(profitFolded, (ctx, { accountId }) => markAccount(ctx, accountId)),
  on(uploadUndone, async (ctx) => {
    await markAll(ctx);
  }),
];
