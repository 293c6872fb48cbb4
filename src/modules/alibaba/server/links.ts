import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type LinkFilter, LinkRow } from '../contract/index.ts';

function selected(ctx: Ctx, filter: LinkFilter) {
  let query = ctx.db
    .selectFrom('alibaba.offer_link as l')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'l.company_id').onRef('p.id', '=', 'l.product_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'l.company_id').onRef('s.id', '=', 'l.supplier_id'),
    )
    .where('l.company_id', '=', ctx.companyId);
  if (filter.supplier?.length) query = query.where('l.supplier_id', 'in', filter.supplier);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('p.sku', 'ilike', like), eb('l.offer_id', 'ilike', like), eb('l.subject', 'ilike', like)]),
    );
  }
  return query.select([
    'l.id',
    'p.sku',
    'p.name',
    'p.image',
    's.short_name as supplier',
    'l.offer_id as offerId',
    'l.spec_id as specId',
    'l.subject',
    'l.spec',
    'l.pieces_per_unit as piecesPerUnit',
    'l.seller',
    'l.updated_by_name as updatedByName',
    'l.updated_at as updatedAt',
    'l.product_id as productId',
    'l.supplier_id as supplierId',
    'l.version',
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

/** One page of the links between products and offers, by SKU. */
export function linkPage(ctx: Ctx, request: PageRequest<LinkFilter>): Promise<PageOf<LinkRow>> {
  const def: ListDef<DbRow, LinkRow> = {
    row: LinkRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: { updatedAt: 'l.updated_at' },
    order: [['p.sku', 'asc']],
    key: 'l.id',
    map: ({ sku, name, image, ...row }) => ({ ...row, product: { name: name || sku, code: sku, image } }),
  };
  return page(ctx, request, def);
}

interface Input {
  id?: string | undefined;
  version?: number | undefined;
  productId: string;
  supplierId: string;
  offerId: string;
  specId: string;
  subject: string;
  spec: string;
  piecesPerUnit: number;
  seller: string;
}

async function requireKnown(ctx: Ctx, input: Input): Promise<void> {
  if (!(await localProducts(ctx, [input.productId])).has(input.productId)) throw refused('商品不存在或已删除', 'B1104');
  const supplier = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.supplierId)
    .executeTakeFirst();
  if (!supplier) throw refused('供应商不存在或已删除', 'B1104');
}

/**
 * Says which offer of a supplier a product is, and how many pieces one unit of it holds; a product has one at each
 * supplier. @throws refused B1104, conflict for a stale version or a second link of the pair
 */
export async function saveLink(ctx: Ctx, input: Input): Promise<{ id: string }> {
  await requireKnown(ctx, input);
  const values = {
    product_id: input.productId,
    supplier_id: input.supplierId,
    offer_id: input.offerId,
    spec_id: input.specId,
    subject: input.subject,
    spec: input.spec,
    pieces_per_unit: input.piecesPerUnit,
    seller: input.seller,
    updated_by_name: ctx.userName,
    updated_at: sql<string>`kit.now()`,
  };
  const other = await ctx.db
    .selectFrom('alibaba.offer_link')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', input.productId)
    .where('supplier_id', '=', input.supplierId)
    .where('id', '<>', input.id ?? '00000000-0000-0000-0000-000000000000')
    .executeTakeFirst();
  if (other) throw conflict('该商品在此供应商已有对应的1688商品，请修改原来的一条');
  const row = input.id
    ? await ctx.db
        .updateTable('alibaba.offer_link')
        .set({ ...values, version: sql<number>`version + 1` })
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', input.id)
        .$if(input.version !== undefined, (query) => query.where('version', '=', input.version ?? 0))
        .returning('id')
        .executeTakeFirst()
    : await ctx.db
        .insertInto('alibaba.offer_link')
        .values({ company_id: ctx.companyId, ...values })
        .returning('id')
        .executeTakeFirst();
  if (!row) throw conflict();
  await audit(ctx, { action: '保存1688商品对应', resource: 'alibaba.link', resourceId: row.id, after: { ...input } });
  return { id: row.id };
}

export async function removeLink(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .deleteFrom('alibaba.offer_link')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning(['offer_id'])
    .executeTakeFirst();
  if (!row) throw notFound();
  await audit(ctx, { action: '删除1688商品对应', resource: 'alibaba.link', resourceId: id, before: { ...row } });
}
