import { type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { UnitLayout } from '#kit/contract/unit-layout.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { onDays } from '#kit/server/list/days.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type exportLabelPrints, type LabelFilter, LabelPrint } from '../../contract/labels.ts';
import { atSites } from '../of-listing.ts';

interface Row {
  id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  fnsku: string;
  asin: string | null;
  title: string;
  image: string | null;
  condition: string | null;
  copies: number;
  layout: string;
  reprint_of: string | null;
  reason: string;
  created_by_name: string;
  created_at: string;
}

function filtered(ctx: Ctx, { sites, reprint, created, keyword }: LabelFilter) {
  let query = ctx.db.selectFrom('listing.label_print').where('company_id', '=', ctx.companyId);
  if (sites?.length) query = query.where(atSites('label_print', sites));
  if (reprint !== undefined) query = query.where('reprint_of', reprint ? 'is not' : 'is', null);
  if (created) query = query.where(onDays('created_at', created));
  if (keyword) {
    const words = sql<string>`lower(seller_sku || ' ' || fnsku || ' ' || coalesce(asin, '') || ' ' || title)`;
    query = query.where(words, 'like', containingLower(keyword));
  }
  return query;
}

function rowOf(row: Row, stores: ReadonlyMap<string, string>): LabelPrint {
  return {
    id: row.id,
    product: { name: row.title, code: row.seller_sku, image: row.image, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    fnsku: row.fnsku,
    condition: row.condition,
    copies: row.copies,
    layout: row.layout as UnitLayout,
    reprint: row.reprint_of !== null,
    reason: row.reason,
    createdBy: row.created_by_name,
    createdAt: row.created_at,
  };
}

async function listOf(ctx: Ctx, filter: LabelFilter): Promise<ListDef<Row, LabelPrint>> {
  const stores = await storeNames(ctx);
  return {
    row: LabelPrint,
    query: filtered(ctx, filter).selectAll() as unknown as SelectQueryBuilder<never, never, Row>,
    sort: { createdAt: 'created_at', copies: 'copies' },
    order: [['created_at', 'desc']],
    key: 'id',
    map: (row) => rowOf(row, stores),
  };
}

/** What was printed, the newest first. */
export async function labelPage(ctx: Ctx, request: PageRequest<LabelFilter>): Promise<PageOf<LabelPrint>> {
  const sum = () =>
    filtered(ctx, request.filter)
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('copies'), eb.val(0)).as('copies'))
      .executeTakeFirst();
  return page(ctx, request, {
    ...(await listOf(ctx, request.filter)),
    totals: async () => ({ copies: Number((await sum())?.copies ?? 0) }),
  });
}

/** The same as a file. */
export function exportLabels(open: OpenCtx, request: z.output<typeof exportLabelPrints.body>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = (await listOf(ctx, request.filter)) as unknown as ListDef<never, object>;
    return {
      name: '标签打印记录',
      sheet: '标签打印记录',
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns),
      rows: streamed(ctx, request, list),
      audit: { action: '导出标签打印记录', resource: 'listing.labelPrint', filter: request.filter },
    };
  });
}
