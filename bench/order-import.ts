import { inTenant } from '#kit/server/runtime.ts';
import { liveMemory, reportTimes, step, timed, withPeak } from './support/measure.ts';
import { COLUMNS, orderFile, orderLoader, storedReport } from './support/order-file.ts';
import { copyBytes, plainCopy, textColumns } from './support/plain-copy.ts';
import type { BenchWorld } from './support/world.ts';

/** By hand: COPY the bytes into text columns, then one INSERT … SELECT each into orders and lines. */
async function byHand(
  world: BenchWorld,
  companyId: string,
  accountId: string,
  seller: string,
  bytes: () => AsyncIterable<Uint8Array>,
) {
  const { admin } = world;
  await admin.query('BEGIN');
  // As much as the product takes for a load: whoever does it by hand would not sort a million rows on the disk either.
  await admin.query("SET LOCAL work_mem = '64MB'");
  await admin.query(`CREATE TEMP TABLE raw (line_no serial, ${textColumns(COLUMNS)}) ON COMMIT DROP`);
  await copyBytes(admin, 'raw', COLUMNS, bytes);
  await admin.query(
    `INSERT INTO "order".amazon_order
       (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, channel, fulfilled_by, status,
        purchased_at, local_date, last_updated_at, currency, item_amount, discount_amount, order_total, quantity,
        shipped_quantity, line_count, lead_sku, source, row_hash)
     SELECT $1, $2, "amazon-order-id", $3, 'ATVPDKIKX0DER', 'AMAZON', 'AMAZON', 'SHIPPED', min("purchase-date"::timestamptz),
            min(("purchase-date"::timestamptz AT TIME ZONE 'America/Los_Angeles')::date),
            max("last-updated-date"::timestamptz), 'USD', sum("item-price"::numeric), 0,
            sum("item-price"::numeric + "item-tax"::numeric), sum(quantity::int), sum(quantity::int), count(*), min(sku),
            'report', md5(string_agg(sku || "item-price", ','))::uuid
       FROM raw GROUP BY "amazon-order-id"`,
    [companyId, seller, accountId],
  );
  await admin.query(
    `INSERT INTO "order".amazon_order_line
       (company_id, selling_partner_id, amazon_order_id, item_key, account_id, marketplace_id, purchased_at, local_date,
        seller_sku, asin, quantity, first_quantity, shipped_quantity, currency, item_price, item_tax, source)
     SELECT $1, $2, "amazon-order-id", 'r:' || sku || '#' || row_number() OVER (PARTITION BY "amazon-order-id", sku),
            $3, 'ATVPDKIKX0DER', "purchase-date"::timestamptz,
            ("purchase-date"::timestamptz AT TIME ZONE 'America/Los_Angeles')::date, sku, asin, quantity::int,
            quantity::int, quantity::int, 'USD', "item-price"::numeric, "item-tax"::numeric, 'report'
       FROM raw`,
    [companyId, seller, accountId],
  );
  await admin.query('COMMIT');
}

/** Memory in use while files of a fiftieth and a fifth of the size are loaded: it should be the same for both. */
async function memory(world: BenchWorld, lines: number): Promise<string> {
  const loader = orderLoader(world);
  const used: number[] = [];
  for (const part of [50, 5]) {
    const principal = await world.company();
    const { source } = await storedReport(world, await world.account(principal), orderFile(lines / part));
    const load = () =>
      inTenant(world.runtime, principal, (ctx) => loader.load(ctx, source), { timeoutMs: 30 * 60_000 });
    used.push(await step(`memory at ${lines / part} lines`, () => liveMemory(load)));
  }
  return `memory in use +${used[0]} MB at ${lines / 50} lines, +${used[1]} MB at ${lines / 5}`;
}

/** Import of one all-orders report against COPY plus INSERT … SELECT of the same bytes into the same tables. */
export async function orderImport(world: BenchWorld, lines: number): Promise<void> {
  const loader = orderLoader(world);
  const principal = await world.company();
  const account = await world.account(principal);
  const other = await world.account(await world.company());
  const used = await memory(world, lines);
  const { source, size } = await storedReport(world, account, orderFile(lines));
  const load = () =>
    timed(world, () =>
      inTenant(world.runtime, principal, (ctx) => loader.load(ctx, source), { timeoutMs: 30 * 60_000 }),
    );
  const plain = await step('plain COPY', () => timed(world, () => plainCopy(world.admin, COLUMNS, source.open)));
  const baseline = await step('by hand', () =>
    timed(world, () => byHand(world, other.companyId, other.id, other.sellingPartnerId, source.open)),
  );
  const { result: ours, peak } = await step('product', () => withPeak(load));
  const again = await step('the same again', load);
  reportTimes(
    `order file, ${lines} lines, ${(size / 1e6).toFixed(0)} MB`,
    ours,
    baseline,
    '<= 1.6',
    `${peak}; ${used}`,
  );
  reportTimes('  against COPY into a plain table', ours, plain, '<= 3');
  reportTimes('  the same file again', again, baseline, '<= 0.05');
}
