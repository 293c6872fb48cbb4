import { sql } from 'kysely';
import type { z } from 'zod';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { atSites } from '#modules/listing/server/index.ts';
import { type ItemFilter, ItemRow, type removeItemFee, type saveItemFee } from '../contract/item.ts';
import { step } from './act.ts';
import { bearerCells } from './cells.ts';
import { type Cost, locked, requireWhole } from './load.ts';
import { save } from './save.ts';

type Asked = z.output<NonNullable<(typeof saveItemFee)['body']>>;
type Gone = z.output<NonNullable<(typeof removeItemFee)['body']>>;

/** @throws notFound for what is no cost of one SKU */
async function heldItem(ctx: Ctx, id: string): Promise<Cost> {
  const doc = await locked(ctx, id);
  if (doc.kind !== 'ITEM') throw notFound();
  return doc;
}

/**
 * Books a cost of a SKU on a day, or changes one, whatever it said before.
 * @throws B0930 rate, B2301 amount, B2305 store, B2306 type, B2309 stores that the caller does not see; conflict for a stale version
 */
export async function saveItem(
  ctx: Ctx,
  { store, sku, day, ...input }: Asked,
): Promise<{ id: string; message: string }> {
  if (input.id) await heldItem(ctx, input.id);
  const rows = [{ store, sku, amount: input.amount }];
  const { id, state } = await save(ctx, { ...input, from: day, to: day, rows }, 'ITEM');
  if (state === 'draft') await step(ctx, await locked(ctx, id), 'post', {});
  return { id, message: input.id ? '其他成本已修改' : '其他成本已添加' };
}

/** Takes a cost back. @throws notFound; B2309; conflict for a stale version or one that is gone */
export async function removeItem(ctx: Ctx, { id, version, reason }: Gone): Promise<{ id: string; message: string }> {
  const doc = await heldItem(ctx, id);
  await requireWhole(ctx, doc);
  await step(ctx, doc, 'void', { version, reason });
  return { id, message: '其他成本已删除' };
}

/** Costs that stand, each with the SKU that bears it. */
function selected(ctx: Ctx, { stores, feeType, date, keyword }: ItemFilter) {
  let query = ctx.db
    .selectFrom('costshare.document as d')
    .innerJoin('costshare.document_row as r', (join) =>
      join.onRef('r.company_id', '=', 'd.company_id').onRef('r.document_id', '=', 'd.id'),
    )
    .where('d.company_id', '=', ctx.companyId)
    .where('d.kind', '=', 'ITEM')
    .where('d.state', '=', 'posted');
  if (feeType?.length) query = query.where('d.fee_type', 'in', feeType);
  if (date?.from) query = query.where('d.date_from', '>=', date.from);
  if (date?.to) query = query.where('d.date_from', '<=', date.to);
  if (stores?.length) query = query.where(sql<boolean>`${atSites('r', stores)}`);
  if (keyword) {
    const like = containing(keyword);
    query = query.where((eb) => eb.or([eb('r.sku', 'ilike', like), eb('d.remark', 'ilike', like)]));
  }
  return query
    .select(['d.id', 'd.number', 'd.version', 'd.fee_type', 'd.currency', 'd.amount', 'd.amount_cny', 'd.date_from'])
    .select(['d.remark', 'd.created_by_name', 'd.created_at', 'r.account_id', 'r.marketplace_id', 'r.sku']);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

async function toRows(ctx: Ctx, rows: readonly DbRow[]): Promise<ItemRow[]> {
  const cells = await bearerCells(ctx, rows);
  return rows.map((row) => ({
    id: row.id,
    day: row.date_from,
    ...cells(row),
    feeType: row.fee_type,
    amount: row.amount,
    amountCny: row.amount_cny,
    remark: row.remark,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    number: row.number,
    currency: row.currency,
    storeKey: `${row.marketplace_id}-${row.account_id}`,
    sku: row.sku,
    version: row.version,
  }));
}

function listDef(ctx: Ctx, filter: ItemFilter): ListDef<DbRow, DbRow> {
  return {
    row: ItemRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: { day: 'd.date_from', amountCny: 'd.amount_cny', createdAt: 'd.created_at' },
    order: [['d.date_from', 'desc']],
    key: 'd.id',
  };
}

async function totalsOf(ctx: Ctx, filter: ItemFilter): Promise<Record<string, string>> {
  const { rows } = await sql<{ amountCny: string }>`
    SELECT coalesce(sum(amount_cny), 0)::text AS "amountCny" FROM (${selected(ctx, filter)}) AS all_of_them`.execute(
    ctx.db,
  );
  return { ...rows[0] };
}

/** One page of costs of single SKUs, the latest day first, with what all of the filter come to in CNY. */
export async function itemPage(ctx: Ctx, request: PageRequest<ItemFilter>): Promise<PageOf<ItemRow>> {
  const found = await page<DbRow, DbRow>(ctx, request, {
    ...listDef(ctx, request.filter),
    totals: () => totalsOf(ctx, request.filter),
  });
  return { ...found, records: await toRows(ctx, found.records) };
}

/** All costs of a filter as a file. */
export function itemFile(open: OpenCtx, body: ExportRequest<ItemFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    // The cursor holds the connection: names are looked up once all rows are read.
    const rows: DbRow[] = [];
    for await (const row of streamed<DbRow>(ctx, body, listDef(ctx, body.filter))) rows.push(row);
    const named = await toRows(ctx, rows);
    return {
      name: `其他成本-${ctx.clock.today()}`,
      sheet: '其他成本',
      format: body.format,
      columns: exportColumns(ctx, ItemRow, body.columns),
      rows: (async function* () {
        yield* named;
      })(),
      audit: { action: '导出其他成本', resource: 'costshare.document', filter: body.filter },
    };
  });
}
