import { sql } from 'kysely';
import { writtenDay } from '#kit/contract/day.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { AppError, refused } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { readOrRefuse, uploadedBytes } from '#kit/server/excel/uploaded.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { QuoteAnswerInput } from '../../contract/quote-request/answer.ts';
import type { QuoteUnit } from '../../contract/quote-request/fields.ts';
import { quoteRequest } from '../../contract/quote-request/request.ts';
import { putAnswer } from './answer.ts';
import { type Cells, type Key, rowsOf, type SheetRow, titleOf } from './columns.ts';
import { lockedRequest, touchRequest } from './load.ts';

const MAX_ROWS = 1000;

interface Problem {
  line: number;
  column: string;
  value: string;
  reason: string;
}

interface Imported {
  rows: number;
  answers: number;
  unchanged: number;
  written: boolean;
  problems: Problem[];
}

/** What an import came to; thrown to undo what only a check had written. */
class Checked extends Error {
  readonly outcome: Imported;
  constructor(outcome: Imported) {
    super('checked');
    this.outcome = outcome;
  }
}

const UNITS: Readonly<Record<string, QuoteUnit>> = {
  '': 'KG',
  kg: 'KG',
  公斤: 'KG',
  重量: 'KG',
  '重量(kg)': 'KG',
  cbm: 'CBM',
  'm³': 'CBM',
  m3: 'CBM',
  方: 'CBM',
  立方: 'CBM',
  体积: 'CBM',
  '体积(m³)': 'CBM',
  箱: 'BOX',
};

const plain = (text: string) => text.trim().toLowerCase();
/** 1,234.50 and ¥1234.5 are how people write amounts. */
const amountOf = (text: string) => text.replace(/^[¥￥$]|,(?=\d{3})/g, '').trim();

interface Known {
  requests: ReadonlyMap<string, string>;
  carriers: ReadonlyMap<string, string>;
  /** By carrier and name. */
  channels: ReadonlyMap<string, string>;
}

async function knownOf(ctx: Ctx, rows: readonly SheetRow[]): Promise<Known> {
  const numbers = [...new Set(rows.map(({ cells }) => cells.number.toUpperCase()))];
  const requests = await sql<{ id: string; number: string }>`
    SELECT id, number FROM shipping.quote_request
     WHERE company_id = ${ctx.companyId} AND number = ANY (${numbers}::text[])`.execute(ctx.db);
  const carriers = await sql<{ id: string; name: string; code: string }>`
    SELECT id, name, code FROM shipping.carrier WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  const channels = await sql<{ id: string; carrier: string; name: string }>`
    SELECT id, carrier_id AS carrier, name FROM shipping.channel WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return {
    requests: new Map(requests.rows.map(({ id, number }) => [number, id])),
    carriers: new Map([
      ...carriers.rows.filter(({ code }) => code !== '').map(({ id, code }) => [plain(code), id] as const),
      ...carriers.rows.map(({ id, name }) => [plain(name), id] as const),
    ]),
    channels: new Map(channels.rows.map(({ id, carrier, name }) => [`${carrier} ${plain(name)}`, id])),
  };
}

const FIELDS: Readonly<Record<string, Key>> = {
  price: 'price',
  quantity: 'quantity',
  tax: 'tax',
  otherFee: 'otherFee',
  currency: 'currency',
  total: 'total',
  days: 'days',
  remark: 'remark',
};

interface Wanted {
  requestId: string;
  input: QuoteAnswerInput;
}

/** What a row says, or the column that is wrong and why. */
function wantedOf(cells: Cells, known: Known): Wanted | [Key, string] {
  const requestId = known.requests.get(cells.number.toUpperCase());
  if (requestId === undefined) return ['number', '询价单不存在'];
  const carrierId = known.carriers.get(plain(cells.carrier));
  if (carrierId === undefined) return ['carrier', '物流商不存在'];
  const channelId = cells.channel === '' ? null : known.channels.get(`${carrierId} ${plain(cells.channel)}`);
  if (channelId === undefined) return ['channel', '该物流商没有这个渠道'];
  const unit = UNITS[plain(cells.unit)];
  if (unit === undefined) return ['unit', '计费单位只能是 kg、m³、箱'];
  const validUntil = cells.validUntil === '' ? null : writtenDay(cells.validUntil);
  if (validUntil === undefined) return ['validUntil', '请输入日期，例如 2026-01-31'];
  const found = QuoteAnswerInput.safeParse({
    carrierId,
    channelId,
    unit,
    price: amountOf(cells.price),
    quantity: amountOf(cells.quantity),
    tax: amountOf(cells.tax) || '0',
    otherFee: amountOf(cells.otherFee) || '0',
    currency: (cells.currency || 'CNY').toUpperCase(),
    total: amountOf(cells.total) || null,
    days: cells.days === '' ? null : Number(cells.days),
    validUntil,
    remark: cells.remark,
  });
  const [issue] = found.error?.issues ?? [];
  const key = FIELDS[String(issue?.path[0])] ?? 'price';
  if (key === 'currency') return ['currency', '请输入三位币种代码，例如 CNY'];
  return found.success ? { requestId, input: found.data } : [key, issue?.message ?? '填写有误'];
}

/** Writes rows in the order of the sheet; a refusal is told of its row. Requests are locked in the order of their ids. */
async function put(ctx: Ctx, rows: readonly SheetRow[]): Promise<Omit<Imported, 'rows' | 'written'>> {
  const known = await knownOf(ctx, rows);
  const read = rows.map(({ line, cells }) => ({ line, cells, wanted: wantedOf(cells, known) }));
  const problems = read.flatMap(({ line, cells, wanted }): Problem[] =>
    Array.isArray(wanted) ? [{ line, column: titleOf(wanted[0]), value: cells[wanted[0]], reason: wanted[1] }] : [],
  );
  if (problems.length > 0) return { answers: 0, unchanged: 0, problems };
  let [answers, unchanged] = [0, 0];
  const byRequest = Map.groupBy(read, ({ wanted }) => (Array.isArray(wanted) ? '' : wanted.requestId));
  for (const id of [...byRequest.keys()].sort()) {
    const request = await lockedRequest(ctx, id);
    for (const { line, cells, wanted } of byRequest.get(id) ?? []) {
      if (Array.isArray(wanted)) continue;
      try {
        if (await putAnswer(ctx, request, wanted.input, 'import')) answers += 1;
        else unchanged += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const column = error.message.startsWith('总价') ? titleOf('total') : '';
        return { answers, unchanged, problems: [{ line, column, value: cells.total, reason: error.message }] };
      }
    }
    await touchRequest(ctx, id);
  }
  return { answers, unchanged, problems: [] };
}

async function take(ctx: Ctx, rows: readonly SheetRow[], write: boolean): Promise<Imported> {
  const found = await put(ctx, rows);
  const written = write && found.problems.length === 0;
  const outcome = { rows: rows.length, ...found, written };
  if (!written) throw new Checked(outcome);
  await audit(ctx, {
    action: '导入物流报价',
    resource: quoteRequest.name,
    after: { rows: rows.length, lines: found.answers },
  });
  return outcome;
}

/**
 * Reads an uploaded sheet of answers to any requests. All of them are written by the rules of any answer, or none; a mere check
 * does the same and undoes it. A row that says what the current answer says changes nothing, so a file may be sent again.
 * @throws refused B0933 for no sheet, B1376 missing columns, no rows or too many
 */
export async function importAnswers(open: OpenCtx, write: boolean): Promise<Imported> {
  const { bytes } = await uploadedBytes(open);
  const { rows, missing } = rowsOf(await readOrRefuse(readSheet(bytes)));
  if (missing.length > 0) throw refused(`表格缺少列：${missing.join('、')}`, 'B1376');
  if (rows.length === 0) throw refused('文件没有数据行', 'B1376');
  if (rows.length > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B1376');
  const { requestId, ip } = open;
  return inTenant(open.runtime, open.principal, (ctx) => take(ctx, rows, write), { requestId, ip }).catch(
    (error: unknown) => {
      if (error instanceof Checked) return error.outcome;
      throw error;
    },
  );
}
