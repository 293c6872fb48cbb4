import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { extensionsOf } from '#kit/server/extension.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type AccountRef, type ReportSource, reportLoaders } from '#modules/marketplace/server/index.ts';
import { liveMemory, reportTimes, step, timed, withPeak } from './support/measure.ts';
import { copyBytes, plainCopy, textColumns } from './support/plain-copy.ts';
import type { BenchWorld } from './support/world.ts';

const TYPE = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const HEADER =
  'settlement-id\tsettlement-start-date\tsettlement-end-date\tdeposit-date\ttotal-amount\tcurrency\ttransaction-type\torder-id\tmerchant-order-id\tadjustment-id\tshipment-id\tmarketplace-name\tamount-type\tamount-description\tamount\tfulfillment-id\tposted-date\tposted-date-time\torder-item-code\tmerchant-order-item-id\tmerchant-adjustment-item-id\tsku\tquantity-purchased\tpromotion-id';
const KINDS = [
  ['ItemPrice', 'Principal', 2999],
  ['ItemPrice', 'Tax', 240],
  ['ItemFees', 'Commission', -450],
  ['ItemFees', 'FBAPerUnitFulfillmentFee', -386],
] as const;

function cents(value: number): string {
  return `${value < 0 ? '-' : ''}${Math.floor(Math.abs(value) / 100)}.${String(Math.abs(value) % 100).padStart(2, '0')}`;
}

function detail(id: string, index: number): string {
  const [type, description, amount] = KINDS[index % KINDS.length] ?? KINDS[0];
  const order = Math.floor(index / KINDS.length);
  const orderId = `111-${String(1_000_000 + (order % 9_000_000))}-${String(1_000_000 + ((order * 7) % 9_000_000))}`;
  const day = String(1 + (order % 14)).padStart(2, '0');
  return `${id}\t\t\t\t\t\tOrder\t${orderId}\t${orderId}\t\tD${order}\tAmazon.com\t${type}\t${description}\t${cents(amount)}\tAFN\t2026-06-${day}\t2026-06-${day} 10:00:00 UTC\t${10_000_000_000_000 + order}\t\t\tSKU-${order % 500}\t${index % 4 === 0 ? '1' : ''}\t`;
}

/** A balanced settlement file of `lines` lines, made while it is read. */
function* file(id: string, lines: number): Generator<Buffer> {
  let total = 0;
  for (let index = 0; index < lines; index += 1) total += KINDS[index % KINDS.length]?.[2] ?? 0;
  yield Buffer.from(
    `${HEADER}\n${id}\t2026-06-01 00:00:00 UTC\t2026-06-15 00:00:00 UTC\t2026-06-17 00:00:00 UTC\t${cents(total)}\tUSD${'\t'.repeat(18)}\n`,
  );
  for (let from = 0; from < lines; from += 2000) {
    let chunk = '';
    for (let index = from; index < Math.min(lines, from + 2000); index += 1) chunk += `${detail(id, index)}\n`;
    yield Buffer.from(chunk);
  }
}

/** What anybody would write by hand: COPY the bytes into text columns, then one INSERT … SELECT into the ledger. */
async function byHand(world: BenchWorld, companyId: string, accountId: string, bytes: () => AsyncIterable<Uint8Array>) {
  const { admin } = world;
  const document = randomUUID();
  await admin.query('BEGIN');
  await admin.query(
    `INSERT INTO settlement.source_doc (company_id, id, account_id, kind, external_id, version, marketplace_id, currency, total, content_hash)
     VALUES ($1, $2, $3, 'SETTLEMENT', $4, 1, 'ATVPDKIKX0DER', 'USD', 0, '-')`,
    [companyId, document, accountId, document],
  );
  const columns = HEADER.split('\t');
  await admin.query(`CREATE TEMP TABLE raw (line_no serial, ${textColumns(columns)}) ON COMMIT DROP`);
  await copyBytes(admin, 'raw', columns, bytes);
  await admin.query(
    `INSERT INTO settlement.money_line
       (company_id, source_doc_id, line_no, part, account_id, source, stage, marketplace_id, marketplace_from,
        transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id, ref_kind,
        ref_value, order_item_code, adjustment_id, shipment_id, fulfillment_id, sku, sku_from, quantity, promotion_id,
        amount, currency, posted_at, posted_date)
     SELECT $1, $2, line_no, 1, $3, 'SETTLEMENT', 'SETTLED', 'ATVPDKIKX0DER', 'FILE', "transaction-type", "amount-type",
            "amount-description", 'PRINCIPAL', 'REVENUE', 1, "order-id", 'ORDER', "order-id", "order-item-code",
            "adjustment-id", "shipment-id", "fulfillment-id", coalesce(sku, ''), 'FILE', "quantity-purchased"::int,
            "promotion-id", amount::numeric, 'USD', replace("posted-date-time", ' UTC', 'Z')::timestamptz,
            (replace("posted-date-time", ' UTC', 'Z')::timestamptz AT TIME ZONE 'America/Los_Angeles')::date
       FROM raw WHERE amount IS NOT NULL`,
    [companyId, document, accountId],
  );
  await admin.query('COMMIT');
}

/** A settlement file in the product's store, and what its loader gets of it. */
async function storedFile(world: BenchWorld, account: AccountRef, id: string, lines: number) {
  const stored = await world.runtime.files.put(account.companyId, Readable.from(file(id, lines)));
  const source: ReportSource = {
    account,
    reportType: TYPE,
    marketplaceIds: account.marketplaceIds,
    open: () => world.runtime.files.open(account.companyId, stored.sha256),
    charset: 'UTF-8',
    sha256: stored.sha256,
    documentId: randomUUID(),
    fileName: 'bench.txt',
  };
  return { source, size: stored.size };
}

/** Import of one settlement file against COPY plus INSERT … SELECT of the same bytes into the same table. */
export async function settlementImport(world: BenchWorld, lines: number): Promise<void> {
  const loader = extensionsOf(world.runtime.modules, reportLoaders).find((l) => l.reportTypes.includes(TYPE));
  if (!loader) throw new Error('no loader');
  const principal = await world.company();
  const account = await world.account(principal);
  const other = await world.account(await world.company());
  const load = (source: ReportSource) => () =>
    inTenant(world.runtime, principal, (ctx) => loader.load(ctx, source), { timeoutMs: 30 * 60_000 });
  const used: string[] = [];
  for (const part of [50, 5]) {
    const { source } = await storedFile(world, account, `200000000${part + 10}`, lines / part);
    const mb = await step(`memory at ${lines / part} lines`, () => liveMemory(load(source)));
    used.push(`+${mb} MB at ${lines / part} lines`);
  }
  const { source, size } = await storedFile(world, account, '20000000001', lines);
  const plain = await step('plain COPY', () =>
    timed(world, () => plainCopy(world.admin, HEADER.split('\t'), source.open)),
  );
  const baseline = await step('by hand', () =>
    timed(world, () => byHand(world, other.companyId, other.id, source.open)),
  );
  const { result: ours, peak } = await step('product', () => withPeak(() => timed(world, load(source))));
  const again = await step('the same again', () => timed(world, load(source)));
  const name = `settlement file, ${lines} lines, ${(size / 1e6).toFixed(0)} MB`;
  reportTimes(name, ours, baseline, '<= 2', `${peak}; memory in use ${used.join(', ')}`);
  reportTimes('  against COPY into a plain table', ours, plain, '<= 3');
  reportTimes('  the same file again', again, baseline, '<= 0.05');
}
