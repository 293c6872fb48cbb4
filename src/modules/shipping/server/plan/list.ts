import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { hiddenFields, type ListDef, listQuery, ordered, page } from '#kit/server/list/page.ts';
import { countryOf, MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { listingKey } from '#modules/product/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { type PlanFilter, PlanRow } from '../../contract/plan.ts';
import { type PlanDbRow, planQuery } from './query.ts';
import { localStock } from './stock.ts';

const listingOf = (row: PlanDbRow) => ({
  accountId: row.account_id,
  marketplaceId: row.marketplace_id,
  msku: row.msku,
});

/** Countries that sell out of one stock, in the order of Amazon's marketplaces; none where a site has its own. */
function sharers({ sites }: PlanDbRow): string {
  if (sites.length < 2) return '';
  const known = MARKETPLACES.filter(({ id }) => sites.includes(id)).map(({ country }) => country);
  return known.join('、');
}

const perDay = (units: number, days: number) => (units / days).toFixed(2);

/** Rows as lists show them, with what lies at home: a few statements for all of them. */
async function rowsOf(ctx: Ctx, found: readonly PlanDbRow[]): Promise<PlanRow[]> {
  const stores = await storeNames(ctx);
  const places = await warehouses(ctx);
  const local = await localStock(ctx, found.map(listingOf));
  return found.map((row) => {
    const here = local.get(listingKey(listingOf(row)));
    return {
      id: row.id,
      product: { name: row.name, code: row.msku, image: row.image, extra: row.asin },
      store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
      suggested: row.suggested,
      planned: row.planned,
      daily: row.daily,
      daily7: perDay(row.units7, 7),
      daily14: perDay(row.units14, 14),
      daily30: perDay(row.units30, 30),
      sharedDaily: row.shared_daily,
      coverDays: row.cover,
      targetDays: row.target_days,
      need: row.need,
      shared: sharers(row),
      fulfillable: row.fulfillable,
      reserved: row.reserved,
      sellable: row.sellable,
      inbound: row.inbound,
      transit: row.transit,
      waiting: row.waiting,
      coming: row.coming,
      boxQty: row.box_qty,
      local: here?.local ?? '',
      available: here?.available.join(' / ') ?? '',
      makeable: here?.makeable ?? 0,
      held: here?.held.join(' / ') ?? '',
      promisable: here?.promisable ?? 0,
      items: row.items.map((item) => ({ ...item, warehouse: places.get(item.warehouseId)?.name ?? '—' })),
      authid: row.account_id,
      marketplaceId: row.marketplace_id,
    };
  });
}

async function listDef(ctx: Ctx, filter: PlanFilter): Promise<ListDef<PlanDbRow, PlanDbRow>> {
  const query = await planQuery(ctx, filter);
  return {
    row: PlanRow,
    query: listQuery(query),
    // A page behind the last one has no row that could tell.
    count: async ([first]) => first?.total ?? (await query.limit(1).executeTakeFirst())?.total ?? 0,
    sort: {
      suggested: 'r.suggested',
      coverDays: 'r.cover',
      daily: 'r.daily',
      fulfillable: 'r.fulfillable',
      product: 'r.msku',
    },
    order: [['r.suggested', 'desc']],
    key: 'r.id',
  };
}

/** One page of the plan, the greatest suggestion first. */
export async function planPage(ctx: Ctx, request: PageRequest<PlanFilter>): Promise<PageOf<PlanRow>> {
  const found = await page(ctx, request, await listDef(ctx, request.filter));
  return { ...found, records: await rowsOf(ctx, found.records) };
}

const AT_ONCE = 5000;

/**
 * All rows of a filter, some thousands at a time: what lies at home is asked for between them, which a cursor on the same
 * connection would not let through.
 */
async function* allRows(ctx: Ctx, body: ExportRequest<PlanFilter>): AsyncGenerator<PlanRow> {
  const query = ordered(await listDef(ctx, body.filter), body, hiddenFields(ctx, PlanRow));
  for (let offset = 0; ; offset += AT_ONCE) {
    const found = await query.limit(AT_ONCE).offset(offset).execute();
    yield* await rowsOf(ctx, found);
    if (found.length < AT_ONCE) return;
  }
}

/** The plan of a filter as a file. */
export function exportPlan(open: OpenCtx, body: ExportRequest<PlanFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `FBA发货规划-${ctx.clock.today()}`,
      sheet: 'FBA发货规划',
      format: body.format,
      columns: exportColumns(ctx, PlanRow, body.columns),
      rows: allRows(ctx, body),
      audit: { action: '导出FBA发货规划', resource: 'shipping.plan', filter: body.filter },
    }),
  );
}
