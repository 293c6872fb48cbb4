import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportColumns, exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type AddressFilter, AddressRow } from '../../contract/addresses.ts';
import { countryOf } from '../../contract/marketplaces.ts';

interface DbRow {
  id: string;
  store_id: string;
  store: string;
  marketplace_id: string;
  name: string;
  company_name: string;
  address_line1: string;
  address_line2: string;
  district: string;
  city: string;
  state: string;
  country_code: string;
  postal_code: string;
  phone: string;
  email: string;
  is_default: boolean;
  disabled: boolean;
  version: number;
  updated_by_name: string;
  updated_at: string;
}

function rowOf(row: DbRow): AddressRow {
  return {
    id: row.id,
    storeId: row.store_id,
    marketplaceId: row.marketplace_id,
    name: row.name,
    isDefault: row.is_default,
    store: row.store,
    site: row.marketplace_id ? countryOf(row.marketplace_id) : '全部',
    country: row.country_code,
    state: row.state,
    city: row.city,
    district: row.district,
    line1: row.address_line1,
    line2: row.address_line2,
    postalCode: row.postal_code,
    phone: row.phone,
    company: row.company_name,
    email: row.email,
    status: row.disabled ? 'disabled' : 'active',
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

function queryOf(ctx: Ctx, filter: AddressFilter, withState: boolean) {
  let query = ctx.db
    .selectFrom('marketplace.ship_from_address as a')
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .where('a.company_id', '=', ctx.companyId);
  if (withState && filter.status) query = query.where('a.disabled', '=', filter.status === 'disabled');
  if (filter.storeId?.length) query = query.where('a.store_id', 'in', filter.storeId);
  if (filter.search) {
    const word = containing(filter.search);
    query = query.where(
      (): RawBuilder<boolean> => sql`concat_ws(' ', a.name, a.city, a.state, a.address_line1) ILIKE ${word}`,
    );
  }
  return query;
}

const SORT = {
  name: 'a.name',
  store: 's.name',
  city: 'a.city',
  country: 'a.country_code',
  updatedAt: 'a.updated_at',
};

function listDef(ctx: Ctx, filter: AddressFilter): ListDef<DbRow, AddressRow> {
  const query = queryOf(ctx, filter, true).selectAll('a').select('s.name as store');
  return {
    row: AddressRow,
    query: listQuery(query),
    sort: SORT,
    order: [
      ['s.name', 'asc'],
      ['a.is_default', 'desc'],
      ['a.name', 'asc'],
    ],
    key: 'a.id',
    map: rowOf,
  };
}

export function addressPage(ctx: Ctx, request: PageRequest<AddressFilter>): Promise<PageOf<AddressRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** How many addresses each state has, within the other filters. */
export async function addressCounts(ctx: Ctx, filter: AddressFilter): Promise<Record<string, number>> {
  const row = await queryOf(ctx, filter, false)
    .select(sql<number>`count(*) FILTER (WHERE NOT a.disabled)`.as('active'))
    .select(sql<number>`count(*) FILTER (WHERE a.disabled)`.as('disabled'))
    .executeTakeFirstOrThrow();
  return { active: row.active, disabled: row.disabled };
}

/** The addresses of the filter as a file that the import takes back as it is. */
export async function exportAddressFile(ctx: Ctx, body: ExportRequest<AddressFilter>): Promise<FileReply> {
  const rows: AddressRow[] = [];
  for await (const row of streamed<DbRow, AddressRow>(ctx, body, listDef(ctx, body.filter))) rows.push(row);
  const all = (async function* () {
    yield* rows;
  })();
  const columns = exportColumns(ctx, AddressRow, body.columns);
  const stream = exportStream(all, { format: body.format, sheet: '发货地址', columns });
  return new FileReply(`发货地址.${body.format}`, MEDIA_TYPES[body.format], stream);
}
