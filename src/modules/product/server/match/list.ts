import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type MatchConflict, type MatchFilter, type MatchPart, MatchRow, type MatchWay } from '../../contract/match.ts';
import { countedRows, joined, type MatchDbRow, rowsOf, STATE, shownRows } from './query.ts';
import { stockedRows, withStocks } from './stocks.ts';

/** 「A×2 + B×1」 */
export function partsText(parts: readonly MatchPart[]): string {
  return parts.map((part) => `${part.sku}×${part.qty}`).join(' + ');
}

/** Sum of a decimal measure over the pieces of the parts; null where there is none or one is not known. */
export function sumOver(parts: readonly { qty: number; measure: string | null }[]): string | null {
  if (parts.length === 0 || parts.some((part) => part.measure === null)) return null;
  return Decimal.sum(...parts.map((part) => new Decimal(part.measure ?? 0).times(part.qty))).toFixed();
}

const stateOf = (row: MatchDbRow): MatchRow['state'] => {
  if (row.conflict !== null) return 'conflict';
  if (row.match_id !== null) return 'matched';
  return row.parts === null ? 'unmatched' : 'implied';
};

function toRow(row: MatchDbRow, stores: ReadonlyMap<string, string>): MatchRow {
  const all = row.parts ?? [];
  const parts = all.map(({ cost: _cost, weight: _weight, ...part }) => part);
  const implied: MatchWay | null = parts.length > 0 ? 'implied' : null;
  return {
    id: row.listing_id,
    matchId: row.match_id,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    product: { name: row.name, code: row.seller_sku, image: row.image },
    store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
    msku: row.seller_sku,
    asin: row.asin,
    fnsku: row.fnsku,
    state: stateOf(row),
    conflict: row.conflict as MatchConflict | null,
    fba: null,
    partsText: partsText(parts),
    units: parts.length === 1 ? (parts[0]?.qty ?? null) : null,
    local: null,
    unitCost: sumOver(all.map(({ qty, cost }) => ({ qty, measure: cost }))),
    weight: sumOver(all.map(({ qty, weight }) => ({ qty, measure: weight }))),
    way: row.match_id === null ? implied : (row.way as MatchWay),
    validFrom: row.valid_from,
    validTo: row.valid_to,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
    parts,
  };
}

async function listDef(ctx: Ctx, filter: MatchFilter, sort?: string): Promise<ListDef<MatchDbRow, MatchRow>> {
  const stores = await storeNames(ctx);
  return {
    row: MatchRow,
    query: rowsOf(ctx, filter, sort),
    counted: countedRows(ctx, filter),
    around: (rows) => shownRows(ctx, rows),
    sort: { product: 'l.sku_key', msku: 'l.sku_key', validFrom: 'm.valid_from', updatedAt: 'm.updated_at' },
    order: [['l.sku_key', 'asc']],
    key: 'l.listing_id',
    map: (row) => toRow(row, stores),
  };
}

/** One page of listings with what they stand for, by MSKU. */
export async function matchPage(ctx: Ctx, request: PageRequest<MatchFilter>): Promise<PageOf<MatchRow>> {
  const found = await page<MatchDbRow, MatchRow>(ctx, request, await listDef(ctx, request.filter, request.sort));
  return { ...found, records: await withStocks(ctx, found.records) };
}

/** Numbers of listings by state of their match under the other filters. */
export async function matchCounts(ctx: Ctx, { state: _, ...others }: MatchFilter): Promise<Record<string, number>> {
  const rows = await joined(ctx, others)
    .select([STATE.as('paired_how'), sql<number>`count(*)::int`.as('n')])
    .groupBy('paired_how')
    .execute();
  const found = Object.fromEntries(rows.map((row) => [row.paired_how, row.n]));
  const all = rows.reduce((sum, row) => sum + row.n, 0);
  return { unmatched: 0, conflict: 0, implied: 0, matched: 0, ...found, all };
}

/** All listings of the filter as a file. */
export function matchFile(open: OpenCtx, body: ExportRequest<MatchFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: 'SKU配对',
    sheet: 'SKU配对',
    format: body.format,
    columns: exportColumns(ctx, MatchRow, body.columns),
    rows: stockedRows(ctx, streamed<MatchDbRow, MatchRow>(ctx, body, await listDef(ctx, body.filter, body.sort))),
    audit: { action: '导出SKU配对', resource: 'product.match', filter: body.filter },
  }));
}
