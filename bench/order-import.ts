import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { extensionsOf } from '#kit/server/extension.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type ReportSource, reportLoaders } from '#modules/marketplace/server/index.ts';
import { report, timed } from './support/measure.ts';
import type { BenchWorld } from './support/world.ts';

const TYPE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const COLUMNS = [
  'amazon-order-id',
  'merchant-order-id',
  'purchase-date',
  'last-updated-date',
  'order-status',
  'fulfillment-channel',
  'sales-channel',
  'order-channel',
  'ship-service-level',
  'product-name',
  'sku',
  'asin',
  'item-status',
  'quantity',
  'currency',
  'item-price',
  'item-tax',
  'shipping-price',
  'shipping-tax',
  'gift-wrap-price',
  'gift-wrap-tax',
  'item-promotion-discount',
  'ship-promotion-discount',
  'ship-city',
  'ship-state',
  'ship-postal-code',
  'ship-country',
  'promotion-ids',
  'is-business-order',
  'purchase-order-number',
  'price-designation',
];

/** Nine lines of ten are an order of their own, every tenth belongs to the order before it. */
function line(index: number): string {
  const order = index - (index % 10 === 9 ? 1 : 0);
  const id = `113-${String(1_000_000 + (order % 9_000_000))}-${String(1_000_000 + Math.floor(order / 9_000_000))}`;
  const day = String(1 + (index % 28)).padStart(2, '0');
  const hour = String(index % 24).padStart(2, '0');
  const at = `2026-06-${day}T${hour}:15:00+00:00`;
  const price = (10 + (index % 90) + 0.99).toFixed(2);
  return `${id}\t${id}\t${at}\t${at}\tShipped\tAmazon\tAmazon.com\t\tExpedited\tProduct ${index % 500}\tSKU-${index % 500}\tB0${String(index % 500).padStart(8, '0')}\tShipped\t1\tUSD\t${price}\t0.80\t\t\t\t\t\t\tSeattle\tWA\t98101\tUS\t\tfalse\t\t`;
}

function* file(lines: number): Generator<Buffer> {
  yield Buffer.from(`${COLUMNS.join('\t')}\n`);
  for (let from = 0; from < lines; from += 2000) {
    let chunk = '';
    for (let index = from; index < Math.min(lines, from + 2000); index += 1) chunk += `${line(index)}\n`;
    yield Buffer.from(chunk);
  }
}

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
  await admin.query(
    `CREATE TEMP TABLE raw (line_no serial, ${COLUMNS.map((name) => `"${name}" text`).join(', ')}) ON COMMIT DROP`,
  );
  await pipeline(
    Readable.from(bytes()),
    admin.query(
      copyFrom(
        `COPY raw (${COLUMNS.map((name) => `"${name}"`).join(', ')}) FROM STDIN (FORMAT text, HEADER true, NULL '')`,
      ),
    ),
  );
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

/** Import of one all-orders report against COPY plus INSERT … SELECT of the same bytes into the same tables. */
export async function orderImport(world: BenchWorld, lines: number): Promise<void> {
  const loader = extensionsOf(world.runtime.modules, reportLoaders).find((l) => l.reportTypes.includes(TYPE));
  if (!loader) throw new Error('no loader');
  const principal = await world.company();
  const account = await world.account(principal);
  const other = await world.account(await world.company());
  const stored = await world.runtime.files.put(account.companyId, Readable.from(file(lines)));
  const open = () => world.runtime.files.open(account.companyId, stored.sha256);
  const source: ReportSource = {
    account,
    reportType: TYPE,
    marketplaceIds: account.marketplaceIds,
    open,
    charset: 'UTF-8',
    sha256: stored.sha256,
    documentId: randomUUID(),
    fileName: 'bench.txt',
  };
  const load = () =>
    timed(() => inTenant(world.runtime, principal, (ctx) => loader.load(ctx, source), { timeoutMs: 30 * 60_000 }));
  const baseline = await timed(() => byHand(world, other.companyId, other.id, other.sellingPartnerId, open));
  const ours = await load();
  const again = await load();
  const size = `${(stored.size / 1e6).toFixed(0)} MB`;
  report(`order file, ${lines} lines, ${size}`, ours.ms, baseline.ms, 'ms', '<= 2', `memory +${ours.peakMb} MB`);
  report('  the same file again', again.ms, baseline.ms, 'ms', '<= 1');
}
