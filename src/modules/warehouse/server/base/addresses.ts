import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { AddressRow, type saveAddress } from '../../contract/base.ts';

interface DbRow {
  id: string;
  name: string;
  code: string;
  detail: string;
  warehouses: string | null;
  postal_code: string;
  owner: string;
  phone: string;
  lease_until: string | null;
  version: number;
}

/** One page of addresses with the warehouses at each. */
export function addressPage(
  ctx: Ctx,
  request: PageRequest<{ keyword?: string | undefined }>,
): Promise<PageOf<AddressRow>> {
  const { keyword } = request.filter;
  let query = ctx.db
    .selectFrom('warehouse.address as a')
    .select([
      'a.id',
      'a.name',
      'a.code',
      'a.detail',
      'a.postal_code',
      'a.owner',
      'a.phone',
      'a.lease_until',
      'a.version',
    ])
    .select(
      sql<string | null>`(SELECT string_agg(w.name, '、' ORDER BY w.name) FROM warehouse.warehouse AS w
        WHERE w.company_id = a.company_id AND w.address_id = a.id)`.as('warehouses'),
    )
    .where('a.company_id', '=', ctx.companyId);
  if (keyword) {
    const like = containing(keyword);
    query = query.where((eb) => eb.or([eb('a.name', 'ilike', like), eb('a.detail', 'ilike', like)]));
  }
  return page<DbRow, AddressRow>(ctx, request, {
    row: AddressRow,
    query: listQuery<DbRow>(query),
    sort: { name: 'a.name', code: 'a.code', leaseUntil: 'a.lease_until' },
    order: [['a.name', 'asc']],
    key: 'a.id',
    map: ({ postal_code, lease_until, warehouses, ...row }) => ({
      ...row,
      warehouses: warehouses ?? '',
      postalCode: postal_code,
      leaseUntil: lease_until,
    }),
  });
}

/** Adds or changes an address. @throws refused for a name that is taken, conflict for a stale version */
export async function saveAddressOf(ctx: Ctx, form: z.output<typeof saveAddress.body>): Promise<{ id: string }> {
  const fields = {
    name: form.name,
    code: form.code ?? '',
    detail: form.detail,
    postal_code: form.postalCode ?? '',
    owner: form.owner ?? '',
    phone: form.phone ?? '',
    lease_until: form.leaseUntil ?? null,
    updated_by_name: ctx.userName,
  };
  const taken = await ctx.db
    .selectFrom('warehouse.address')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', form.name)
    .executeTakeFirst();
  if (taken && taken.id !== form.id) throw refused(`地址【${form.name}】已存在`, 'B0823');
  if (!form.id) {
    const { id } = await ctx.db
      .insertInto('warehouse.address')
      .values({ company_id: ctx.companyId, ...fields })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新增仓库地址', resource: 'warehouse.address', resourceId: id, after: fields });
    return { id };
  }
  const before = await ctx.db
    .selectFrom('warehouse.address')
    .select(['name', 'detail', 'lease_until', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', form.id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound();
  if (form.version !== undefined && form.version !== before.version) throw conflict();
  await ctx.db
    .updateTable('warehouse.address')
    .set({ ...fields, version: before.version + 1, updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', form.id)
    .execute();
  await audit(ctx, {
    action: '修改仓库地址',
    resource: 'warehouse.address',
    resourceId: form.id,
    before,
    after: fields,
  });
  return { id: form.id };
}
