import { writtenDay } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { plainHeading } from '#kit/server/excel/headings.ts';
import type { GenericTable } from '#modules/marketplace/server/index.ts';
import { ALWAYS, type Correction, type ImportProblem } from '../contract.ts';

export const COLUMNS = { sku: 'SKU', name: '品名', unitCost: '采购单价(CNY)', validFrom: '生效日期' } as const;
type ColumnKey = keyof typeof COLUMNS;

/** Other spellings of the headings, lower case without blanks. */
const ALIASES: Record<ColumnKey, readonly string[]> = {
  sku: ['sku', 'msku', 'seller-sku', 'sellersku', '平台sku', '本地sku', '商品编码'],
  name: ['品名', '名称', '商品名称', '产品名称', 'name'],
  unitCost: ['采购单价(cny)', '采购单价', '采购成本', '采购价', '单价', '成本', 'unitcost', 'cost'],
  validFrom: ['生效日期', '日期', 'validfrom', 'date'],
};

/** More rows than that are several files. */
const MAX_ROWS = 50_000;
const MAX_PROBLEMS = 1_000;

export interface CostLine {
  line: number;
  sku: string;
  name: string;
  unitCost: string;
  validFrom: string;
}

export interface RowsRead {
  rows: number;
  /** Lines that a correction left out; they are not among `rows`. */
  dropped: number;
  /** What corrections changed, in words for the timeline. */
  corrected: string[];
  lines: CostLine[];
  problems: ImportProblem[];
  /** Problems beyond those listed. */
  more: number;
}

function placesOf(headers: readonly string[]): Record<ColumnKey, number> {
  const plainHeaders = headers.map(plainHeading);
  const place = (key: ColumnKey) => plainHeaders.findIndex((heading) => ALIASES[key].includes(heading));
  return { sku: place('sku'), name: place('name'), unitCost: place('unitCost'), validFrom: place('validFrom') };
}

/** Full-width digits and signs of a Chinese keyboard to plain ones. */
function narrowed(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
    .trim();
}

/** A cell that can be taken, or why not; `fix` is what would be taken instead without asking anybody. */
type Checked = { value: string } | { reason: string; suggestion: string; fix?: string };

/** A price as people write it: "12.5", "¥12.50", "1,234.50". At most four decimals, above zero. */
export function readCost(text: string): Checked {
  const bare = narrowed(text)
    .replace(/^[¥￥]|(CNY|RMB|元)$/gi, '')
    .trim();
  if (bare === '') return { reason: '采购单价为空', suggestion: '填写大于 0 的金额，例如 12.50' };
  const number = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare;
  if (!/^\d{1,12}(\.\d+)?$/.test(number)) return { reason: '请输入正确的金额', suggestion: '填写数字，例如 12.50' };
  const value = new Decimal(number);
  if (value.isZero()) return { reason: '采购单价不能为 0', suggestion: '没有成本的 SKU 请删除此行' };
  if (value.decimalPlaces() > 4) {
    const fix = value.toFixed(4);
    const suggestion = /[1-9]/.test(fix) ? `改为 ${fix}` : '填写大于 0 的金额，例如 12.50';
    return { reason: '采购单价最多 4 位小数', suggestion, ...(/[1-9]/.test(fix) ? { fix } : {}) };
  }
  return { value: value.toFixed() };
}

/** A day as people write it: 2026-01-31, 2026/1/31, 2026.1.31, 20260131, with or without a time. Empty: always. */
export function readDay(text: string): Checked {
  const bare = narrowed(text);
  if (bare === '') return { value: ALWAYS };
  const value = writtenDay(bare);
  if (value === undefined) return { reason: '生效日期无效', suggestion: '填写 yyyy-MM-dd，例如 2026-01-31，或留空' };
  if (value < ALWAYS || value > '2100-01-01') return { reason: '生效日期超出范围', suggestion: '请检查年份' };
  return { value };
}

/** Finds SKUs that differ from a known one by case or blanks only: a typing slip, not a new product. */
function spellings(known: Iterable<string>): Map<string, string> {
  return new Map([...known].map((sku) => [sku.toLowerCase().replace(/\s/g, ''), sku]));
}

function readSku(text: string, known: ReadonlySet<string>, similar: ReadonlyMap<string, string>): Checked {
  const sku = text.trim();
  if (sku === '') return { reason: 'SKU 为空', suggestion: '填写 SKU，或删除此行' };
  if (sku.length > 100) return { reason: 'SKU 超过 100 个字符', suggestion: '请检查是否填错列' };
  const other = known.has(sku) ? undefined : similar.get(sku.toLowerCase().replace(/\s/g, ''));
  if (other !== undefined) {
    return { reason: `与已有 SKU「${other}」只差大小写或空格`, suggestion: `改为 ${other}`, fix: other };
  }
  return { value: sku };
}

/** A problem of the file itself: no line to correct. */
const WHOLE_FILE = { line: null, sku: '', field: null, fix: null } as const;

/** Headings that must be there, as one problem each. */
function missing(places: Record<ColumnKey, number>, headers: readonly string[]): ImportProblem[] {
  return (['sku', 'unitCost'] as const)
    .filter((key) => places[key] < 0)
    .map((key) => ({
      ...WHOLE_FILE,
      column: COLUMNS[key],
      value: headers.join('、').slice(0, 100),
      reason: `缺少列「${COLUMNS[key]}」`,
      suggestion: '请使用导入模板的表头',
    }));
}

const CORRECTABLE = ['sku', 'unitCost', 'validFrom'] as const;

/** What a correction changed in its line, in words: 「第 4 行 采购单价(CNY)：0 → 12.5」. */
function changes(line: number, correction: Correction, before: (key: ColumnKey) => string): string[] {
  if (correction.drop) return [`第 ${line} 行 不导入`];
  return CORRECTABLE.flatMap((key) => {
    const after = correction.values[key];
    return after === undefined ? [] : [`第 ${line} 行 ${COLUMNS[key]}：${before(key) || '空'} → ${after || '空'}`];
  });
}

type Cell = (key: ColumnKey) => string;

/** One row checked cell by cell: the line that it makes, or its problems. */
function readLine(line: number, cell: Cell, known: ReadonlySet<string>, similar: ReadonlyMap<string, string>) {
  const checked = {
    sku: readSku(cell('sku'), known, similar),
    unitCost: readCost(cell('unitCost')),
    validFrom: readDay(cell('validFrom')),
  };
  const sku = cell('sku').trim().slice(0, 100);
  const problems = CORRECTABLE.flatMap((field): ImportProblem[] => {
    const one = checked[field];
    if ('value' in one) return [];
    const value = cell(field).slice(0, 100);
    return [{ line, sku, field, column: COLUMNS[field], value, fix: null, ...one }];
  });
  if (!('value' in checked.sku && 'value' in checked.unitCost && 'value' in checked.validFrom)) return { problems };
  const name = cell('name').trim().slice(0, 200);
  const good: CostLine = {
    line,
    sku: checked.sku.value,
    name,
    unitCost: checked.unitCost.value,
    validFrom: checked.validFrom.value,
  };
  return { problems, good };
}

/**
 * Reads every row of an import and says of each bad one why. Nothing is written. `known` holds the SKUs that exist;
 * `corrections` are what the user put right by line, read as if the file said so.
 */
export async function readRows(
  table: GenericTable,
  known: ReadonlySet<string>,
  corrections: readonly Correction[] = [],
): Promise<RowsRead> {
  const places = placesOf(table.headers);
  const result: RowsRead = {
    rows: 0,
    dropped: 0,
    corrected: [],
    lines: [],
    problems: missing(places, table.headers),
    more: 0,
  };
  if (result.problems.length > 0) return result;
  const similar = spellings(known);
  const byLine = new Map(corrections.map((one) => [one.line, one]));
  const seen = new Map<string, number>();
  const report = (problem: ImportProblem) => {
    if (result.problems.length < MAX_PROBLEMS) result.problems.push(problem);
    else result.more += 1;
  };
  for await (const batch of table.rows()) {
    for (const { lineNo, values } of batch) {
      if (values.every((value) => value.trim() === '')) continue;
      const written = (key: ColumnKey) => (places[key] < 0 ? '' : (values[places[key]] ?? ''));
      const correction = byLine.get(lineNo);
      if (correction) result.corrected.push(...changes(lineNo, correction, written));
      if (correction?.drop) {
        result.dropped += 1;
        continue;
      }
      result.rows += 1;
      const cell = (key: ColumnKey) => (key === 'name' ? undefined : correction?.values[key]) ?? written(key);
      const { problems, good: line } = readLine(lineNo, cell, known, similar);
      for (const problem of problems) report(problem);
      if (!line) continue;
      const key = `${line.sku}\t${line.validFrom}`;
      const first = seen.get(key);
      if (first !== undefined) {
        const suggestion = '同一 SKU 同一生效日期只保留一行';
        const { sku } = line;
        const reason = `与第 ${first} 行重复`;
        report({ line: lineNo, sku, field: 'sku', column: COLUMNS.sku, value: sku, reason, suggestion, fix: null });
        continue;
      }
      seen.set(key, lineNo);
      result.lines.push(line);
    }
    if (result.rows > MAX_ROWS) {
      const reason = `超过 ${MAX_ROWS.toLocaleString('en-US')} 行`;
      report({ ...WHOLE_FILE, column: '', value: String(result.rows), reason, suggestion: '请拆分为多个文件' });
      break;
    }
  }
  if (result.rows === 0) {
    const reason = result.dropped > 0 ? '所有行都已设为不导入' : '文件没有数据行';
    report({ ...WHOLE_FILE, column: '', value: '', reason, suggestion: '请在表头下填写数据' });
  }
  return result;
}
