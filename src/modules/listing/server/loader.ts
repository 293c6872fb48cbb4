import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import {
  asideWarning,
  FileRefused,
  type LandCounts,
  listingsActive,
  listingsAll,
  listingsInactive,
  listingsOpen,
  marketplaceNow,
  type ReportCheck,
  type ReportLoader,
  type ListingRow as ReportRow,
  type ReportSource,
  type RowRefused,
  refuseTooBad,
} from '#modules/marketplace/server/index.ts';
import type { ListingFact } from './fact.ts';
import { landListings } from './land.ts';
import { conditionOf, fulfilmentOf, statusOf } from './report-words.ts';

interface Kind {
  reader: typeof listingsAll;
  /** State of every row of a report that holds one state only. */
  status?: ListingFact['status'];
  /** Whether the report holds every listing of the marketplace. */
  full: boolean;
}

const KINDS: readonly Kind[] = [
  { reader: listingsAll, full: true },
  { reader: listingsActive, status: 'ACTIVE', full: false },
  { reader: listingsInactive, status: 'INACTIVE', full: false },
  { reader: listingsOpen, full: false },
];

function kindOf(source: ReportSource): Kind {
  const kind = KINDS.find(({ reader }) => reader.type === source.reportType);
  if (!kind) throw refused(`暂不支持的报表类型：${source.reportType}`, 'B0401');
  return kind;
}

/** The one marketplace that a listings report speaks of: the file itself does not name it. */
function siteOf(source: ReportSource): string {
  const [marketplaceId, ...more] = source.marketplaceIds;
  if (marketplaceId === undefined || more.length > 0) throw refused('商品报告只对应一个站点，请选择站点', 'B0402');
  return marketplaceId;
}

function factOf(row: ReportRow, marketplaceId: string, status: ListingFact['status']): ListingFact {
  return {
    sellerSku: row.sku,
    asin: row.asin || undefined,
    title: row.itemName || undefined,
    imageUrl: row.imageUrl || undefined,
    price: row.price,
    currency: marketplaceOf(marketplaceId)?.currency ?? '',
    quantity: row.quantity === null || fulfilmentOf(row) === 'AMAZON' ? null : Number(row.quantity),
    fulfilledBy: fulfilmentOf(row),
    status: status ?? statusOf(row.status),
    condition: conditionOf(row.itemCondition),
    openedAt: row.openedAt ?? undefined,
  };
}

function readingOf(source: ReportSource) {
  const { reader, status, full } = kindOf(source);
  const marketplaceId = siteOf(source);
  const refused: RowRefused[] = [];
  const reading = reader.read(source.open, { charset: source.charset, marketplaceId, aside: refused });
  return { reading, status, full, marketplaceId, refused };
}

/** Reads a whole file as a load would, but writes nothing. @throws FileRefused */
async function check(source: ReportSource): Promise<ReportCheck> {
  const { reading, status, marketplaceId, refused } = readingOf(source);
  const { warnings } = await reading.header;
  const skus = new Set<string>();
  let rows = 0;
  let active = 0;
  for await (const batch of reading.rows) {
    for (const row of batch) {
      rows += 1;
      skus.add(row.sku);
      if (factOf(row, marketplaceId, status).status === 'ACTIVE') active += 1;
    }
  }
  refuseTooBad(refused, rows + refused.length);
  const name = marketplaceOf(marketplaceId)?.name ?? marketplaceId;
  const doubled = rows - skus.size;
  return {
    rows,
    from: null,
    to: null,
    summary: `${name} · ${skus.size} 个商品 · 在售 ${active}`,
    warnings: [
      ...warnings,
      ...asideWarning(refused),
      ...(doubled > 0 ? [`${doubled} 行的 SKU 重复，以最后一行为准`] : []),
    ],
  };
}

/**
 * The marketplace time that a report speaks of. The file does not state one: it is the moment of the first load, and a
 * later load of the same bytes keeps it, so that an old file cannot undo what was learnt since.
 */
async function timeOf(ctx: Ctx, source: ReportSource, marketplaceId: string): Promise<string> {
  const now = ctx.runtime.config.marketplace ? await marketplaceNow(ctx.runtime) : ctx.runtime.clock.now();
  const { rows } = await sql<{ as_of: string }>`
    INSERT INTO listing.report_load AS r (company_id, account_id, marketplace_id, report_type, sha256, as_of)
    VALUES (${ctx.companyId}, ${source.account.id}, ${marketplaceId}, ${source.reportType}, ${source.sha256}, ${now})
    ON CONFLICT (company_id, account_id, marketplace_id, report_type, sha256) DO UPDATE SET as_of = r.as_of
    RETURNING as_of`.execute(ctx.db);
  return rows[0]?.as_of ?? now.toISOString();
}

async function load(ctx: Ctx, source: ReportSource): Promise<LandCounts> {
  const { reading, status, full, marketplaceId, refused } = readingOf(source);
  if (!source.account.marketplaceIds.includes(marketplaceId)) {
    throw new FileRefused('FOREIGN', '所选站点不属于该店铺');
  }
  const asOf = await timeOf(ctx, source, marketplaceId);
  async function* facts(): AsyncGenerator<ListingFact[]> {
    for await (const batch of reading.rows) yield batch.map((row) => factOf(row, marketplaceId, status));
  }
  const of = {
    accountId: source.account.id,
    marketplaceId,
    asOf,
    source: 'report' as const,
    // A file with lines left out does not show what is gone; which those are is known at its end.
    get full() {
      return full && refused.length === 0;
    },
  };
  const counts = await landListings(ctx, of, facts());
  refuseTooBad(refused, counts.rowsIn + refused.length);
  return { ...counts, quarantined: refused.length, refused };
}

/** The merchant listings reports, of the marketplace or of a user. */
export const listingLoader: ReportLoader = {
  reportTypes: KINDS.map(({ reader }) => reader.type),
  title: '商品报告',
  check,
  load,
};
