import { sql } from 'kysely';
import { formatInteger } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused as refusedWith } from '#kit/server/errors.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import {
  asideWarning,
  businessDay,
  FileRefused,
  type LandCounts,
  type ReportCheck,
  type ReportLoader,
  type ReportSource,
  type RowRefused,
  refuseTooBad,
  stockOf,
  taking,
  zoneOfStock,
} from '#modules/marketplace/server/index.ts';
import { timeOf } from '../loader.ts';
import type { FactDef, ReportRow } from './def.ts';
import { holdPlace, mergeRows, noteRepeated, type Target, wholeDays } from './merge.ts';
import { dayOf, nameRows, type Place, problemOf, stageRows } from './stage.ts';

const siteByCountry = new Map(MARKETPLACES.map(({ country, id }) => [country === 'UK' ? 'GB' : country, id]));

/** Name of what a file is about among the files of its account. @throws refused where it is about more than that */
function partOf(about: FactDef<ReportRow>['about'], home: string, marketplaceIds: readonly string[]): string {
  if (about === 'account') return 'ALL';
  if (about === 'site') {
    if (marketplaceIds.length > 1) throw refusedWith('该报表只对应一个站点，请选择站点', 'B0504');
    return home;
  }
  const stock = stockOf(home);
  if (marketplaceIds.some((id) => stockOf(id) !== stock)) {
    throw refusedWith('该报表只对应一个库存，不能同时选择多个国家', 'B0504');
  }
  return stock;
}

function placeOf<Row extends ReportRow>(def: FactDef<Row>, source: ReportSource, today: string): Place {
  const [home] = source.marketplaceIds;
  if (home === undefined) throw refusedWith('该报表只对应一个库存，请选择站点', 'B0504');
  const stock = partOf(def.about, home, source.marketplaceIds);
  const siteOf = (country: string) => siteByCountry.get(country.trim().toUpperCase()) ?? home;
  return { stock, zone: zoneOfStock(source.marketplaceIds), today, siteOf };
}

function readingOf<Row extends ReportRow>(def: FactDef<Row>, source: ReportSource, aside: RowRefused[]) {
  return def.reader.read(source.open, {
    aside,
    charset: source.charset,
    marketplaceId: source.marketplaceIds[0],
    ...(def.dayOrder === undefined ? {} : { dayOrder: def.dayOrder }),
  });
}

/** Reads a whole file as a load would, but writes nothing. @throws FileRefused */
async function check<Row extends ReportRow>(def: FactDef<Row>, source: ReportSource): Promise<ReportCheck> {
  const place = placeOf(def, source, '');
  const aside: RowRefused[] = [];
  const reading = readingOf(def, source, aside);
  const { warnings } = await reading.header;
  const refused: RowRefused[] = [];
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
  const left = [...aside, ...refused];
  refuseTooBad(left, rows + aside.length);
  return {
    rows,
    from,
    to,
    summary: `${def.reader.title} · ${formatInteger(rows)} 行 · ${formatInteger(pieces)} 件`,
    warnings: [...warnings, ...asideWarning(left)],
  };
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

/**
 * Business days that a file is all there is to say about, where its effect is known from them and its bytes; undefined where
 * it depends on more: on days that others told (an upload), on the present, on what the stock says of labels.
 */
function daysOf<Row extends ReportRow>(def: FactDef<Row>, source: ReportSource, zone: string): string[] | undefined {
  if (def.mode !== 'period' || def.byLabel || !source.asked) return undefined;
  const days = wholeDays(source.asked, zone);
  return days.length > 0 ? days : undefined;
}

/** A file that is still all there is to say about its days; undefined where another load has been quicker. */
async function repeated(
  ctx: Ctx,
  source: ReportSource,
  target: Omit<Target, 'days'>,
  days: readonly string[],
): Promise<LandCounts | undefined> {
  await holdPlace(ctx, target.place);
  const { known } = await taking(ctx, source, target.place, days);
  if (known) await noteRepeated(ctx, { ...target, days: new Set() }, days);
  return known;
}

async function load<Row extends ReportRow>(ctx: Ctx, def: FactDef<Row>, source: ReportSource): Promise<LandCounts> {
  const zone = zoneOfStock(source.marketplaceIds);
  const place = placeOf(def, source, def.day === 'present' ? await presentDay(ctx, source, zone) : '');
  if (source.marketplaceIds.some((id) => !source.account.marketplaceIds.includes(id))) {
    throw new FileRefused('FOREIGN', '所选站点不属于该店铺');
  }
  const target: Omit<Target, 'days'> = {
    accountId: source.account.id,
    place: `${source.account.id}:${source.reportType}:${place.stock}`,
    stock: place.stock,
    zone,
    documentId: source.documentId,
    reportType: source.reportType,
    asked: source.asked,
  };
  const days = daysOf(def, source, zone);
  const file = days && (await taking(ctx, source, target.place, days));
  if (days && file?.known) {
    const again = await repeated(ctx, source, target, days);
    if (again) return again;
  }
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  const aside: RowRefused[] = [];
  const bad: RowRefused[] = [];
  const staged = await stageRows(ctx, def, readingOf(def, source, aside).rows, place, bad);
  const { rows: rowsIn } = staged;
  const refused = [...aside, ...bad];
  refuseTooBad(refused, rowsIn + aside.length);
  await nameRows(ctx, def);
  if (def.byLabel) await nameSkus(ctx, source.account.id);
  const { inserted, updated, deleted, sealed } = await mergeRows(ctx, def, { ...target, days: staged.days });
  const told = [...staged.days, ...(days ?? [])].toSorted();
  if (inserted + updated + deleted > 0) {
    await def.changed?.(ctx, source.account.id, { from: told[0] ?? '', to: told.at(-1) ?? '' });
  }
  const unchanged = Math.max(0, rowsIn - bad.length - inserted - updated);
  const [first, last] = [days?.[0], days?.at(-1)];
  if (sealed && refused.length === 0 && first !== undefined && last !== undefined) {
    await file?.keep({ rowsIn, inserted: 0, updated: 0, unchanged: rowsIn }, { first, last });
  }
  return { rowsIn, inserted, updated: updated + deleted, unchanged, quarantined: refused.length, refused };
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
