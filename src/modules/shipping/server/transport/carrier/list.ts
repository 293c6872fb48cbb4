import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type CarrierFilter, CarrierRow } from '../../../contract/transport/carrier.ts';
import { SOON_DAYS } from '../../../contract/transport/fields.ts';
import { cardOn } from '../price/current.ts';

function matching(ctx: Ctx, filter: CarrierFilter) {
  let query = ctx.db.selectFrom('shipping.carrier as k').where('k.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('k.disabled', '=', filter.state === 'disabled');
  const channel = sql`SELECT FROM shipping.channel AS c WHERE c.company_id = k.company_id AND c.carrier_id = k.id`;
  if (filter.country) {
    query = query.where(sql<boolean>`EXISTS (${channel} AND c.country = ${filter.country.toUpperCase()})`);
  }
  if (filter.mode?.length) query = query.where(sql<boolean>`EXISTS (${channel} AND c.mode = ANY (${filter.mode}))`);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(k.name ILIKE ${like} OR k.code ILIKE ${like} OR EXISTS (${channel} AND c.name ILIKE ${like}))`,
    );
  }
  return query;
}

const SUPPLIER = sql<string | null>`(SELECT s.short_name FROM supplier.supplier AS s
   WHERE s.company_id = k.company_id AND s.id = k.supplier_id)`;

interface Counts {
  channels: number;
  priced: number;
  ending: number;
}

/** Channels in use of carrier `k`, those with a card today, and those whose card ends soon without another one. */
const countsOn = (today: string, soon: string) => sql<Counts>`(
  SELECT jsonb_build_object('channels', count(*),
           'priced', count(*) FILTER (WHERE v.id IS NOT NULL AND coalesce(v.valid_to >= ${today}::date, true)),
           'ending', count(*) FILTER (WHERE v.valid_to BETWEEN ${today}::date AND ${soon}::date AND NOT EXISTS (
             SELECT FROM shipping.price_version AS n
              WHERE n.company_id = v.company_id AND n.channel_id = v.channel_id AND n.seq > v.seq)))
    FROM shipping.channel AS c LEFT JOIN ${cardOn(today)} ON true
   WHERE c.company_id = k.company_id AND c.carrier_id = k.id AND NOT c.disabled)`;

function selected(ctx: Ctx, filter: CarrierFilter) {
  return matching(ctx, filter)
    .select(['k.id', 'k.name', 'k.code', 'k.contact', 'k.phone', 'k.terms', 'k.remark', 'k.disabled', 'k.version'])
    .select(['k.updated_by_name', 'k.updated_at', 'k.supplier_id', SUPPLIER.as('supplier')])
    .select(countsOn(ctx.clock.today(), ctx.clock.dayAhead(SOON_DAYS)).as('counts'));
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

const toRow = (row: DbRow): CarrierRow => ({
  id: row.id,
  name: row.name,
  code: row.code,
  state: row.disabled ? 'disabled' : 'active',
  ...row.counts,
  contact: row.contact,
  phone: row.phone,
  terms: row.terms,
  supplierId: row.supplier_id,
  supplier: row.supplier ?? '',
  remark: row.remark,
  updatedByName: row.updated_by_name,
  updatedAt: row.updated_at,
  version: row.version,
});

const listDef = (ctx: Ctx, filter: CarrierFilter): ListDef<DbRow, CarrierRow> => ({
  row: CarrierRow,
  query: listQuery(selected(ctx, filter)),
  sort: { name: 'k.name', code: 'k.code', updatedAt: 'k.updated_at' },
  order: [['k.id', 'desc']],
  key: 'k.id',
  map: toRow,
});

/** One page of carriers, the newest first. */
export function carrierPage(ctx: Ctx, request: PageRequest<CarrierFilter>): Promise<PageOf<CarrierRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** One carrier as its list shows it. */
export async function carrierRow(ctx: Ctx, id: string): Promise<CarrierRow | undefined> {
  const row = await selected(ctx, {}).where('k.id', '=', id).executeTakeFirst();
  return row && toRow(row);
}

/** How many carriers are in use and how many are not, under the other filters; `all` is their sum. */
export async function carrierCounts(ctx: Ctx, { state: _, ...others }: CarrierFilter): Promise<Record<string, number>> {
  const row = await matching(ctx, others)
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) FILTER (WHERE k.disabled))::int`.as('disabled'),
    ])
    .executeTakeFirstOrThrow();
  return { ...row, active: row.all - row.disabled };
}

/** All carriers of the filter as a file. */
export function exportCarrierFile(open: OpenCtx, body: ExportRequest<CarrierFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `物流商-${ctx.clock.today()}`,
      sheet: '物流商',
      format: body.format,
      columns: exportColumns(ctx, CarrierRow, body.columns),
      rows: streamed(ctx, body, listDef(ctx, body.filter)),
      audit: { action: '导出物流商', resource: 'shipping.carrier', filter: body.filter },
    }),
  );
}
