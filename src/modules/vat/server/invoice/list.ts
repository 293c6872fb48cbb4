import { sql } from 'kysely';
import { plainDecimal, round } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type InvoiceFilter, InvoiceRow } from '../../contract/invoices.ts';
import { RESOURCE } from './row.ts';

/** "marketplace-account", as screens name a site. */
function siteOf(site: string): { marketplaceId: string; accountId: string } {
  const [marketplaceId = '', ...rest] = site.split('-');
  return { marketplaceId, accountId: rest.join('-') };
}

function matching(ctx: Ctx, { state, sites, type, customer, shipped, keyword }: InvoiceFilter) {
  let query = ctx.db.selectFrom('vat.invoice as i').where('i.company_id', '=', ctx.companyId);
  if (state) query = query.where('i.state', '=', state);
  if (type) query = query.where('i.type', '=', type);
  if (customer) query = query.where('i.business', '=', customer === 'B2B');
  if (shipped?.from) query = query.where('i.tax_day', '>=', shipped.from);
  if (shipped?.to) query = query.where('i.tax_day', '<=', shipped.to);
  if (sites?.length) {
    query = query.where((eb) =>
      eb.or(
        sites
          .map(siteOf)
          .map(({ accountId, marketplaceId }) =>
            eb.and([eb('i.account_id', '=', accountId), eb('i.marketplace_id', '=', marketplaceId)]),
          ),
      ),
    );
  }
  if (keyword) {
    const like = containing(keyword);
    query = query.where(sql<boolean>`concat_ws(' ', i.order_id, i.shipping_id, i.number) ILIKE ${like}`);
  }
  return query;
}

/** The one rate of a document; NULL where it has several, or waits for its own. */
const RATE = sql<string | null>`(
  SELECT CASE WHEN count(DISTINCT coalesce(l.rate, l.amazon_rate, -1)) = 1 THEN min(coalesce(l.rate, l.amazon_rate)) END
    FROM vat.invoice_line AS l WHERE l.company_id = i.company_id AND l.invoice_id = i.id)`;
const ITEMS = sql<number>`(
  SELECT count(*)::int FROM vat.invoice_line AS l
   WHERE l.company_id = i.company_id AND l.invoice_id = i.id AND l.kind = 'ITEM')`;
const ORIGINAL = sql<string | null>`(
  SELECT o.number FROM vat.invoice AS o WHERE o.company_id = i.company_id AND o.id = i.original_id)`;
const IMAGE = sql<string | null>`(
  SELECT p.image FROM listing.product AS p WHERE p.company_id = i.company_id AND p.account_id = i.account_id
     AND p.marketplace_id = i.marketplace_id AND p.seller_sku = i.sku LIMIT 1)`;

const selected = (ctx: Ctx, filter: InvoiceFilter) =>
  matching(ctx, filter)
    .selectAll('i')
    .select([RATE.as('rate'), ITEMS.as('items'), ORIGINAL.as('original'), IMAGE.as('image')]);
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const plain = (value: string | null): string | null => (value === null ? null : plainDecimal(value));
function toRow(row: DbRow, stores: ReadonlyMap<string, string>): InvoiceRow {
  const issued = row.number !== null;
  return {
    id: row.id,
    orderId: row.order_id,
    shippingId: row.shipping_id,
    type: row.type as InvoiceRow['type'],
    state: row.state as InvoiceRow['state'],
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    product: { name: row.title, code: row.sku, image: row.image, ...(row.items > 1 ? { more: row.items - 1 } : {}) },
    orderedAt: row.ordered_at,
    shippedAt: row.shipped_at,
    taxCountry: row.tax_country,
    business: row.business,
    net: issued ? round(row.net, 2) : null,
    rate: plain(row.rate),
    tax: issued ? round(row.tax, 2) : null,
    gross: round(row.gross, 2),
    currency: row.currency,
    number: row.number,
    original: row.original,
    treatment: row.treatment as InvoiceRow['treatment'],
    issuedOn: row.issued_on,
    problem: row.problem,
    uploadedAt: row.uploaded_at,
    acceptedAt: row.accepted_at,
    sending: row.wanted_at !== null,
    version: row.version,
  };
}

async function listDef(ctx: Ctx, filter: InvoiceFilter): Promise<ListDef<DbRow, InvoiceRow>> {
  const stores = await storeNames(ctx);
  return {
    row: InvoiceRow,
    query: listQuery(selected(ctx, filter)),
    sort: { orderedAt: 'i.ordered_at', shippedAt: 'i.shipped_at', gross: 'i.gross', number: 'i.number' },
    order: [['i.shipped_at', 'desc']],
    key: 'i.id',
    map: (row) => toRow(row, stores),
  };
}

/** Sums of a filter by currency; net and tax of what is issued alone. */
async function totalsOf(ctx: Ctx, filter: InvoiceFilter) {
  const sums = await matching(ctx, filter)
    .select([
      'i.currency',
      sql<string | null>`sum(i.net) FILTER (WHERE i.number IS NOT NULL)::text`.as('net'),
      sql<string | null>`sum(i.tax) FILTER (WHERE i.number IS NOT NULL)::text`.as('tax'),
      sql<string | null>`sum(i.gross)::text`.as('gross'),
    ])
    .groupBy('i.currency')
    .orderBy('i.currency')
    .execute();
  return moneyTotals(ctx, sums, ['net', 'tax', 'gross']);
}

/** One page of documents and of what waits for one, the newest shipment first. */
export async function invoicePage(ctx: Ctx, request: PageRequest<InvoiceFilter>): Promise<PageOf<InvoiceRow>> {
  const def = await listDef(ctx, request.filter);
  return page(ctx, request, { ...def, totals: () => totalsOf(ctx, request.filter) });
}

/** One document as its list shows it; undefined for one out of reach. */
export async function invoiceRow(ctx: Ctx, id: string): Promise<InvoiceRow | undefined> {
  const row = await selected(ctx, {}).where('i.id', '=', id).executeTakeFirst();
  return row && toRow(row, await storeNames(ctx));
}

/** How many there are in each state under the other filters; "all" is their sum. */
export function invoiceCounts(ctx: Ctx, { state: _, ...others }: InvoiceFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'i.state');
}

/** All of a filter as a file; it names no buyer. */
export function exportInvoiceRows(open: OpenCtx, body: ExportRequest<InvoiceFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `VAT发票-${ctx.clock.today()}`,
    sheet: 'VAT发票',
    format: body.format,
    columns: exportColumns(ctx, InvoiceRow, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出VAT发票', resource: RESOURCE, filter: body.filter },
  }));
}
