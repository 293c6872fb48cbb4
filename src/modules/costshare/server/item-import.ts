import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import { readSheets } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { inTrial } from '#kit/server/trial.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { costDocument } from '../contract/document.ts';
import { saveItem } from './item.ts';
import { COLUMNS, type ItemLine, type Problem, readItems } from './item-sheet.ts';

/** Each row is a document of its own, all of them in one transaction. */
const MOST_ROWS = 500;
const MOST_PROBLEMS = 200;

/** A sheet with the titles and a line as an example. */
export async function itemTemplate(): Promise<FileReply> {
  const rows = [[...COLUMNS], ['2026-10-31', '启航家居', 'US', 'SKU-001', '样品', 'CNY', '128.50', '']];
  return new FileReply('其他成本导入模板.xlsx', MEDIA_TYPES.xlsx, await writeWorkbook([{ title: '其他成本', rows }]));
}

/** Keys of the company's stores by "name country". */
async function storesByName(ctx: Ctx): Promise<ReadonlyMap<string, string>> {
  const names = await storeNames(ctx);
  const { rows } = await sql<{ account: string; marketplace: string }>`
    SELECT account_id AS account, marketplace_id AS marketplace FROM marketplace.seller_marketplace
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return new Map(
    rows.map(({ account, marketplace }) => [
      `${names.get(account) ?? ''} ${countryOf(marketplace)}`,
      `${marketplace}-${account}`,
    ]),
  );
}

/** Whether this file was brought in before; until the transaction ends nobody else brings it in. */
async function knownFile(ctx: Ctx, hash: string, name: string, costs: number): Promise<boolean> {
  const put = await ctx.db
    .insertInto('costshare.item_import')
    .values({
      company_id: ctx.companyId,
      file_hash: hash,
      file_name: name.slice(0, 200),
      costs,
      created_by_name: ctx.userName,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('file_hash')
    .executeTakeFirst();
  return put === undefined;
}

/** Books each row in turn; what is refused is said at its row. */
async function bookAll(ctx: Ctx, lines: readonly ItemLine[], problems: Problem[]): Promise<void> {
  for (const { line, cost } of lines) {
    try {
      await saveItem(ctx, cost);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push({ line, column: '金额', value: cost.amount, reason: error.message });
    }
  }
}

/**
 * Reads an uploaded sheet and books all of it, or nothing: a trial does the same and keeps nothing.
 * @throws refused B0933 for no sheet or too many rows
 */
export async function importItems(open: OpenCtx, write: boolean) {
  const { name, bytes } = await uploadedBytes(open);
  const [sheet] = await readOrRefuse(readSheets(bytes));
  const hash = createHash('sha256').update(bytes).digest('hex');
  const { found, kept: written } = await inTrial(
    open,
    async (ctx) => {
      const { rows, lines, problems } = readItems(sheet?.rows ?? [], await storesByName(ctx));
      if (rows > MOST_ROWS) throw refused(`一次最多导入 ${MOST_ROWS} 行`, 'B0933');
      const known = await knownFile(ctx, hash, name, lines.length);
      if (!known && problems.length === 0) await bookAll(ctx, lines, problems);
      const after = { file: name, rows };
      await audit(ctx, { action: '导入其他成本', resource: costDocument.name, after });
      return { rows, problems, known };
    },
    ({ known, problems }) => write && !known && problems.length === 0,
  );
  const { rows, problems, known } = found;
  if (!written) {
    const after = { file: name, rows, problems: problems.length };
    await inTenant(
      open.runtime,
      open.principal,
      (ctx) => audit(ctx, { action: '检查其他成本导入', resource: costDocument.name, after }),
      { requestId: open.requestId, ip: open.ip },
    );
  }
  const summary = known ? '这份文件已导入过，不会重复入账' : `${rows} 笔其他成本将入账`;
  return {
    rows,
    good: Math.max(0, rows - new Set(problems.map(({ line }) => line)).size),
    written,
    summary: problems.length > 0 ? null : summary,
    problems: problems.slice(0, MOST_PROBLEMS),
  };
}
