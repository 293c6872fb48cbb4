import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type AppError, notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx, Upload } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { ORDER_LIST, type uploadReportFile } from '../../contract/uploads.ts';
import { accountOf } from '../auth/accounts.ts';
import { FileRefused, readTable } from '../files/index.ts';
import type { AccountRef, ReportSource } from '../streams.ts';
import { createBatch, type Known, knownBytes, type NewBatch } from './batches.ts';
import { checkOrderList, checkReport, overlapWarnings } from './check.ts';
import { mappingFor } from './mapping.ts';
import { recognise } from './recognise.ts';
import { type Spooled, spool } from './spool.ts';

export type UploadReply = Reply<typeof uploadReportFile>;

/** A refused file as an answer: the same words, with line, column and value beside them. */
export function fileRefusal(error: FileRefused): AppError {
  const { code, line, column, value } = error;
  return refused(error.message, 'B0330', { reason: code, line, column, value });
}

/** Runs `work` and turns a refused file into a refusal that the caller may read. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FileRefused ? fileRefusal(error) : error;
  }
}

interface Target {
  account: AccountRef;
  /** The site that the user named, or the only one there is. */
  marketplaceId: string | undefined;
}

async function targetOf(ctx: Ctx, amazonauthid: string): Promise<Target> {
  const authid = amazonauthid.slice(-36).toLowerCase();
  const named = amazonauthid.length > 36 ? amazonauthid.slice(0, -37) : undefined;
  const account = await accountOf(ctx.db, ctx.companyId, authid);
  if (!account) throw notFound('授权不存在或已删除');
  if (named && !account.marketplaceIds.includes(named)) throw refused('该店铺没有启用所选站点', 'B0332');
  const only = account.marketplaceIds.length === 1 ? account.marketplaceIds[0] : undefined;
  return { account, marketplaceId: named ?? only };
}

function sourceOf(target: Target, file: Spooled, reportType: string, fileName: string): ReportSource {
  return {
    account: target.account,
    reportType,
    marketplaceIds: target.marketplaceId ? [target.marketplaceId] : target.account.marketplaceIds,
    open: async function* () {
      yield* file.plain();
    },
    charset: undefined,
    sha256: file.sha256,
    documentId: randomUUID(),
    fileName,
  };
}

type Checked = Pick<NewBatch, 'state' | 'result' | 'problem' | 'mapping' | 'options'>;

async function checkFile(open: OpenCtx, target: Target, source: ReportSource): Promise<Checked> {
  if (source.reportType !== ORDER_LIST) {
    const { result, problem } = await checkReport(open.runtime, source);
    return { state: 'checked', result, problem, mapping: null, options: null };
  }
  if (!target.marketplaceId) throw refused('请选择订单列表所属的站点', 'B0333');
  const { headers } = await readTable(source.open);
  const { mapping, options } = await inTenant(open.runtime, open.principal, (ctx) => mappingFor(ctx, headers), {
    readOnly: true,
  });
  // The site is the one named with this file, whatever an earlier file of this form was for.
  const used = { ...options, marketplaceId: null };
  const { result, problem } = await checkOrderList(source, mapping, used, target.marketplaceId);
  return { state: problem === null ? 'checked' : 'uploaded', result, problem, mapping, options: used };
}

function duplicate(ctx: Ctx, known: Known): UploadReply {
  const where = known.number === null ? '同步入库' : known.number;
  return {
    id: known.id,
    number: known.number,
    state: known.state,
    duplicate: true,
    message: `该文件已上传（${ctx.clock.dayOf(Date.parse(known.at))}，${where}），内容一致，未重复处理`,
  };
}

function isSameBytes(error: unknown): boolean {
  return (error as { constraint?: unknown } | null)?.constraint === 'upload_batch_bytes';
}

async function keep(
  open: OpenCtx,
  target: Target,
  file: Spooled,
  upload: Upload,
  source: ReportSource,
  checked: Checked,
) {
  const stored = await open.runtime.files.put(
    target.account.companyId,
    Readable.from(file.plain(), { objectMode: false }),
  );
  if (stored.sha256 !== file.sha256) throw new FileRefused('CHANGED', '文件在读取过程中发生变化');
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const more = checked.result
        ? await overlapWarnings(ctx, target.account.id, source.reportType, checked.result)
        : [];
      return createBatch(ctx, {
        ...checked,
        result: checked.result && { ...checked.result, warnings: [...checked.result.warnings, ...more] },
        documentId: source.documentId,
        accountId: target.account.id,
        marketplaceId: target.marketplaceId ?? null,
        marketplaceIds: source.marketplaceIds,
        reportType: source.reportType,
        fileName: upload.fileName,
        mediaType: upload.mediaType,
        size: file.size,
        stored,
      });
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

async function process(
  open: OpenCtx,
  target: Target,
  file: Spooled,
  upload: Upload,
  asked?: string,
): Promise<UploadReply> {
  const reportType = await recognise(open.runtime, file, target.marketplaceId, asked);
  const find = () =>
    inTenant(
      open.runtime,
      open.principal,
      async (ctx) => {
        const known = await knownBytes(ctx, target.account.id, reportType, file.sha256);
        return known && duplicate(ctx, known);
      },
      { readOnly: true },
    );
  const known = await find();
  if (known) return known;
  const source = sourceOf(target, file, reportType, upload.fileName);
  const checked = await checkFile(open, target, source);
  try {
    const { id, number } = await keep(open, target, file, upload, source, checked);
    return { id, number, state: checked.state, duplicate: false, message: checked.problem ?? '预检通过，请确认入库' };
  } catch (error) {
    // Two people sent it at the same moment: the other one was first.
    const other = isSameBytes(error) ? await find() : undefined;
    if (!other) throw error;
    return other;
  }
}

/**
 * Takes an uploaded file: finds out what it is, checks all of it and makes a batch that waits for its commit. A file
 * that is refused leaves nothing behind; bytes that are known already change nothing.
 */
export async function receive(open: OpenCtx, fields: { amazonauthid: string; requesttype?: string | undefined }) {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  let file: Spooled | undefined;
  try {
    const target = await inTenant(open.runtime, open.principal, (ctx) => targetOf(ctx, fields.amazonauthid), {
      readOnly: true,
    });
    return await readable(async () => {
      const spooled = await spool(upload.stream);
      file = spooled;
      return process(open, target, spooled, upload, fields.requesttype || undefined);
    });
  } finally {
    // A refusal before the end of the body must not leave the connection waiting for a reader.
    upload.stream.resume();
    await file?.remove();
  }
}
