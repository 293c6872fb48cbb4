import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, conflict, notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { AsideRow } from '../../contract/quarantine.ts';
import { FileRefused } from '../files/refusal.ts';
import { afresh, LOAD_TIMEOUT_MS, loadDocument } from '../reports/load.ts';
import type { RawLine } from './raw.ts';

const RESOURCE = 'marketplace.quarantine';

interface Line {
  document_id: string;
  corrected: string[] | null;
  raw: RawLine;
}

/** An open line of a report, held until the transaction ends. @throws 404, 409 */
async function openLine(ctx: Ctx, id: string): Promise<Line> {
  const row = await ctx.db
    .selectFrom('marketplace.quarantine_row')
    .select(['document_id', 'corrected', 'raw', 'state'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('隔离行不存在');
  if (row.state !== 'open') throw conflict('该行已处理');
  const raw = row.raw as RawLine | null;
  if (row.document_id === null || !raw) throw refused('接口数据不能在此修改，请在同步监控中回补该数据流', 'B0370');
  if (raw.cells.some((cell) => /[\r\n]/.test(cell))) throw refused('该行跨越多个物理行，请修改文件后重新上传', 'B0371');
  return { document_id: row.document_id, corrected: row.corrected, raw };
}

async function correct(ctx: Ctx, id: string, cells: readonly string[]): Promise<void> {
  const line = await openLine(ctx, id);
  if (cells.length < line.raw.headers.length) throw refused('内容的列数与表头不符', 'B0372');
  await ctx.db
    .updateTable('marketplace.quarantine_row')
    .set({ corrected: [...cells], settled_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  const changed = cells.flatMap((cell, at) =>
    cell === (line.raw.cells[at] ?? '') ? [] : [[line.raw.headers[at] ?? String(at + 1), cell] as const],
  );
  await audit(ctx, {
    action: '修正隔离行',
    resource: RESOURCE,
    resourceId: id,
    before: Object.fromEntries(changed.map(([header]) => [header, line.raw.cells[line.raw.headers.indexOf(header)]])),
    after: Object.fromEntries(changed),
  });
  await loadDocument(ctx, line.document_id, afresh);
}

async function outcomeOf(ctx: Ctx, id: string): Promise<{ state: AsideRow['state']; reason: string }> {
  const row = await ctx.db
    .selectFrom('marketplace.quarantine_row')
    .select(['state', 'reason'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { state: row.state as AsideRow['state'], reason: row.reason };
}

/**
 * Writes a line as a person put it right and reads its document anew: the line then is there or says what is still
 * wrong, everything else of the document stays as it was. A document that would not load at all leaves all unchanged.
 */
export async function retryLine(open: OpenCtx, id: string, cells: readonly string[]) {
  try {
    return await inTenant(
      open.runtime,
      open.principal,
      async (ctx) => {
        await correct(ctx, id, cells);
        return outcomeOf(ctx, id);
      },
      { timeoutMs: LOAD_TIMEOUT_MS, requestId: open.requestId, ip: open.ip },
    );
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new AppError(200, 400, error.message, { code: 'B0373' });
  }
}

/** Leaves rows out for good, with the reason; a correction of theirs no longer counts. Returns how many. */
export async function ignoreRows(ctx: Ctx, ids: readonly string[], reason: string): Promise<number> {
  const result = await ctx.db
    .updateTable('marketplace.quarantine_row')
    .set({ state: 'ignored', note: reason, settled_at: sql<string>`kit.now()`, settled_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .where('state', '=', 'open')
    .executeTakeFirst();
  const count = Number(result.numUpdatedRows);
  if (count === 0) throw conflict('所选的行都已处理');
  await audit(ctx, { action: '忽略隔离行', resource: RESOURCE, after: { ids, reason } });
  return count;
}

/** Takes back that rows were ignored. */
export async function reopenRows(ctx: Ctx, ids: readonly string[], note: string | undefined): Promise<number> {
  const result = await ctx.db
    .updateTable('marketplace.quarantine_row')
    .set({ state: 'open', note: note ?? null, settled_at: null, settled_by_name: null })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .where('state', '=', 'ignored')
    .executeTakeFirst();
  const count = Number(result.numUpdatedRows);
  if (count === 0) throw conflict('所选的行没有被忽略');
  await audit(ctx, { action: '恢复隔离行', resource: RESOURCE, after: { ids, note } });
  return count;
}
