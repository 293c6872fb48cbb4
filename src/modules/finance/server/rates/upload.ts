import { writtenDay } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import { refused } from '#kit/server/errors.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { readOrRefuse, uploadedBytes } from '../uploads.ts';
import { putDays } from './edit.ts';
import { periods } from './periods.ts';

const COLUMNS = ['日期', '币种', '汇率', '单位'] as const;
type Column = (typeof COLUMNS)[number];
const MAX_ROWS = 20_000;

interface Problem {
  line: number;
  column: Column;
  value: string;
  reason: string;
}

interface Read {
  rows: number;
  rates: { currency: string; day: string; rate: string }[];
  problems: Problem[];
}

/** An empty sheet with the headings. */
export function template(): FileReply {
  const columns = COLUMNS.map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const none = (async function* (): AsyncGenerator<object> {})();
  return new FileReply(
    '每日汇率导入模板.xlsx',
    MEDIA_TYPES.xlsx,
    exportStream(none, { format: 'xlsx', sheet: '每日汇率', columns }),
  );
}

/** CNY for one unit: a quote of 100 units is divided; a quote of the other direction (1 CNY = x) has the unit -1. */
function rateOf(quote: string, unit: string): string | undefined {
  if (!/^\d{1,10}(\.\d{1,10})?$/.test(quote) || !/[1-9]/.test(quote)) return undefined;
  if (unit === '-1') return new Decimal(1).div(quote).toFixed(10);
  if (unit !== '' && !/^1(0{0,4})$/.test(unit)) return undefined;
  return new Decimal(quote).div(unit === '' ? 1 : unit).toFixed(10);
}

function readRow(cells: Record<Column, string>, closed: ReadonlySet<string>): Read['rates'][number] | [Column, string] {
  const day = writtenDay(cells.日期);
  if (!day) return ['日期', '请输入日期，例如 2026-01-31'];
  if (closed.has(day.slice(0, 7))) return ['日期', `${day.slice(0, 7)} 已关账`];
  const currency = cells.币种.toUpperCase();
  if (!/^[A-Z]{3}$/.test(currency) || currency === 'CNY') return ['币种', '请输入外币代码，例如 USD'];
  const rate = rateOf(cells.汇率, cells.单位);
  if (!rate || !/[1-9]/.test(rate))
    return ['汇率', '请输入正的汇率；单位为 1、100 等，反向报价（1人民币=多少外币）填 -1'];
  return { currency, day, rate };
}

/** Reads a sheet whole: every row is good, or a problem names its line and column. */
export function readRates(table: readonly (readonly string[])[], closed: ReadonlySet<string>): Read {
  const heads = (table[0] ?? []).map((title) => title.trim());
  const places = new Map(COLUMNS.map((title) => [title, heads.indexOf(title)]));
  const found: Read = { rows: 0, rates: [], problems: [] };
  for (const column of ['日期', '币种', '汇率'] as const) {
    if ((places.get(column) ?? -1) < 0)
      found.problems.push({ line: 1, column, value: '', reason: `缺少列【${column}】` });
  }
  if (found.problems.length > 0) return found;
  const byKey = new Map<string, Read['rates'][number]>();
  table.slice(1).forEach((row, index) => {
    const cell = (column: Column) => (row[places.get(column) ?? -1] ?? '').trim();
    const cells = { 日期: cell('日期'), 币种: cell('币种'), 汇率: cell('汇率'), 单位: cell('单位') };
    if (Object.values(cells).every((text) => text === '')) return;
    found.rows += 1;
    const read = readRow(cells, closed);
    if (!Array.isArray(read)) byKey.set(`${read.currency} ${read.day}`, read);
    else if (found.problems.length < 200) {
      found.problems.push({ line: index + 2, column: read[0], value: cells[read[0]], reason: read[1] });
    }
  });
  found.rates.push(...byKey.values());
  return found;
}

/** Reads an uploaded sheet and, where asked to and every row is good, writes all of it. @throws refused B0933 for no sheet */
export async function uploadDays(open: OpenCtx, write: boolean) {
  const { bytes } = await uploadedBytes(open);
  const table = await readOrRefuse(readSheet(bytes));
  if (table.length > MAX_ROWS + 1) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B0933');
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const closed = new Set((await periods(ctx)).filter((one) => one.closed).map((one) => one.month));
      const { rows, rates, problems } = readRates(table, closed);
      const written = write && problems.length === 0;
      if (written) await putDays(ctx, rates, '导入');
      await audit(ctx, {
        action: written ? '导入每日汇率' : '检查每日汇率',
        resource: 'finance.exchangeRate',
        after: { rows, written, problems: problems.length },
      });
      return { rows, good: rates.length, written, problems };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}
