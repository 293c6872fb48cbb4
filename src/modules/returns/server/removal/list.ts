import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { containing } from '#kit/server/list/words.ts';
import { atSites, ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type RemovalType, type RequestFilter, RequestRow, type RequestState } from '../../contract/removals.ts';
import { REMOVAL, toldOf } from './send.ts';

interface Cells {
  id: string;
  number: string;
  type: RemovalType;
  state: RequestState;
  told: boolean;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  line_count: number;
  sellable: number;
  unsellable: number;
  problem: string;
  remark: string;
  created_by_name: string;
  created_at: string;
}
type Shown = Cells & { name?: string | null; image?: string | null; asin?: string | null };

/** Requests of a filter; what the report knows was taken, whatever was heard of its feed. */
function filtered(ctx: Ctx, { sites, state, told, type, number }: RequestFilter): RawBuilder<Cells> {
  const where = [sql`r.company_id = ${ctx.companyId}`];
  if (sites?.length) where.push(atSites('r', sites));
  if (type) where.push(sql`r.type = ${type}`);
  if (number?.trim()) where.push(sql`r.number ILIKE ${containing(number)}`);
  const rows = sql<Cells>`
    SELECT x.id, x.number, x.type, x.told, x.account_id, x.marketplace_id, x.lead_sku AS seller_sku, x.line_count, x.sellable,
           x.unsellable, x.remark, x.created_by_name, x.created_at, CASE WHEN x.told THEN 'accepted' ELSE x.state END AS state,
           CASE WHEN x.told THEN '' ELSE x.problem END AS problem
      FROM (SELECT r.*, ${toldOf(ctx)} AS told FROM returns.removal AS r WHERE ${sql.join(where, sql` AND `)}) AS x`;
  const also = [
    ...(state ? [sql`y.state = ${state}`] : []),
    ...(told ? [told === 'yes' ? sql`y.told` : sql`NOT y.told`] : []),
  ];
  return also.length === 0 ? rows : sql<Cells>`SELECT y.* FROM (${rows}) AS y WHERE ${sql.join(also, sql` AND `)}`;
}

const around = (ctx: Ctx, rows: Query<Shown>): Query<Shown> =>
  relation(
    ctx,
    sql<Shown>`
    SELECT f.*, p.name, p.image, p.asin FROM (${rows}) AS f LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}`,
  );

function rowOf(row: Shown, stores: ReadonlyMap<string, string>): RequestRow {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    told: row.told ? 'yes' : 'no',
    type: row.type,
    product: {
      name: row.name ?? '',
      code: row.seller_sku,
      image: row.image ?? null,
      extra: row.asin ?? null,
      ...(row.line_count > 1 ? { more: row.line_count - 1 } : {}),
    },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    sellable: row.sellable,
    unsellable: row.unsellable,
    problem: row.problem,
    remark: row.remark,
    createdBy: row.created_by_name,
    createdAt: row.created_at,
  };
}

async function listOf(ctx: Ctx, filter: RequestFilter): Promise<ListDef<Shown, RequestRow>> {
  const stores = await storeNames(ctx);
  return {
    row: RequestRow,
    query: relation<Shown>(ctx, filtered(ctx, filter)),
    around: (rows) => around(ctx, rows),
    sort: { createdAt: 'f.created_at', sellable: 'f.sellable', unsellable: 'f.unsellable' },
    order: [['f.created_at', 'desc']],
    key: 'f.id',
    map: (row) => rowOf(row, stores),
  };
}

/** One page of requests, the newest first. */
export async function requestPage(ctx: Ctx, request: PageRequest<RequestFilter>): Promise<PageOf<RequestRow>> {
  return page(ctx, request, await listOf(ctx, request.filter));
}

/** The list as a file. */
export function exportRequests(open: OpenCtx, request: ExportRequest<RequestFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '移除申请',
    sheet: '移除申请',
    format: request.format,
    columns: exportColumns(ctx, RequestRow, request.columns),
    rows: streamed(ctx, request, await listOf(ctx, request.filter)),
    audit: { action: '导出移除申请', resource: REMOVAL, filter: request.filter },
  }));
}
