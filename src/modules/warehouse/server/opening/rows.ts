import { writtenDay } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { plainHeading } from '#kit/server/excel/headings.ts';
import type { GenericTable } from '#modules/marketplace/server/index.ts';
import type { OpeningCheck } from '../../contract/opening.ts';

export const COLUMNS = {
  sku: 'SKU',
  warehouse: '仓库',
  qty: '数量',
  unitCost: '单位成本(CNY)',
  firstDay: '入库日期',
} as const;
type Key = keyof typeof COLUMNS;

const MAX_ROWS = 50_000;
const MAX_PROBLEMS = 500;

export interface OpeningLine {
  line: number;
  sku: string;
  product: string;
  warehouse: string;
  warehouseName: string;
  qty: number;
  unitCost: string;
  firstDay: string;
}

export interface Known {
  /** Product ids by SKU in lower case. */
  products: ReadonlyMap<string, string>;
  /** Warehouses for good pieces by name and by code. */
  warehouses: ReadonlyMap<string, { id: string; name: string }>;
  /** The company's day. */
  today: string;
}

export interface OpeningRows {
  rows: number;
  lines: OpeningLine[];
  problems: OpeningCheck['problems'];
}

function placesOf(headers: readonly string[]): Record<Key, number> {
  const found = headers.map(plainHeading);
  const entries = Object.entries(COLUMNS).map(([key, title]) => [key, found.indexOf(plainHeading(title))]);
  return Object.fromEntries(entries) as Record<Key, number>;
}

type Cells = Record<Key, string>;
type Problem = { key: Key; reason: string };

function lineOf(line: number, cells: Cells, known: Known): OpeningLine | Problem {
  const product = known.products.get(cells.sku.toLowerCase());
  if (cells.sku === '') return { key: 'sku', reason: 'SKU 为空' };
  if (!product) return { key: 'sku', reason: `SKU【${cells.sku}】不存在` };
  const warehouse = known.warehouses.get(cells.warehouse);
  if (!warehouse) return { key: 'warehouse', reason: `正品仓位【${cells.warehouse}】不存在或已停用` };
  if (!/^[1-9]\d{0,8}$/.test(cells.qty)) return { key: 'qty', reason: '数量必须为正整数' };
  if (!/^\d{1,10}(\.\d{1,4})?$/.test(cells.unitCost))
    return { key: 'unitCost', reason: '请输入正确的金额，最多四位小数' };
  const firstDay = cells.firstDay === '' ? known.today : writtenDay(cells.firstDay);
  if (!firstDay) return { key: 'firstDay', reason: '请输入日期，例如 2026-01-31' };
  if (firstDay > known.today) return { key: 'firstDay', reason: '入库日期不能晚于今天' };
  return {
    line,
    sku: cells.sku,
    product,
    warehouse: warehouse.id,
    warehouseName: warehouse.name,
    qty: Number(cells.qty),
    unitCost: new Decimal(cells.unitCost).toFixed(),
    firstDay,
  };
}

/** Reads a table of opening stock whole; every row is good, or a problem that names its line and cell. */
export async function readRows(table: GenericTable, known: Known): Promise<OpeningRows> {
  const places = placesOf(table.headers);
  const missing = (['sku', 'warehouse', 'qty', 'unitCost'] as const).filter((key) => places[key] < 0);
  const found: OpeningRows = { rows: 0, lines: [], problems: [] };
  const complain = (line: number, sku: string, column: string, value: string, reason: string) => {
    if (found.problems.length < MAX_PROBLEMS) found.problems.push({ line, sku, column, value, reason });
  };
  if (missing.length > 0) {
    for (const key of missing) complain(1, '', COLUMNS[key], '', `缺少列【${COLUMNS[key]}】`);
    return found;
  }
  const seen = new Map<string, number>();
  for await (const batch of table.rows()) {
    for (const { lineNo, values } of batch) {
      const cell = (key: Key) => (places[key] < 0 ? '' : (values[places[key]] ?? '').trim());
      const cells: Cells = {
        sku: cell('sku'),
        warehouse: cell('warehouse'),
        qty: cell('qty'),
        unitCost: cell('unitCost').replaceAll(',', ''),
        firstDay: cell('firstDay'),
      };
      if (Object.values(cells).every((text) => text === '')) continue;
      found.rows += 1;
      if (found.rows > MAX_ROWS) {
        complain(lineNo, '', '', '', `一次最多导入 ${MAX_ROWS} 行`);
        return found;
      }
      const line = lineOf(lineNo, cells, known);
      if ('reason' in line) {
        complain(lineNo, cells.sku, COLUMNS[line.key], cells[line.key], line.reason);
        continue;
      }
      const key = `${line.product} ${line.warehouse} ${line.firstDay}`;
      const first = seen.get(key);
      if (first !== undefined) complain(lineNo, cells.sku, COLUMNS.sku, cells.sku, `与第 ${first} 行重复`);
      else {
        seen.set(key, lineNo);
        found.lines.push(line);
      }
    }
  }
  if (found.rows === 0) complain(1, '', '', '', '至少添加一行数据');
  return found;
}
