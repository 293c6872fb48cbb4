import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportColumns, exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { ALWAYS, type CostEntry, type CostFilter, CostRow } from '../contract.ts';
import { learnProducts } from './products.ts';
import { touchCosts } from './touched.ts';

interface DbRow {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  unit_cost: string | null;
  valid_from: string | null;
  changes: number;
  number: string | null;
  updated_by_name: string | null;
  updated_at: string | null;
}

function rowsOf(ctx: Ctx, filter: CostFilter) {
  let query = ctx.db
    .selectFrom('product.local_product as p')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('product.sku_cost as c')
          .leftJoin('product.cost_import as i', (join) =>
            join.onRef('i.company_id', '=', 'c.company_id').onRef('i.id', '=', 'c.import_id'),
          )
          .select(['c.unit_cost', 'c.valid_from', 'c.updated_by_name', 'c.updated_at', 'i.number'])
          .where('c.company_id', '=', ctx.companyId)
          .whereRef('c.sku', '=', 'p.sku')
          .where('c.valid_from', '<=', ctx.clock.today())
          .orderBy('c.valid_from', 'desc')
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .where('p.company_id', '=', ctx.companyId);
  if (filter.skus?.length) query = query.where('p.sku', 'in', filter.skus);
  if (filter.search) query = query.where('p.name', 'ilike', containing(filter.search));
  if (filter.state) query = query.where('c.unit_cost', filter.state === 'missing' ? 'is' : 'is not', null);
  return query;
}

function selected(ctx: Ctx, filter: CostFilter) {
  return rowsOf(ctx, filter)
    .select(['p.id', 'p.sku', 'p.name', 'p.image', 'c.unit_cost', 'c.valid_from', 'c.number'])
    .select(['c.updated_by_name', 'c.updated_at'])
    .select(
      sql<number>`(SELECT count(*) FROM product.sku_cost AS h WHERE h.company_id = p.company_id AND h.sku = p.sku)`.as(
        'changes',
      ),
    );
}

function originOf(number: string | null): string {
  return number === null ? '手工录入' : `导入 ${number}`;
}

function toRow(row: DbRow): CostRow {
  return {
    id: row.id,
    product: { name: row.name || row.sku, code: row.sku, image: row.image },
    sku: row.sku,
    state: row.unit_cost === null ? 'missing' : 'known',
    unitCost: row.unit_cost,
    currency: 'CNY',
    validFrom: row.valid_from,
    changes: row.changes,
    origin: row.unit_cost === null ? null : originOf(row.number),
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
  };
}

function listDef(ctx: Ctx, filter: CostFilter) {
  return {
    row: CostRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { sku: 'p.sku', unitCost: 'c.unit_cost', validFrom: 'c.valid_from', updatedAt: 'c.updated_at' },
    order: [['p.sku', 'asc']] as const,
    key: 'p.id',
    map: toRow,
  };
}

/** One page of SKUs with their cost of today, by SKU. */
export function costPage(ctx: Ctx, request: PageRequest<CostFilter>): Promise<PageOf<CostRow>> {
  return page<DbRow, CostRow>(ctx, request, listDef(ctx, request.filter));
}

/** Numbers of SKUs with and without a cost under the other filters. */
export async function costCounts(ctx: Ctx, filter: CostFilter): Promise<Record<string, number>> {
  const { state: _, ...others } = filter;
  const row = await rowsOf(ctx, others)
    .select([
      sql<number>`count(*) FILTER (WHERE c.unit_cost IS NULL)`.as('missing'),
      sql<number>`count(c.unit_cost)`.as('known'),
      sql<number>`count(*)`.as('all'),
    ])
    .executeTakeFirstOrThrow();
  return row;
}

/** All SKUs of the filter as a file. They are the company's own products, few enough to be read before it begins. */
export async function exportCostFile(ctx: Ctx, body: ExportRequest<CostFilter>): Promise<FileReply> {
  const rows: CostRow[] = [];
  for await (const row of streamed<DbRow, CostRow>(ctx, body, listDef(ctx, body.filter))) rows.push(row);
  const columns = exportColumns(ctx, CostRow, body.columns);
  const all = (async function* () {
    yield* rows;
  })();
  const stream = exportStream(all, { format: body.format, sheet: '采购成本', columns });
  return new FileReply(`采购成本.${body.format}`, MEDIA_TYPES[body.format], stream);
}

async function current(ctx: Ctx, sku: string) {
  return ctx.db
    .selectFrom('product.sku_cost')
    .select(['valid_from', 'unit_cost'])
    .where('company_id', '=', ctx.companyId)
    .where('sku', '=', sku)
    .where('valid_from', '<=', ctx.clock.today())
    .orderBy('valid_from', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface CostInput {
  sku: string;
  unitCost: string;
  validFrom?: string | undefined;
  name?: string | undefined;
}

/** Enters a cost by hand and has the profit of the SKU counted again from that day on. */
export async function save(ctx: Ctx, input: CostInput): Promise<CostRow> {
  const { sku, unitCost } = input;
  await learnProducts(ctx, [{ sku, name: input.name }]);
  const before = await current(ctx, sku);
  const validFrom = input.validFrom ?? before?.valid_from ?? ALWAYS;
  const written = await ctx.db
    .insertInto('product.sku_cost')
    .values({
      company_id: ctx.companyId,
      sku,
      valid_from: validFrom,
      unit_cost: unitCost,
      updated_by_name: ctx.userName,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'sku', 'valid_from'])
        .doUpdateSet({
          unit_cost: unitCost,
          import_id: null,
          updated_by_name: ctx.userName,
          updated_at: sql<string>`kit.now()`,
        })
        .where('product.sku_cost.unit_cost', '<>', unitCost),
    )
    .returning('sku')
    .executeTakeFirst();
  if (written) {
    await audit(ctx, {
      action: '保存采购成本',
      resource: 'product.cost',
      resourceId: sku,
      before: before ? { unitCost: before.unit_cost, validFrom: before.valid_from } : null,
      after: { unitCost, validFrom },
    });
    await touchCosts(ctx, [{ sku, validFrom }]);
  }
  const row = await selected(ctx, { skus: [sku] }).executeTakeFirst();
  if (!row) throw notFound();
  return toRow(row as DbRow);
}

/** The costs of a SKU over time, newest first. `validTo` is the day before the next one begins. */
export async function history(ctx: Ctx, sku: string): Promise<CostEntry[]> {
  const rows = await ctx.db
    .selectFrom('product.sku_cost as c')
    .leftJoin('product.cost_import as i', (join) =>
      join.onRef('i.company_id', '=', 'c.company_id').onRef('i.id', '=', 'c.import_id'),
    )
    .select(['c.valid_from', 'c.unit_cost', 'c.updated_by_name', 'c.updated_at', 'i.number'])
    .select(sql<string | null>`lead(c.valid_from) OVER (ORDER BY c.valid_from) - 1`.as('valid_to'))
    .where('c.company_id', '=', ctx.companyId)
    .where('c.sku', '=', sku)
    .orderBy('c.valid_from', 'desc')
    .execute();
  return rows.map((row) => ({
    validFrom: row.valid_from,
    validTo: row.valid_to,
    unitCost: row.unit_cost,
    origin: originOf(row.number),
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
  }));
}

/** Takes one entry out; what held before it holds again from its day on. */
export async function remove(ctx: Ctx, sku: string, validFrom: string): Promise<void> {
  const gone = await ctx.db
    .deleteFrom('product.sku_cost')
    .where('company_id', '=', ctx.companyId)
    .where('sku', '=', sku)
    .where('valid_from', '=', validFrom)
    .returning('unit_cost')
    .executeTakeFirst();
  if (!gone) throw refused('该成本记录不存在或已删除', 'B0601');
  await audit(ctx, {
    action: '删除成本记录',
    resource: 'product.cost',
    resourceId: sku,
    before: { unitCost: gone.unit_cost, validFrom },
  });
  await touchCosts(ctx, [{ sku, validFrom }]);
}
