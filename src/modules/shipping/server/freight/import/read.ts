import { sql } from 'kysely';
import { writtenDay } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FreightBillInput, FreightLineInput } from '../../../contract/freight/bill.ts';
import { type FreightBase, FreightKind, MAX_BILL_LINES } from '../../../contract/freight/fields.ts';
import { type Meant, meantBy, notBillable } from '../references.ts';
import { freightSettingOf } from '../setting.ts';
import { type Cells, type Key, type SheetRow, titleOf } from './sheet.ts';

export interface Problem {
  line: number;
  column: string;
  value: string;
  reason: string;
}

/** A bill with the lines of the sheet that it came from. */
export interface Wanted {
  input: FreightBillInput;
  lines: number[];
}

const KINDS = new Map(
  Object.entries(FreightKind.meta()?.states ?? {}).map(([value, { title }]) => [title, value as FreightKind]),
);
const kindOf = (text: string): FreightKind | undefined => (text === '' ? 'FREIGHT' : KINDS.get(text));
const plain = (text: string) => text.trim().toLowerCase();
/** 1,234.50 and ¥1234.5 are how people write amounts. */
const amountOf = (text: string) => text.replace(/^[¥￥]|,(?=\d{3})/g, '').trim();

interface Known {
  carriers: ReadonlyMap<string, string>;
  orders: ReadonlyMap<string, Meant>;
  base: FreightBase;
  today: string;
}

async function knownOf(ctx: Ctx, rows: readonly SheetRow[]): Promise<Known> {
  const carriers = await sql<{ id: string; name: string; code: string }>`
    SELECT id, name, code FROM shipping.carrier WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return {
    // A name counts before a code that reads the same.
    carriers: new Map([
      ...carriers.rows.filter(({ code }) => code !== '').map(({ id, code }) => [plain(code), id] as const),
      ...carriers.rows.map(({ id, name }) => [plain(name), id] as const),
    ]),
    orders: await meantBy(
      ctx,
      rows.map(({ cells }) => cells.reference),
    ),
    base: (await freightSettingOf(ctx)).base,
    today: ctx.clock.today(),
  };
}

const chargeOf = (cells: Cells) =>
  FreightLineInput.safeParse({
    reference: cells.reference,
    kind: kindOf(cells.kind),
    amount: amountOf(cells.amount),
    billedWeight: cells.weight || null,
    remark: cells.remark,
  });

const FIELDS: Record<string, Key> = {
  reference: 'reference',
  amount: 'amount',
  billedWeight: 'weight',
  remark: 'remark',
};

/** Why a row cannot be taken, with the column that is wrong; the first reason counts. */
function wrong(cells: Cells, known: Known): [Key, string] | undefined {
  if (!known.carriers.has(plain(cells.carrier))) return ['carrier', '物流商不存在'];
  if (cells.billNo === '' || cells.billNo.length > 60) return ['billNo', '请填写账单号，不超过60个字'];
  const day = writtenDay(cells.day);
  if (!day) return ['day', '请输入日期，例如 2026-01-31'];
  if (day > known.today) return ['day', '账单日期不能晚于今天'];
  if (cells.currency && !/^[A-Za-z]{3}$/.test(cells.currency)) return ['currency', '请输入三位币种代码，例如 CNY'];
  if (!kindOf(cells.kind)) return ['kind', `费用类型只能是 ${[...KINDS.keys()].join('、')}`];
  const [issue] = chargeOf(cells).error?.issues ?? [];
  if (issue) return [FIELDS[String(issue.path[0])] ?? 'reference', issue.message];
  const why = notBillable(cells.reference, known.orders.get(cells.reference));
  return why === undefined ? undefined : ['reference', why];
}

/** Rows of one carrier and bill number belong together; they agree in what is said of the whole bill. */
function grouped(rows: readonly SheetRow[], known: Known): { bills: Wanted[]; problems: Problem[] } {
  const bills = new Map<string, Wanted>();
  const problems: Problem[] = [];
  for (const { line, cells } of rows) {
    const carrierId = known.carriers.get(plain(cells.carrier)) ?? '';
    const head = { carrierId, billNo: cells.billNo, day: writtenDay(cells.day) ?? '' };
    const currency = (cells.currency || 'CNY').toUpperCase();
    const key = `${carrierId} ${plain(cells.billNo)}`;
    const start = () => ({
      input: FreightBillInput.parse({ ...head, currency, base: known.base, lines: [charge] }),
      lines: [line],
    });
    const charge = chargeOf(cells).data;
    if (!charge) continue;
    const bill = bills.get(key);
    if (!bill) {
      bills.set(key, start());
      continue;
    }
    const other = bill.input.day !== head.day ? 'day' : bill.input.currency !== currency ? 'currency' : undefined;
    if (other) {
      const reason = `与同一账单第 ${bill.lines[0]} 行的${titleOf(other)}不同`;
      problems.push({ line, column: titleOf(other), value: cells[other], reason });
    }
    bill.input.lines.push(charge);
    bill.lines.push(line);
  }
  for (const { input, lines } of bills.values()) {
    if (input.lines.length <= MAX_BILL_LINES) continue;
    const reason = `一张账单最多${MAX_BILL_LINES}行`;
    problems.push({ line: lines[0] ?? 2, column: titleOf('billNo'), value: input.billNo, reason });
  }
  return { bills: [...bills.values()], problems };
}

/** The bills that rows of a sheet become, or why rows cannot be taken. */
export async function billsOf(ctx: Ctx, rows: readonly SheetRow[]): Promise<{ bills: Wanted[]; problems: Problem[] }> {
  const known = await knownOf(ctx, rows);
  const problems = rows.flatMap(({ line, cells }): Problem[] => {
    const why = wrong(cells, known);
    return why ? [{ line, column: titleOf(why[0]), value: cells[why[0]], reason: why[1] }] : [];
  });
  const bad = new Set(problems.map((problem) => problem.line));
  const found = grouped(
    rows.filter(({ line }) => !bad.has(line)),
    known,
  );
  return { bills: found.bills, problems: [...problems, ...found.problems].sort((a, b) => a.line - b.line) };
}
