import { createHash } from 'node:crypto';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { readSheets } from '#kit/server/excel/read.ts';
import { annotateWorkbook } from '#kit/server/excel/workbook.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { type BillProblem, platformBill } from '../../contract/bills/bill.ts';
import { readOrRefuse, uploadedBytes } from '../uploads.ts';
import type { Bill } from './bill.ts';
import { type BillFile, type Kept, keepBill, keptBefore } from './keep.ts';
import { readBill } from './read.ts';

/** Problems that an answer names; a workbook with more of them is wrong as a whole. */
const MOST = 200;

async function annotated(file: Buffer, problems: readonly BillProblem[]): Promise<string | null> {
  if (problems.length === 0) return null;
  const notes = problems.map(({ sheet, line, column, reason }) => ({
    sheet,
    row: line,
    text: column && !reason.includes(column) ? `${column}：${reason}` : reason,
  }));
  return (await annotateWorkbook(file, notes)).toString('base64');
}

function summaryOf({ buyerAccount, statementDate, orders, amount }: Bill, before: Kept | undefined): string {
  if (before) return `这份账单已上传（${before.number}），内容一致，不会重复写入`;
  return `买家账号 ${buyerAccount}，出账日 ${statementDate}，${orders.length} 笔订单共 ¥${amount}；写入后自动匹配采购单`;
}

/** What becomes of a good bill: kept, or only looked at. */
async function taken(ctx: Ctx, bill: Bill, file: BillFile, write: boolean) {
  const before = await keptBefore(ctx, bill, file);
  const summary = summaryOf(bill, before);
  if (!write) return { summary, bill: before ?? null, written: false };
  const kept = before ?? (await keepBill(ctx, bill, file));
  return { summary, bill: kept, written: !kept.repeated };
}

/**
 * Reads an uploaded bill whole and, where asked to and all of it is good, keeps it.
 * @throws refused B0933 for no workbook, B0951 for another file of an account and day that is kept already
 */
export async function uploadBill(open: OpenCtx, write: boolean) {
  const { name, bytes } = await uploadedBytes(open);
  const { rows, bill, problems } = readBill(await readOrRefuse(readSheets(bytes)));
  const file = { name, hash: createHash('sha256').update(bytes).digest('hex') };
  const shown = problems.slice(0, MOST);
  const bad = new Set(problems.map((one) => `${one.sheet} ${one.line}`)).size;
  const notes = await annotated(bytes, shown);
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const outcome = bill ? await taken(ctx, bill, file, write) : { summary: null, bill: null, written: false };
      if (!outcome.written) {
        const after = { file: name, rows, problems: problems.length };
        await audit(ctx, { action: '检查平台账单', resource: platformBill.name, after });
      }
      return { rows, good: bill ? rows : Math.max(rows - bad, 0), problems: shown, annotated: notes, ...outcome };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
