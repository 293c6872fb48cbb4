import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { accountOf } from '../auth/accounts.ts';
import { keepAside } from '../quarantine/aside.ts';
import { corrected, correctionsOf } from '../quarantine/corrections.ts';
import { type AskedPeriod, type LandCounts, type ReportLoader, type ReportSource, reportLoaders } from '../streams.ts';

/**
 * One statement of a load may take so long. Not less: a report of gigabytes is one COPY and one merge, and what is given up
 * half-way begins anew each time. A worker that dies frees what it held with its connection.
 */
export const LOAD_TIMEOUT_MS = 6 * 3_600_000;

/** Who reads a report type; refused in words where nobody does. */
export function loaderOf(runtime: Pick<Runtime, 'modules'>, reportType: string): ReportLoader {
  const loader = extensionsOf(runtime.modules, reportLoaders).find((l) => l.reportTypes.includes(reportType));
  if (!loader) throw refused(`暂不支持的报表类型：${reportType}`, 'B0310');
  return loader;
}

/** The period that a document was asked for; undefined for uploads and for what the marketplace made by itself. */
async function askedFor(ctx: Ctx, documentId: string): Promise<AskedPeriod | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.report_request')
    .select(['data_from', 'data_to', 'requested_at', 'created_at', 'plan', 'subject'])
    .where('company_id', '=', ctx.companyId)
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  if (!row?.data_from || !row.data_to || !row.requested_at) return undefined;
  return {
    from: row.data_from,
    to: row.data_to,
    at: row.requested_at,
    plannedAt: row.created_at,
    wholeDays: row.plan !== 'manual',
    ...(row.subject === '' ? {} : { subject: row.subject }),
  };
}

/** Whether the time of a file `f` is over. */
export const isOver = sql<boolean>`coalesce(f.expires_at <= kit.now(), false)`;

/** A stored document as its loader reads it, with what people put right in it. */
export async function sourceOf(ctx: Ctx, documentId: string): Promise<ReportSource> {
  const row = await ctx.db
    .selectFrom('marketplace.report_document as d')
    .innerJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 'd.company_id').onRef('f.id', '=', 'd.file_id'),
    )
    .select(['d.account_id', 'd.report_type', 'd.marketplace_ids', 'd.charset', 'd.sha256', 'f.name'])
    .select(isOver.as('over'))
    .where('d.company_id', '=', ctx.companyId)
    .where('d.id', '=', documentId)
    .executeTakeFirst();
  if (!row) throw notFound('报表文件不存在');
  if (row.over) throw refused('原文件已过保留期并清除，请重新申请报表', 'B0375');
  const account = await accountOf(ctx.db, ctx.companyId, row.account_id);
  if (!account) throw notFound('店铺授权不存在或已删除');
  const { files } = ctx.runtime;
  const { companyId } = ctx;
  const asked = await askedFor(ctx, documentId);
  const corrections = await correctionsOf(ctx, documentId);
  return {
    account,
    reportType: row.report_type,
    marketplaceIds: row.marketplace_ids,
    open: corrected(() => files.open(companyId, row.sha256), corrections),
    charset: row.charset ?? undefined,
    sha256: row.sha256,
    documentId,
    fileName: row.name,
    corrected: corrections.size > 0,
    ...(asked ? { asked } : {}),
  };
}

/** Of a source that somebody has read once more, whatever is known of its bytes. */
export const afresh = (source: ReportSource): ReportSource => ({ ...source, afresh: true });

/** Remembers that a document has become facts. */
export async function markLoaded(ctx: Ctx, documentId: string, counts: LandCounts): Promise<void> {
  await ctx.db
    .updateTable('marketplace.report_document')
    .set({ rows: counts.rowsIn, loaded_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', documentId)
    .execute();
}

/**
 * Turns a stored document into facts in the caller's transaction; a repeated load of the same bytes changes nothing. Lines
 * that its loader could not take over go to the quarantine. `follow` may wrap the source, to watch how far it has been read.
 */
export async function loadDocument(
  ctx: Ctx,
  documentId: string,
  follow: (source: ReportSource) => ReportSource = (source) => source,
): Promise<LandCounts> {
  const source = follow(await sourceOf(ctx, documentId));
  const counts = await loaderOf(ctx.runtime, source.reportType).load(ctx, source);
  await keepAside(ctx, source, counts.refused ?? []);
  await markLoaded(ctx, documentId, counts);
  return counts;
}
