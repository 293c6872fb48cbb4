import { sql } from 'kysely';
import { currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { readSheets, type SheetCell } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { readOrRefuse, uploadedBytes } from '../uploads.ts';
import { accountOf, lockBank, RESOURCE } from './account.ts';
import { readCsv } from './csv.ts';
import { type BankProblem, type FileLine, readBank } from './read.ts';

const MAX_ROWS = 50_000;
/** Problems that an answer names; a file with more of them is wrong as a whole. */
const MOST = 200;

interface Asked {
  cashAccountId: string;
  opening?: string | undefined;
  closing?: string | undefined;
  write: 'no' | 'yes';
}

/** Titles of the template. */
export const TITLES = ['交易日期', '收入', '支出', '对方户名', '对方账号', '摘要', '流水号', '余额'];

/** A sheet with the titles and two lines as an example. */
export async function bankTemplate(): Promise<FileReply> {
  const rows = [
    TITLES,
    ['2026-10-30', '', '7250.00', '义乌市箱包厂', '6222020000000000001', '货款', 'S202610300001', '92750.00'],
    ['2026-10-31', '12.35', '', '', '', '结息', 'S202610310002', '92762.35'],
  ];
  return new FileReply('银行流水导入模板.xlsx', MEDIA_TYPES.xlsx, await writeWorkbook([{ title: '银行流水', rows }]));
}

async function tableOf({ name, bytes }: { name: string; bytes: Buffer }): Promise<SheetCell[][]> {
  if (/\.csv$/i.test(name)) return readOrRefuse((async () => readCsv(bytes))());
  const [first] = await readOrRefuse(readSheets(bytes));
  return first?.rows ?? [];
}

/** Lines that were not there before. */
async function freshOf(ctx: Ctx, account: string, lines: readonly FileLine[]): Promise<FileLine[]> {
  const { rows } = await sql<{ identity: string }>`
    SELECT identity FROM finance.bank_line
     WHERE company_id = ${ctx.companyId} AND cash_account_id = ${account}
       AND identity = ANY (${lines.map((line) => line.identity)}::text[])`.execute(ctx.db);
  const known = new Set(rows.map((row) => row.identity));
  return lines.filter((line) => !known.has(line.identity));
}

interface Kept {
  opening: string;
  first: string;
  total: string;
}

/** What the bank had before the first line that is kept, that line's day, and what all lines come to. */
async function keptOf(ctx: Ctx, account: string): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    SELECT o.amount::text AS opening, min(l.day)::text AS first, sum(l.amount)::text AS total
      FROM finance.bank_opening AS o
      JOIN finance.bank_line AS l ON l.company_id = o.company_id AND l.cash_account_id = o.cash_account_id
     WHERE o.company_id = ${ctx.companyId} AND o.cash_account_id = ${account} GROUP BY o.amount`.execute(ctx.db);
  return rows[0];
}

const given = (text: string | undefined) => (text === undefined || text === '' ? undefined : text);

/** What the file itself says was there before its first line, and after its last. */
function boundsOf(lines: readonly FileLine[], asked: Asked) {
  const [first, last] = [lines[0], lines.at(-1)];
  const before = first?.balance ? new Decimal(first.balance).minus(first.amount).toFixed() : undefined;
  return { before, opening: before ?? given(asked.opening), closing: last?.balance ?? given(asked.closing) };
}

/** opening + movements = closing, of the file. The line is that of the titles' sheet as a whole. */
function wholeProblem(lines: readonly FileLine[], asked: Asked, kept: Kept | undefined): BankProblem | undefined {
  const say = (reason: string): BankProblem => ({ line: 0, column: '余额', value: '', reason });
  const { before, opening, closing } = boundsOf(lines, asked);
  const [typed, last] = [given(asked.opening), given(asked.closing)];
  const money = (value: Decimal.Value) => new Decimal(value).toFixed(2);
  if (before && typed && !new Decimal(before).eq(typed)) {
    return say(`填写的期初余额 ${money(typed)} 与文件推算的 ${money(before)} 不一致`);
  }
  if (!opening && !kept) return say('文件没有余额列，首次导入请填写期初余额');
  const moved = sum(lines.map((line) => line.amount));
  for (const end of [closing, last]) {
    if (!opening || !end) continue;
    const due = new Decimal(opening).plus(moved);
    if (due.eq(end)) continue;
    return say(
      `期初 ${money(opening)} + 发生额 ${money(moved)} = ${money(due)}，与期末 ${money(end)} 不一致，差额 ${new Decimal(end).minus(due).toFixed(2)}`,
    );
  }
  return undefined;
}

/** New lines join those that are kept without a gap: what the bank had before all of them plus all of them is its balance. */
async function gapProblem(ctx: Ctx, asked: Asked, lines: readonly FileLine[], fresh: readonly FileLine[], kept: Kept) {
  const older = fresh.filter((line) => line.day < kept.first);
  const opening = new Decimal(kept.opening).minus(sum(older.map((line) => line.amount)));
  const { before, closing } = boundsOf(lines, asked);
  const [first, last] = [lines[0], lines.at(-1)];
  // All of it lies before what is kept, and ends with what that began with, be it on the same day.
  const ahead = last !== undefined && last.day <= kept.first && fresh.length === lines.length;
  if (before !== undefined && closing && ahead && new Decimal(closing).eq(kept.opening)) {
    return { opening: before, problem: undefined };
  }
  if (before === undefined || !first) return { opening: opening.toFixed(), problem: undefined };
  // What the kept lines and the new ones say was there before the file's first line.
  const { rows } = await sql<{ total: string }>`
    SELECT coalesce(sum(amount), 0)::text AS total FROM finance.bank_line
     WHERE company_id = ${ctx.companyId} AND cash_account_id = ${asked.cashAccountId}
       AND NOT identity = ANY (${lines.map((line) => line.identity)}::text[]) AND day <= ${first.day}`.execute(ctx.db);
  const due = opening.plus(rows[0]?.total ?? 0);
  if (due.eq(before)) return { opening: opening.toFixed(), problem: undefined };
  const reason = `与已导入的流水不连续：此前余额应为 ${due.toFixed(2)}，文件为 ${new Decimal(before).toFixed(2)}，可能缺少中间的流水`;
  return {
    opening: opening.toFixed(),
    problem: { line: first.line, column: '余额', value: first.balance ?? '', reason },
  };
}

async function write(ctx: Ctx, account: string, fresh: readonly FileLine[], opening: string): Promise<void> {
  await sql`
    INSERT INTO finance.bank_opening (company_id, cash_account_id, amount) VALUES (${ctx.companyId}, ${account}, ${opening})
    ON CONFLICT (company_id, cash_account_id) DO UPDATE SET amount = excluded.amount`.execute(ctx.db);
  await sql`
    INSERT INTO finance.bank_line (company_id, cash_account_id, day, amount, balance, counterparty, counterparty_account,
      summary, serial, identity, created_by_name)
    SELECT ${ctx.companyId}, ${account}, v.day, v.amount, v.balance, v.counterparty, v."counterpartyAccount", v.summary,
           v.serial, v.identity, ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(fresh.map((line, index) => ({ ...line, n: index })))}::jsonb)
        AS v(n int, day date, amount numeric, balance numeric, counterparty text, "counterpartyAccount" text, summary text,
             serial text, identity text)
     ORDER BY v.n`.execute(ctx.db);
}

/**
 * Reads, checks and, where asked to and all of it is good, keeps a statement; the account is held.
 * @throws refused B0903 account
 */
export async function takeStatement(ctx: Ctx, asked: Asked, file: string, table: readonly SheetCell[][]) {
  const account = await accountOf(ctx, asked.cashAccountId);
  await lockBank(ctx, account.id);
  const { rows, lines, problems } = readBank(table, currencyScale(account.currency));
  const fresh = await freshOf(ctx, account.id, lines);
  const kept = await keptOf(ctx, account.id);
  const today = ctx.clock.today();
  for (const line of lines) {
    if (line.day > today)
      problems.push({ line: line.line, column: '交易日期', value: line.day, reason: '日期晚于今天' });
  }
  let opening = boundsOf(lines, asked).opening ?? '0';
  if (problems.length === 0 && lines.length > 0) {
    const whole = wholeProblem(lines, asked, kept);
    if (whole) problems.push(whole);
    else if (kept) {
      const joined = await gapProblem(ctx, asked, lines, fresh, kept);
      opening = joined.opening;
      if (joined.problem && fresh.length > 0) problems.push(joined.problem);
    }
  }
  const written = asked.write === 'yes' && problems.length === 0 && fresh.length > 0;
  if (written) await write(ctx, account.id, fresh, opening);
  const bad = new Set(problems.map((one) => one.line)).size;
  const summary = `${account.name}：${lines.length} 笔流水，新增 ${fresh.length} 笔，已导入过 ${lines.length - fresh.length} 笔`;
  await audit(ctx, {
    action: written ? '导入银行流水' : '检查银行流水',
    resource: RESOURCE,
    resourceId: account.id,
    after: { file, rows, fresh: fresh.length, written, problems: problems.length },
  });
  return {
    rows,
    good: Math.max(0, rows - bad),
    fresh: fresh.length,
    written,
    summary: problems.length > 0 ? null : summary,
    problems: problems.slice(0, MOST),
  };
}

/** @throws refused B0933 for no sheet or too many rows, B0903 account */
export async function uploadBank(open: OpenCtx, asked: Asked) {
  const file = await uploadedBytes(open);
  const table = await tableOf(file);
  if (table.length > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B0933');
  return inTenant(open.runtime, open.principal, (ctx) => takeStatement(ctx, asked, file.name, table), {
    requestId: open.requestId,
    ip: open.ip,
  });
}
