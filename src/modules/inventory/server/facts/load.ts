import { sql } from 'kysely';
import { formatInteger } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused as refusedWith } from '#kit/server/errors.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import {
  businessDay,
  FileRefused,
  type LandCounts,
  type ReportCheck,
  type ReportLoader,
  type ReportSource,
  stockOf,
  zoneOfStock,
} from '#modules/marketplace/server/index.ts';
import { timeOf } from '../loader.ts';
import type { FactDef, ReportRow } from './def.ts';
import { mergeRows } from './merge.ts';
import { dayOf, nameRows, type Place, problemOf, type Refused, stageRows, tooBad } from './stage.ts';

const siteByCountry = new Map(MARKETPLACES.map(({ country, id }) => [country === 'UK' ? 'GB' : country, id]));

/** The stock that a file is about. @throws refused where its marketplaces do not share one */
function placeOf(source: ReportSource, today: string): Place {
  const [home] = source.marketplaceIds;
  if (home === undefined) throw refusedWith('该报表只对应一个库存，请选择站点', 'B0504');
  const stock = stockOf(home);
  if (source.marketplaceIds.some((id) => stockOf(id) !== stock)) {
    throw refusedWith('该报表只对应一个库存，不能同时选择多个国家', 'B0504');
  }
  const siteOf = (country: string) => siteByCountry.get(country.trim().toUpperCase()) ?? home;
  return { stock, zone: zoneOfStock(source.marketplaceIds), today, siteOf };
}

function readingOf<Row extends ReportRow>(def: FactDef<Row>, source: ReportSource) {
  return def.reader.read(source.open, {
    charset: source.charset,
    marketplaceId: source.marketplaceIds[0],
    ...(def.dayOrder === undefined ? {} : { dayOrder: def.dayOrder }),
  });
}

function refuseTooBad(refused: readonly Refused[], rows: number): void {
  const [first] = refused;
  if (!first || !tooBad(refused.length, rows)) return;
  throw new FileRefused('VALUE', `${refused.length} 行无法读取，例如第 ${first.lineNo} 行：${first.reason}`);
}

/** Reads a whole file as a load would, but writes nothing. @throws FileRefused */
async function check<Row extends ReportRow>(def: FactDef<Row>, source: ReportSource): Promise<ReportCheck> {
  const place = placeOf(source, '');
  const reading = readingOf(def, source);
  const { warnings } = await reading.header;
  const refused: Refused[] = [];
  let [rows, pieces] = [0, 0];
  let [from, to]: [string | null, string | null] = [null, null];
  for await (const batch of reading.rows) {
    for (const row of batch) {
      rows += 1;
      const day = dayOf(def, row, place);
      const reason = problemOf(def, row, day);
      if (reason !== undefined || day === null) {
        refused.push({ lineNo: row.lineNo, reason: reason ?? '' });
        continue;
      }
      pieces += def.pieces(row);
      if (day !== '' && (from === null || day < from)) from = day;
      if (day !== '' && (to === null || day > to)) to = day;
    }
  }
  refuseTooBad(refused, rows);
  return {
    rows,
    from,
    to,
    summary: `${def.reader.title} · ${formatInteger(rows)} 行 · ${formatInteger(pieces)} 件`,
    warnings: [...warnings, ...(refused[0] ? [`${refused.length} 行无法入库：${refused[0].reason}`] : [])],
  };
}

async function noteRefused(ctx: Ctx, source: ReportSource, refused: readonly Refused[]): Promise<void> {
  if (refused.length === 0) return;
  const rows = JSON.stringify(refused.map(({ lineNo, reason }) => ({ line_no: lineNo, reason })));
  await sql`
    INSERT INTO inventory.fact_quarantine (company_id, account_id, report_type, document_id, line_no, reason)
    SELECT ${ctx.companyId}, ${source.account.id}, ${source.reportType}, ${source.documentId}, x.line_no, x.reason
      FROM jsonb_to_recordset(${rows}::jsonb) AS x (line_no int, reason text)
    ON CONFLICT DO NOTHING`.execute(ctx.db);
}

/** The business day that a report about the present speaks of. */
async function presentDay(ctx: Ctx, source: ReportSource, zone: string): Promise<string> {
  const at = source.asked?.to ?? (await timeOf(ctx, source, source.marketplaceIds[0] ?? ''));
  return businessDay(at, zone);
}

/** Gives rows that name a label only the one SKU that the stock knows of it. */
async function nameSkus(ctx: Ctx, accountId: string): Promise<void> {
  await sql`
    UPDATE pg_temp.fact_row AS r SET seller_sku = s.seller_sku
      FROM (SELECT fnsku, min(seller_sku) AS seller_sku FROM inventory.fba_stock
             WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND fnsku <> ''
             GROUP BY fnsku HAVING count(DISTINCT seller_sku) = 1) AS s
     WHERE r.fnsku = s.fnsku AND r.seller_sku = ''`.execute(ctx.db);
}

async function load<Row extends ReportRow>(ctx: Ctx, def: FactDef<Row>, source: ReportSource): Promise<LandCounts> {
  const zone = zoneOfStock(source.marketplaceIds);
  const place = placeOf(source, def.day === 'present' ? await presentDay(ctx, source, zone) : '');
  if (source.marketplaceIds.some((id) => !source.account.marketplaceIds.includes(id))) {
    throw new FileRefused('FOREIGN', '所选站点不属于该店铺');
  }
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  const refused: Refused[] = [];
  const rowsIn = await stageRows(ctx, def, readingOf(def, source).rows, place, refused);
  refuseTooBad(refused, rowsIn);
  await nameRows(ctx, def);
  if (def.byLabel) await nameSkus(ctx, source.account.id);
  const { inserted, updated, deleted } = await mergeRows(ctx, def, {
    accountId: source.account.id,
    stock: place.stock,
    zone,
    documentId: source.documentId,
    reportType: source.reportType,
    asked: source.asked,
  });
  await noteRefused(ctx, source, refused);
  const unchanged = Math.max(0, rowsIn - refused.length - inserted - updated);
  return { rowsIn, inserted, updated: updated + deleted, unchanged, quarantined: refused.length };
}

/** The loader of one report. Repeating a file changes nothing; see `FactDef.mode` for what a file replaces. */
export function factLoader<Row extends ReportRow>(def: FactDef<Row>): ReportLoader {
  return {
    reportTypes: [def.reader.type],
    title: def.reader.title,
    check: (source) => check(def, source),
    load: (ctx, source) => load(ctx, def, source),
  };
}
