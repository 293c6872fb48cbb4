import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { countryOf, MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type DeclaredFilter, DeclaredRow } from '../../contract/customs-value.ts';
import { costAbroad, declaredValue, stateOf } from './rule.ts';
import { siteRates, type ValueRow, valuedSelect, valuesSelect } from './values.ts';

/** A stored value as the list shows it. */
export function toRow(row: ValueRow, stores: ReadonlyMap<string, string>): DeclaredRow {
  const facts = { price: row.price, rate: row.rate, locked: row.locked, cost: row.cost, dayRate: row.day_rate };
  const state = stateOf({ ...facts, approved: row.approved_at !== null });
  const agreed = state === 'approved' ? row : { legal_basis: null, approved_by_name: null, approved_at: null };
  return {
    id: row.listing_id,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    product: { name: row.name, code: row.seller_sku, image: row.image },
    store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
    msku: row.seller_sku,
    price: row.price,
    rate: row.locked === null ? row.rate : null,
    declared: declaredValue(facts),
    locked: row.locked !== null,
    unitCost: row.cost,
    costAbroad: costAbroad(row.cost, row.day_rate),
    state,
    legalBasis: agreed.legal_basis,
    approvedBy: agreed.approved_by_name,
    approvedAt: agreed.approved_at,
    currency: row.currency,
  };
}

/** Listings of a filter; a state is worked out for all of them, which the others are not. */
function whereOf(filter: DeclaredFilter) {
  const sites = MARKETPLACES.filter((one) => filter.country?.includes(one.country)).map((one) => one.id);
  return sql.join(
    [
      sql`(l.price IS NOT NULL OR k.value IS NOT NULL)`,
      ...(filter.country?.length ? [sql`l.marketplace_id = ANY (${sites}::text[])`] : []),
      ...(filter.mskus?.length ? [sql`l.seller_sku = ANY (${filter.mskus}::text[])`] : []),
    ],
    sql` AND `,
  );
}

async function listDef(ctx: Ctx, filter: DeclaredFilter): Promise<ListDef<ValueRow, DeclaredRow>> {
  const stores = await storeNames(ctx);
  const day = ctx.clock.today();
  const where = whereOf(filter);
  const values = valuesSelect(ctx, await siteRates(ctx, day), day, where);
  const all = ctx.db.selectFrom(sql<ValueRow>`(${values})`.as('v')).selectAll();
  return {
    row: DeclaredRow,
    query: listQuery(filter.state ? all.where(sql<boolean>`v.state = ${filter.state}`) : all),
    // Costs and shares are joined row by row: a count that takes no notice of them must not wait for them.
    ...(filter.state
      ? {}
      : {
          counted: listQuery(
            ctx.db.selectFrom(sql<{ one: number }>`(${valuedSelect(ctx, where)})`.as('v')).select('v.one'),
          ),
        }),
    sort: { product: 'v.sku_key', price: 'v.price' },
    order: [['v.sku_key', 'asc']],
    key: 'v.listing_id',
    map: (row) => toRow(row, stores),
  };
}

/** One page of listings with what is declared for them, by MSKU. */
export async function declaredPage(ctx: Ctx, request: PageRequest<DeclaredFilter>): Promise<PageOf<DeclaredRow>> {
  return page<ValueRow, DeclaredRow>(ctx, request, await listDef(ctx, request.filter));
}

/** All of the filter as a file. */
export function declaredFile(open: OpenCtx, body: ExportRequest<DeclaredFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '海关报价',
    sheet: '海关报价',
    format: body.format,
    columns: exportColumns(ctx, DeclaredRow, body.columns),
    rows: streamed<ValueRow, DeclaredRow>(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出海关报价', resource: 'product.declared', filter: body.filter },
  }));
}
