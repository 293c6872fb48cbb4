import { sql } from 'kysely';
import { formatInteger } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import {
  asideWarning,
  type FbaInventoryRow,
  FileRefused,
  fbaInventory,
  type LandCounts,
  marketplaceNow,
  type ReportCheck,
  type ReportLoader,
  type ReportSource,
  type RowRefused,
  refuseTooBad,
} from '#modules/marketplace/server/index.ts';
import { conditionOf, type StockFact } from './fact.ts';
import { landStock } from './land.ts';

/** The one marketplace that a stock report speaks of: the file itself does not name it. */
function siteOf(source: ReportSource): string {
  const [marketplaceId, ...more] = source.marketplaceIds;
  if (marketplaceId === undefined || more.length > 0) throw refused('FBA库存报告只对应一个站点，请选择站点', 'B0501');
  return marketplaceId;
}

function factOf(row: FbaInventoryRow): StockFact {
  return {
    sellerSku: row.sku,
    condition: conditionOf(row.condition),
    fnsku: row.fnsku,
    asin: row.asin,
    fulfillable: Number(row.fulfillable),
    unsellable: Number(row.unsellable),
    reserved: Number(row.reserved),
    // The report splits off transfers only; half a split would not add up.
    reservedCustomer: null,
    reservedTransfer: null,
    reservedProcessing: null,
    researching: Number(row.researching),
    inboundWorking: Number(row.inboundWorking),
    inboundShipped: Number(row.inboundShipped),
    inboundReceiving: Number(row.inboundReceiving),
    statedTotal: Number(row.total),
    lastUpdatedAt: undefined,
  };
}

function readingOf(source: ReportSource) {
  const marketplaceId = siteOf(source);
  const refused: RowRefused[] = [];
  const reading = fbaInventory.read(source.open, { charset: source.charset, marketplaceId, aside: refused });
  return { marketplaceId, reading, refused };
}

const ourTotal = (fact: StockFact): number =>
  fact.fulfillable +
  fact.unsellable +
  fact.reserved +
  fact.researching +
  fact.inboundWorking +
  fact.inboundShipped +
  fact.inboundReceiving;

/** Reads a whole file as a load would, but writes nothing. @throws FileRefused */
async function check(source: ReportSource): Promise<ReportCheck> {
  const { reading, marketplaceId, refused: left } = readingOf(source);
  const { warnings } = await reading.header;
  let rows = 0;
  let fulfillable = 0;
  let total = 0;
  let odd = 0;
  for await (const batch of reading.rows) {
    for (const fact of batch.map(factOf)) {
      rows += 1;
      fulfillable += fact.fulfillable;
      total += fact.statedTotal;
      if (ourTotal(fact) !== fact.statedTotal) odd += 1;
    }
  }
  refuseTooBad(left, rows + left.length);
  const name = marketplaceOf(marketplaceId)?.name ?? marketplaceId;
  return {
    rows,
    from: null,
    to: null,
    summary: `${name} · ${rows} 个SKU · 可售 ${formatInteger(fulfillable)} · 合计 ${formatInteger(total)}`,
    warnings: [
      ...warnings,
      ...asideWarning(left),
      ...(odd > 0 ? [`${odd} 行的各项之和与报告的合计不符，按各项入库`] : []),
    ],
  };
}

/**
 * The marketplace time that a report speaks of. The file does not state one: it is the moment of the first load, and a
 * later load of the same bytes keeps it, so that an old file cannot undo what was learnt since.
 */
export async function timeOf(ctx: Ctx, source: ReportSource, marketplaceId: string): Promise<string> {
  const now = ctx.runtime.config.marketplace ? await marketplaceNow(ctx.runtime) : ctx.runtime.clock.now();
  const { rows } = await sql<{ as_of: string }>`
    INSERT INTO inventory.report_load AS r (company_id, account_id, marketplace_id, sha256, as_of)
    VALUES (${ctx.companyId}, ${source.account.id}, ${marketplaceId}, ${source.sha256}, ${now})
    ON CONFLICT (company_id, account_id, marketplace_id, sha256) DO UPDATE SET as_of = r.as_of
    RETURNING as_of`.execute(ctx.db);
  return rows[0]?.as_of ?? now.toISOString();
}

async function load(ctx: Ctx, source: ReportSource): Promise<LandCounts> {
  const { reading, marketplaceId, refused: left } = readingOf(source);
  if (!source.account.marketplaceIds.includes(marketplaceId)) {
    throw new FileRefused('FOREIGN', '所选站点不属于该店铺');
  }
  const facts: StockFact[] = [];
  for await (const batch of reading.rows) facts.push(...batch.map(factOf));
  refuseTooBad(left, facts.length + left.length);
  const asOf = await timeOf(ctx, source, marketplaceId);
  const counts = await landStock(ctx, { accountId: source.account.id, marketplaceId, asOf, source: 'report' }, facts);
  return { ...counts, quarantined: left.length, refused: left };
}

/** The FBA stock report, of the marketplace or of a user. */
export const stockLoader: ReportLoader = {
  reportTypes: [fbaInventory.type],
  title: fbaInventory.title,
  check,
  load,
};
