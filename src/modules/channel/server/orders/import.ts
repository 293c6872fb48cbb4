import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { importOrders } from '../../contract/bindings.ts';
import { rowsOf, type SheetRow } from './columns.ts';
import { readLines } from './read.ts';
import { writeLines } from './write.ts';

/** More rows than that are several files. */
const MAX_ROWS = 50_000;
const MAX_PROBLEMS = 1_000;

type Imported = Reply<typeof importOrders>;

/** What an import came to; thrown to undo what only a check had written. */
class Checked extends Error {
  readonly outcome: Imported;
  constructor(outcome: Imported) {
    super('checked');
    this.outcome = outcome;
  }
}

async function take(ctx: Ctx, rows: readonly SheetRow[], write: boolean): Promise<Imported> {
  const { lines, problems } = readLines(rows);
  if (problems.length > 0) {
    const none = { added: 0, changed: 0, unchanged: 0, unbound: 0, written: false };
    return { rows: rows.length, ...none, problems: problems.slice(0, MAX_PROBLEMS) };
  }
  const outcome = { rows: rows.length, ...(await writeLines(ctx, lines)), written: write, problems };
  if (!write) throw new Checked(outcome);
  await audit(ctx, {
    action: '导入平台订单',
    resource: 'channel.order',
    after: { rows: rows.length, lines: outcome.added + outcome.changed },
  });
  return outcome;
}

/**
 * Reads an uploaded sheet of orders of other platforms. All of it is written or nothing; a mere check does the same and undoes it. A
 * line that is known as it is changes nothing, so a file may be sent again.
 * @throws refused B0933 for no sheet, B1410 missing columns, no rows or too many
 */
export async function importSheet(open: OpenCtx, write: boolean): Promise<Imported> {
  const { bytes } = await uploadedBytes(open);
  const { rows, missing } = rowsOf(await readOrRefuse(readSheet(bytes)));
  if (missing.length > 0) throw refused(`表格缺少列：${missing.join('、')}`, 'B1410');
  if (rows.length === 0) throw refused('文件没有数据行', 'B1410');
  if (rows.length > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B1410');
  const { requestId, ip } = open;
  return inTenant(open.runtime, open.principal, (ctx) => take(ctx, rows, write), { requestId, ip }).catch(
    (error: unknown) => {
      if (error instanceof Checked) return error.outcome;
      throw error;
    },
  );
}
