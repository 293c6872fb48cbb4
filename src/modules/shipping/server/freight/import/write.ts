import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { freightBill } from '../../../contract/freight/bill.ts';
import { saveBill } from '../bill/save.ts';
import { billsOf, type Problem, type Wanted } from './read.ts';
import { rowsOf, type SheetRow } from './sheet.ts';

const MAX_ROWS = 10_000;
const MAX_PROBLEMS = 200;

interface Outcome {
  rows: number;
  bills: number;
  written: boolean;
  problems: Problem[];
  numbers: string[];
}

/** What an import came to; thrown to undo what only a check had written. */
class Checked extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('checked');
    this.outcome = outcome;
  }
}

/** Saves the bills; what a bill is refused for is said of its first line. */
async function saved(ctx: Ctx, bills: readonly Wanted[]): Promise<{ numbers: string[]; problems: Problem[] }> {
  const numbers: string[] = [];
  for (const { input, lines } of bills) {
    try {
      numbers.push((await saveBill(ctx, input)).number);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { numbers, problems: [{ line: lines[0] ?? 2, column: '', value: '', reason: error.message }] };
    }
  }
  return { numbers, problems: [] };
}

async function take(ctx: Ctx, rows: readonly SheetRow[], write: boolean): Promise<Outcome> {
  const { bills, problems } = await billsOf(ctx, rows);
  const found = problems.length > 0 ? { numbers: [], problems } : await saved(ctx, bills);
  const written = write && found.problems.length === 0;
  const outcome = {
    rows: rows.length,
    bills: bills.length,
    written,
    problems: found.problems.slice(0, MAX_PROBLEMS),
    numbers: written ? found.numbers : [],
  };
  if (!written) throw new Checked(outcome);
  await audit(ctx, {
    action: '导入物流账单',
    resource: freightBill.name,
    after: { rows: outcome.rows, numbers: outcome.numbers },
  });
  return outcome;
}

/**
 * Reads an uploaded sheet of bills. They are saved as drafts by the rules of any bill, all of them or none; a mere check does
 * the same and undoes it. A bill that was entered before is refused, so that a file that is sent again changes nothing.
 * @throws refused B0933 for no sheet, B1360 missing columns, no rows or too many
 */
export async function importBills(open: OpenCtx, write: boolean): Promise<Outcome> {
  const { bytes } = await uploadedBytes(open);
  const { rows, missing } = rowsOf(await readOrRefuse(readSheet(bytes)));
  if (missing.length > 0) throw refused(`表格缺少列：${missing.join('、')}`, 'B1360');
  if (rows.length === 0) throw refused('文件没有数据行', 'B1360');
  if (rows.length > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B1360');
  const { requestId, ip } = open;
  return inTenant(open.runtime, open.principal, (ctx) => take(ctx, rows, write), { requestId, ip }).catch(
    (error: unknown) => {
      if (error instanceof Checked) return error.outcome;
      throw error;
    },
  );
}
