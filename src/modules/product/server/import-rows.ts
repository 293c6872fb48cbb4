import { Decimal } from '#kit/contract/decimal.ts';
import type { GenericTable } from '#modules/marketplace/server/index.ts';
import { ALWAYS, type ImportProblem } from '../contract.ts';

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
  lines: CostLine[];
  problems: ImportProblem[];
  /** Problems beyond those listed. */
  more: number;
}

function plain(heading: string): string {
  return heading.toLowerCase().replaceAll('（', '(').replaceAll('）', ')').replace(/[\s*]/g, '');
}

function placesOf(headers: readonly string[]): Record<ColumnKey, number> {
  const plainHeaders = headers.map(plain);
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

type Checked = { value: string } | { reason: string; suggestion: string };

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
  if (value.decimalPlaces() > 4) return { reason: '采购单价最多 4 位小数', suggestion: `改为 ${value.toFixed(4)}` };
  return { value: value.toFixed() };
}

/** A day as people write it: 2026-01-31, 2026/1/31, 2026.1.31, 20260131, with or without a time. Empty: always. */
export function readDay(text: string): Checked {
  const bare = narrowed(text);
  if (bare === '') return { value: ALWAYS };
  const match = /^(\d{4})[-/.年]?(\d{1,2})[-/.月]?(\d{1,2})日?(?:[ T]\d{2}:\d{2}(?::\d{2})?)?$/.exec(bare);
  const [, year = '', month = '', day = ''] = match ?? [];
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${value}T00:00:00Z`);
  const real = match && !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === value;
  if (!real) return { reason: '生效日期无效', suggestion: '填写 yyyy-MM-dd，例如 2026-01-31，或留空' };
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
  if (other !== undefined) return { reason: `与已有 SKU「${other}」只差大小写或空格`, suggestion: `改为 ${other}` };
  return { value: sku };
}

/** Headings that must be there, as one problem each. */
function missing(places: Record<ColumnKey, number>, headers: readonly string[]): ImportProblem[] {
  return (['sku', 'unitCost'] as const)
    .filter((key) => places[key] < 0)
    .map((key) => ({
      line: null,
      column: COLUMNS[key],
      value: headers.join('、').slice(0, 100),
      reason: `缺少列「${COLUMNS[key]}」`,
      suggestion: '请使用导入模板的表头',
    }));
}

/**
 * Reads every row of an import and says of each bad one why. Nothing is written. `known` holds the SKUs that exist.
 */
export async function readRows(table: GenericTable, known: ReadonlySet<string>): Promise<RowsRead> {
  const places = placesOf(table.headers);
  const result: RowsRead = { rows: 0, lines: [], problems: missing(places, table.headers), more: 0 };
  if (result.problems.length > 0) return result;
  const similar = spellings(known);
  const seen = new Map<string, number>();
  const report = (problem: ImportProblem) => {
    if (result.problems.length < MAX_PROBLEMS) result.problems.push(problem);
    else result.more += 1;
  };
  for await (const batch of table.rows()) {
    for (const { lineNo, values } of batch) {
      const cell = (key: ColumnKey) => (places[key] < 0 ? '' : (values[places[key]] ?? ''));
      if (values.every((value) => value.trim() === '')) continue;
      result.rows += 1;
      const checked = {
        sku: readSku(cell('sku'), known, similar),
        unitCost: readCost(cell('unitCost')),
        validFrom: readDay(cell('validFrom')),
      };
      let good = true;
      for (const key of ['sku', 'unitCost', 'validFrom'] as const) {
        const one = checked[key];
        if ('value' in one) continue;
        good = false;
        report({ line: lineNo, column: COLUMNS[key], value: cell(key).slice(0, 100), ...one });
      }
      if (!good || !('value' in checked.sku && 'value' in checked.unitCost && 'value' in checked.validFrom)) continue;
      const line = {
        line: lineNo,
        sku: checked.sku.value,
        name: cell('name').trim().slice(0, 200),
        unitCost: checked.unitCost.value,
        validFrom: checked.validFrom.value,
      };
      const key = `${line.sku}\t${line.validFrom}`;
      const first = seen.get(key);
      if (first !== undefined) {
        const reason = `与第 ${first} 行重复`;
        report({
          line: lineNo,
          column: COLUMNS.sku,
          value: line.sku,
          reason,
          suggestion: '同一 SKU 同一生效日期只保留一行',
        });
        continue;
      }
      seen.set(key, lineNo);
      result.lines.push(line);
    }
    if (result.rows > MAX_ROWS) {
      const reason = `超过 ${MAX_ROWS.toLocaleString('en-US')} 行`;
      report({ line: null, column: '', value: String(result.rows), reason, suggestion: '请拆分为多个文件' });
      break;
    }
  }
  if (result.rows === 0) {
    report({ line: null, column: '', value: '', reason: '文件没有数据行', suggestion: '请在表头下填写数据' });
  }
  return result;
}
