import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type DocumentRow, note } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { recordFile, type StoredBytes } from '#kit/server/files.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import {
  type CheckResult,
  type MappingOptions,
  type OrderListMapping,
  reportUpload,
  type UploadState,
} from '../../contract/uploads.ts';
import { keptUntil } from '../reports/retention.ts';

/** A batch as the rules see it. */
export interface Batch extends DocumentRow {
  state: UploadState;
  number: string;
  account_id: string;
  marketplace_id: string | null;
  report_type: string;
  document_id: string;
  file_name: string;
  sha256: string;
  rows: number | null;
  bad_rows: number;
  mapping: OrderListMapping | null;
  options: MappingOptions | null;
  error: string | null;
  task_id: string | null;
  inserted: number | null;
  updated: number | null;
  unchanged: number | null;
}

const COLUMNS = [
  'id',
  'state',
  'version',
  'number',
  'account_id',
  'marketplace_id',
  'report_type',
  'document_id',
  'file_name',
  'sha256',
  'rows',
  'bad_rows',
  'mapping',
  'options',
  'error',
  'task_id',
  'inserted',
  'updated',
  'unchanged',
] as const;

/** A batch of the caller's company, or undefined. */
export async function findBatch(ctx: Ctx, id: string): Promise<Batch | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.upload_batch')
    .select(COLUMNS)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row as Batch | undefined;
}

/** The same, locked against others until the transaction ends; 404 where there is none. */
export async function lockBatch(ctx: Ctx, id: string): Promise<Batch> {
  const row = await ctx.db
    .selectFrom('marketplace.upload_batch')
    .select(COLUMNS)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('上传批次不存在');
  return row as Batch;
}

export interface Known {
  /** Null where the bytes came by synchronisation. */
  id: string | null;
  number: string | null;
  state: UploadState | null;
  at: string;
}

/** The same bytes for the same account and report type, if they are there: from an upload or from synchronisation. */
export async function knownBytes(
  ctx: Ctx,
  accountId: string,
  reportType: string,
  sha256: string,
): Promise<Known | undefined> {
  const batch = await ctx.db
    .selectFrom('marketplace.upload_batch')
    .select(['id', 'number', 'state', 'created_at as at'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('report_type', '=', reportType)
    .where('sha256', '=', sha256)
    .where('state', 'not in', ['rejected', 'reverted'])
    .executeTakeFirst();
  if (batch) return { ...batch, state: batch.state as UploadState };
  const synced = await ctx.db
    .selectFrom('marketplace.report_document')
    .select('loaded_at as at')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('report_type', '=', reportType)
    .where('sha256', '=', sha256)
    .where('loaded_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return synced?.at ? { id: null, number: null, state: null, at: synced.at } : undefined;
}

export interface NewBatch {
  documentId: string;
  accountId: string;
  marketplaceId: string | null;
  marketplaceIds: readonly string[];
  reportType: string;
  fileName: string;
  mediaType: string;
  /** Bytes as sent. */
  size: number;
  stored: StoredBytes;
  state: 'uploaded' | 'checked';
  result: CheckResult | null;
  problem: string | null;
  mapping: OrderListMapping | null;
  options: MappingOptions | null;
}

/** Values of a batch that come from its check. */
export function checkValues(result: CheckResult | null, problem: string | null) {
  return {
    rows: result?.rows ?? null,
    bad_rows: result?.badCount ?? 0,
    period_from: result?.from ?? null,
    period_to: result?.to ?? null,
    check_result: result === null ? null : JSON.stringify(result),
    error: problem,
  };
}

async function today(ctx: Ctx): Promise<string> {
  // Document numbers follow the company's calendar.
  const { rows } = await sql<{
    day: string;
  }>`SELECT kit.today()::text AS day`.execute(ctx.db);
  return rows[0]?.day ?? '';
}

/** Makes the file, the document and the batch with its number, attachment and first timeline entry. */
export async function createBatch(ctx: Ctx, input: NewBatch): Promise<{ id: string; number: string }> {
  const fileId = await recordFile(ctx, input.stored, {
    name: input.fileName,
    mediaType: input.mediaType,
    purpose: 'upload',
    expiresAt: keptUntil(ctx, input.reportType),
  });
  await ctx.db
    .insertInto('marketplace.report_document')
    .values({
      company_id: ctx.companyId,
      id: input.documentId,
      account_id: input.accountId,
      report_type: input.reportType,
      marketplace_ids: [...input.marketplaceIds],
      file_id: fileId,
      sha256: input.stored.sha256,
    })
    .execute();
  const number = await nextNumber(ctx, reportUpload.number, await today(ctx));
  const { id } = await ctx.db
    .insertInto('marketplace.upload_batch')
    .values({
      company_id: ctx.companyId,
      number,
      account_id: input.accountId,
      marketplace_id: input.marketplaceId,
      report_type: input.reportType,
      document_id: input.documentId,
      file_id: fileId,
      file_name: input.fileName.slice(0, 200),
      size: input.size,
      sha256: input.stored.sha256,
      state: input.state,
      ...checkValues(input.result, input.problem),
      mapping: input.mapping === null ? null : JSON.stringify(input.mapping),
      options: input.options === null ? null : JSON.stringify(input.options),
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('kit.attachment')
    .values({
      company_id: ctx.companyId,
      document_type: reportUpload.name,
      document_id: id,
      file_id: fileId,
      created_by: ctx.userId,
    })
    .execute();
  await note(ctx, reportUpload.name, id, {
    kind: 'transition',
    title: '上传',
    body: input.problem ?? input.result?.summary,
    to: input.state,
  });
  await audit(ctx, {
    action: '上传报表',
    resource: reportUpload.name,
    resourceId: id,
    after: { number, fileName: input.fileName, reportType: input.reportType, accountId: input.accountId },
  });
  return { id, number };
}
