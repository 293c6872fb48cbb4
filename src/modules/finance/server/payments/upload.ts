import { createHash } from 'node:crypto';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import { readSheets } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { inTrial } from '#kit/server/trial.ts';
import { paymentRequest } from '../../contract/requests.ts';
import { holdDocuments } from '../payables/documents.ts';
import { lockParties } from '../payables/items.ts';
import { readOrRefuse, uploadedBytes } from '../uploads.ts';
import { type NamedOrder, ordersOf } from './port.ts';
import { COLUMNS, type PaymentLine, type Problem, readPayments } from './read.ts';

/** Requests of one file: each is a document with an approval of its own, in one transaction. */
const MOST_ROWS = 1000;
const MOST_PROBLEMS = 200;

/** A sheet with the titles and a line as an example. */
export async function paymentTemplate(): Promise<FileReply> {
  const rows = [[...COLUMNS], ['PO2610310001', 'SKU-001', '货款', '招商银行', '1200.00', '10月到货']];
  return new FileReply('付款导入模板.xlsx', MEDIA_TYPES.xlsx, await writeWorkbook([{ title: '付款', rows }]));
}

/** Rows of the same order, kind and account: one request. */
interface Group {
  order: NamedOrder;
  account: string;
  rows: PaymentLine[];
}

async function accountsByName(ctx: Ctx): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('finance.cash_account')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .where('disabled', '=', false)
    .execute();
  return new Map(rows.map((row) => [row.name, row.id]));
}

async function grouped(ctx: Ctx, lines: readonly PaymentLine[], problems: Problem[]): Promise<Group[]> {
  const orders = await ordersOf(ctx).find(ctx, [...new Set(lines.map((line) => line.order))]);
  const accounts = await accountsByName(ctx);
  const groups = new Map<string, Group>();
  for (const row of lines) {
    const order = orders.get(row.order);
    const account = accounts.get(row.account);
    const say = (column: string, value: string, reason: string) =>
      problems.push({ line: row.line, column, value, reason });
    if (!order) say('采购单号', row.order, '采购单不存在');
    if (!account) say('账户', row.account, '账户不存在或已停用');
    if (order && row.sku !== '' && !order.skus.includes(row.sku))
      say('SKU', row.sku, `采购单【${row.order}】没有该SKU`);
    if (!order || !account) continue;
    const key = `${order.id} ${row.kind} ${account}`;
    const group = groups.get(key) ?? { order, account, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const TITLES = { DEPOSIT: '定金', BALANCE: '货款' } as const;

/** Asks for each group in turn, each within what the ones before it have left; what is refused is said at its first row. */
async function askAll(ctx: Ctx, groups: readonly Group[], problems: Problem[]): Promise<void> {
  const orders = ordersOf(ctx);
  await holdDocuments(
    ctx,
    groups.map(({ order }) => ({ type: orders.type, id: order.id })),
  );
  await lockParties(
    ctx,
    groups.map(({ order }) => order.supplierId),
  );
  for (const { order, account, rows } of groups) {
    const [first] = rows;
    if (!first) continue;
    try {
      await orders.ask(ctx, {
        id: order.id,
        kind: first.kind,
        cashAccountId: account,
        remark: [...new Set(rows.map((row) => row.remark).filter(Boolean))].join('；').slice(0, 200),
        lines: rows.map((row) => ({
          title: `${TITLES[row.kind]} ${row.order}${row.sku ? ` ${row.sku}` : ''}`.slice(0, 100),
          amount: row.amount,
        })),
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push({ line: first.line, column: '金额', value: first.amount, reason: error.message });
    }
  }
}

/** Whether this file was brought in before; until the transaction ends nobody else brings it in. */
async function knownFile(ctx: Ctx, hash: string, name: string, requests: number): Promise<boolean> {
  const put = await ctx.db
    .insertInto('finance.payment_import')
    .values({
      company_id: ctx.companyId,
      file_hash: hash,
      file_name: name.slice(0, 200),
      requests,
      created_by_name: ctx.userName,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('file_hash')
    .executeTakeFirst();
  return put === undefined;
}

/**
 * Reads an uploaded sheet and asks to be paid for all of it, or for nothing: a trial does the same and keeps nothing, so that
 * it finds what writing would refuse. @throws refused B0933 for no sheet or too many rows
 */
export async function uploadPayments(open: OpenCtx, write: boolean) {
  const { name, bytes } = await uploadedBytes(open);
  const [sheet] = await readOrRefuse(readSheets(bytes));
  const { rows, lines, problems } = readPayments(sheet?.rows ?? []);
  if (rows > MOST_ROWS) throw refused(`一次最多导入 ${MOST_ROWS} 行`, 'B0933');
  const hash = createHash('sha256').update(bytes).digest('hex');
  const { found, kept: written } = await inTrial(
    open,
    async (ctx) => {
      const groups = await grouped(ctx, lines, problems);
      const known = await knownFile(ctx, hash, name, groups.length);
      if (!known && problems.length === 0) await askAll(ctx, groups, problems);
      await audit(ctx, {
        action: '导入付款',
        resource: paymentRequest.name,
        after: { file: name, rows, requests: groups.length },
      });
      return { requests: groups.length, known };
    },
    ({ known }) => write && !known && problems.length === 0,
  );
  const { requests, known } = found;
  if (!written) {
    const after = { file: name, rows, problems: problems.length };
    await inTenant(
      open.runtime,
      open.principal,
      (ctx) => audit(ctx, { action: '检查付款导入', resource: paymentRequest.name, after }),
      { requestId: open.requestId, ip: open.ip },
    );
  }
  const good = Math.max(0, rows - new Set(problems.map((one) => one.line)).size);
  const summary = known ? '这份文件已导入过，不会重复请款' : `${rows} 行，将生成并提交 ${requests} 张请款单`;
  const shown = problems.slice(0, MOST_PROBLEMS);
  return { rows, good, requests, written, summary: problems.length > 0 ? null : summary, problems: shown };
}
