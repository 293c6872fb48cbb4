import { writtenDay } from '#kit/contract/day.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { productIdsBySku } from '#modules/product/server/index.ts';
import { MAX_LINES, PRICE } from '../../../contract/fields.ts';
import { OrderInput } from '../../../contract/order.ts';
import { purchaseChoices } from '../choices.ts';
import { priceGoods } from '../goods.ts';
import { lineKey } from '../line-key.ts';
import { NO_TAXES } from '../oversea.ts';
import { type Cells, type Key, type SheetRow, titleOf } from './sheet.ts';

export interface Problem {
  line: number;
  column: string;
  value: string;
  reason: string;
}

/** A line with its place in the sheet, and whether it has its price. */
type Line = OrderInput['lines'][number] & { line: number; priced: boolean };

/** What becomes one order: its lines with the lines of the sheet that they came from. */
export interface Wanted {
  head: Pick<OrderInput, 'supplierId' | 'warehouseId' | 'currency'>;
  lines: Line[];
}

const YES = ['是', '1', 'y', 'yes', 'true'];
const NO = ['', '否', '0', 'n', 'no', 'false'];
const PRICE_FORM = /^\d{1,12}(\.\d{1,6})?$/;

interface Known {
  suppliers: ReadonlyMap<string, { id: string; currency: string; taxRate: string }>;
  places: ReadonlyMap<string, string>;
  products: ReadonlyMap<string, string>;
  prices: boolean;
}

const plain = (text: string) => text.trim().toLowerCase();

async function knownOf(ctx: Ctx, rows: readonly SheetRow[]): Promise<Known> {
  const { suppliers, warehouses } = await purchaseChoices(ctx);
  const products = await productIdsBySku(ctx, [...new Set(rows.map(({ cells }) => cells.sku).filter(Boolean))]);
  return {
    // A name counts before a code that reads the same.
    suppliers: new Map([
      ...suppliers.map((one) => [plain(one.code), one] as const),
      ...suppliers.map((one) => [plain(one.name), one] as const),
    ]),
    places: new Map(warehouses.filter((one) => one.quality === 'GOOD').map((one) => [plain(one.name), one.id])),
    products: new Map([...products].map(([sku, id]) => [plain(sku), id])),
    prices: can(ctx, PRICE),
  };
}

/** Why a cell cannot be taken, by column; the first reason of a row counts. */
function wrong(cells: Cells, known: Known): [Key, string] | undefined {
  if (!known.suppliers.has(plain(cells.supplier))) return ['supplier', '供应商不存在、已停用或评级过低'];
  if (!known.places.has(plain(cells.warehouse))) return ['warehouse', '不是可用的正品仓'];
  if (!known.products.has(plain(cells.sku))) return ['sku', cells.sku ? 'SKU不存在' : 'SKU不能为空'];
  if (!/^[1-9]\d{0,8}$/.test(cells.qty)) return ['qty', '数量必须为正整数'];
  if (cells.price && !known.prices) return ['price', '没有「采购价格与金额」权限，不能填写单价'];
  if (cells.price && !PRICE_FORM.test(cells.price)) return ['price', '单价须为不小于0的数字，最多6位小数'];
  if (cells.currency && !/^[A-Za-z]{3}$/.test(cells.currency)) return ['currency', '请输入三位币种代码，例如 CNY'];
  if (![...YES, ...NO].includes(plain(cells.gift))) return ['gift', '请填写 是 或 否'];
  if (cells.expected && !writtenDay(cells.expected)) return ['expected', '请输入日期，例如 2026-01-31'];
  if (cells.remark.length > 200) return ['remark', '不能超过200个字'];
  return undefined;
}

function lineOf({ line, cells }: SheetRow, known: Known): Line {
  const gift = YES.includes(plain(cells.gift));
  return {
    line,
    productId: known.products.get(plain(cells.sku)) ?? '',
    qty: Number(cells.qty),
    gift,
    unitPrice: cells.price || '0',
    priced: gift || cells.price !== '',
    taxRate: known.suppliers.get(plain(cells.supplier))?.taxRate ?? '0',
    rebateRate: '0',
    receiveTolerance: null,
    ...NO_TAXES,
    expectedOn: writtenDay(cells.expected) ?? null,
    remark: cells.remark,
  };
}

/** Rows of one supplier, warehouse, currency and mark belong together. */
function grouped(rows: readonly SheetRow[], known: Known): Wanted[] {
  const groups = new Map<string, Wanted>();
  for (const row of rows) {
    const supplier = known.suppliers.get(plain(row.cells.supplier));
    const warehouseId = known.places.get(plain(row.cells.warehouse)) ?? '';
    const currency = (row.cells.currency || supplier?.currency || 'CNY').toUpperCase();
    const key = [supplier?.id, warehouseId, currency, row.cells.mark].join(' ');
    const group = groups.get(key) ?? { head: { supplierId: supplier?.id ?? '', warehouseId, currency }, lines: [] };
    group.lines.push(lineOf(row, known));
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Prices that the sheet left out are those that the supplier quotes for all pieces of the order. */
async function priced(ctx: Ctx, { head, lines }: Wanted): Promise<Problem[]> {
  const open = lines.filter((line) => !line.priced);
  if (open.length === 0) return [];
  const quotes = await priceGoods(ctx, head.supplierId, lines);
  const quoted = new Map(quotes.map((quote) => [quote.productId, quote]));
  for (const line of open) {
    const quote = quoted.get(line.productId);
    if (quote?.unitPrice == null || quote.currency !== head.currency) continue;
    line.unitPrice = quote.unitPrice;
    line.priced = true;
  }
  const without = Map.groupBy(
    open.filter((line) => !line.priced),
    (line) => line.productId,
  );
  return [...without].map(([productId, [first, ...others]]): Problem => {
    const line = first?.line ?? 0;
    const rows = others.length > 0 ? `（第 ${[line, ...others.map((other) => other.line)].join('、')} 行）` : '';
    const why = quoted.get(productId)?.unitPrice ? `供应商的报价不是${head.currency}` : '供应商没有报价';
    return { line, column: titleOf('price'), value: '', reason: `${why}，请填写单价${rows}` };
  });
}

/**
 * Lines that agree in all that tells lines of an order apart: one of them was written twice, whatever its quantity. Those
 * without a price yet may differ.
 */
function repeated({ lines }: Wanted): Problem[] {
  const seen = new Map<string, number>();
  return lines.flatMap((line): Problem[] => {
    if (!line.priced) return [];
    const key = lineKey(line);
    const before = seen.get(key);
    seen.set(key, before ?? line.line);
    if (before === undefined) return [];
    const reason = `与第 ${before} 行的SKU、单价、赠品和要求到货都相同，请合并或填写分单标识`;
    return [{ line: line.line, column: titleOf('sku'), value: '', reason }];
  });
}

/** The orders that rows of a sheet become, or why rows cannot be taken. Prices of lines that have none are the supplier's. */
export async function ordersOf(
  ctx: Ctx,
  rows: readonly SheetRow[],
): Promise<{ orders: Wanted[]; problems: Problem[] }> {
  const known = await knownOf(ctx, rows);
  const problems = rows.flatMap(({ line, cells }): Problem[] => {
    const why = wrong(cells, known);
    return why ? [{ line, column: titleOf(why[0]), value: cells[why[0]], reason: why[1] }] : [];
  });
  const bad = new Set(problems.map((problem) => problem.line));
  const orders = grouped(
    rows.filter(({ line }) => !bad.has(line)),
    known,
  );
  for (const order of orders) {
    // Prices first: two lines without one may come to the same.
    problems.push(...(await priced(ctx, order)), ...repeated(order));
    const [first] = order.lines;
    if (order.lines.length > MAX_LINES && first) {
      const reason = `一张采购单最多${MAX_LINES}行，请用分单标识分开`;
      problems.push({ line: first.line, column: titleOf('mark'), value: '', reason });
    }
  }
  return { orders, problems: problems.sort((a, b) => a.line - b.line) };
}

/** An order as it is saved. */
export const inputOf = ({ head, lines }: Wanted): OrderInput =>
  OrderInput.parse({ ...head, lines: lines.map(({ line: _, priced: __, ...line }) => line) });
