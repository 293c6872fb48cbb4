import { sql } from 'kysely';
import type { z } from 'zod';
import { actionsOf } from '#kit/contract/document.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import {
  type CheckResult,
  reportUpload,
  type UploadDetail,
  type UploadFilter,
  UploadRow,
  type UploadState,
} from '../../contract/uploads.ts';
import { titleOfType } from './recognise.ts';
import { undoNote } from './undo.ts';

type Filter = { [K in keyof z.infer<typeof UploadFilter>]?: z.infer<typeof UploadFilter>[K] | undefined };

function batchRows(ctx: Ctx, filter: Filter) {
  let query = ctx.db
    .selectFrom('marketplace.upload_batch as b')
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'b.company_id').onRef('a.id', '=', 'b.account_id'),
    )
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .where('b.company_id', '=', ctx.companyId);
  if (filter.state?.length) query = query.where('b.state', 'in', filter.state);
  if (filter.reportType?.length) query = query.where('b.report_type', 'in', filter.reportType);
  if (filter.authid?.length) query = query.where('b.account_id', 'in', filter.authid);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) => eb.or([eb('b.number', 'ilike', like), eb('b.file_name', 'ilike', like)]));
  }
  const day = sql<string>`kit.day(b.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  return query;
}

function selected(ctx: Ctx, filter: Filter) {
  return batchRows(ctx, filter).select([
    'b.id',
    'b.number',
    'b.file_name',
    's.name as store_name',
    'b.account_id',
    'b.marketplace_id',
    'b.report_type',
    'b.state',
    'b.version',
    'b.rows',
    'b.bad_rows',
    'b.period_from',
    'b.period_to',
    'b.inserted',
    'b.updated',
    'b.unchanged',
    'b.created_by_name',
    'b.created_at',
    'b.loaded_at',
    'b.error',
    'b.size',
    'b.file_id',
    'b.task_id',
    'b.check_result',
    'b.undoable',
    'b.restored',
    'b.kept',
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function periodOf(row: Row): string | null {
  if (row.period_from === null || row.period_to === null) return null;
  return `${row.period_from.slice(0, 10)} 至 ${row.period_to.slice(0, 10)}`;
}

function toRow(ctx: Ctx, row: Row): UploadRow {
  return {
    id: row.id,
    number: row.number,
    fileName: row.file_name,
    store: { name: row.store_name, country: row.marketplace_id ? countryOf(row.marketplace_id) : '' },
    reportTitle: titleOfType(ctx.runtime, row.report_type),
    reportType: row.report_type,
    state: row.state as UploadState,
    rows: row.rows,
    badRows: row.bad_rows,
    period: periodOf(row),
    inserted: row.inserted,
    updated: row.updated,
    unchanged: row.unchanged,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    loadedAt: row.loaded_at,
    error: row.error,
    size: Number(row.size),
  };
}

/** Upload batches, newest first. */
export function uploadPage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<UploadRow>> {
  return page<Row, UploadRow>(ctx, request, {
    row: UploadRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: {
      number: 'b.number',
      createdAt: 'b.created_at',
      loadedAt: 'b.loaded_at',
      rows: 'b.rows',
      badRows: 'b.bad_rows',
      size: 'b.size',
    },
    order: [['b.id', 'desc']],
    key: 'b.id',
    map: (row) => toRow(ctx, row),
  });
}

/** How many batches are in each state; "all" is their sum. */
export async function uploadCountsOf(ctx: Ctx, filter: Filter): Promise<Record<string, number>> {
  const { state: _, ...others } = filter;
  return countsBy(batchRows(ctx, others), 'b.state');
}

function actionsFor(ctx: Ctx, row: Row): UploadDetail['actions'] {
  const held = ctx.permissions ?? ctx.runtime.codes;
  return actionsOf(reportUpload, row.state, held).map(({ consequence, blocked: _, ...action }) => ({
    ...action,
    ...(consequence === undefined ? {} : { consequence }),
  }));
}

/** A batch with what its check found, what can be done with it and what has happened to it. */
export async function uploadDetailOf(ctx: Ctx, id: string): Promise<UploadDetail> {
  const row = await selected(ctx, {}).where('b.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('上传批次不存在');
  return {
    ...toRow(ctx, row),
    authid: row.account_id,
    marketplaceId: row.marketplace_id,
    version: row.version,
    fileId: row.file_id,
    check: row.check_result as CheckResult | null,
    taskId: row.task_id,
    undoNote: undoNote({ ...row, state: row.state as UploadState }),
    actions: actionsFor(ctx, row),
    timeline: await timelineOf(ctx, reportUpload.name, id),
  };
}
