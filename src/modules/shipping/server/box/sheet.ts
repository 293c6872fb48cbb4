import { type Box, Box as BoxSchema } from '#kit/contract/box.ts';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { plainHeading } from '#kit/server/excel/headings.ts';
import type { ShipBox } from '../../contract/box/box.ts';
import { MOST_BOXES } from '../../contract/box/calls.ts';
import type { ShipLine } from '../order/load.ts';

/** Headings of a sheet of boxes: a line for each SKU in each box; sizes stand with one line of a box. */
export const COLUMNS = ['箱号', '平台SKU', '数量', '长(cm)', '宽(cm)', '高(cm)', '重量(kg)'] as const;
type Column = (typeof COLUMNS)[number];

const SIDES = { length: '长(cm)', width: '宽(cm)', height: '高(cm)', weight: '重量(kg)' } as const;
type Side = keyof typeof SIDES;

export interface SheetProblem {
  line: number;
  column: Column;
  value: string;
  reason: string;
}

export interface ReadBoxes {
  rows: number;
  problems: SheetProblem[];
  /** In the order of their numbers; empty where anything is wrong. */
  boxes: Box[];
}

type Line = Pick<ShipLine, 'id' | 'msku' | 'picked'>;
type Cells = Record<Column, string>;

/** The sheet of an order: its boxes, or its SKUs with what was picked where there is none yet. */
export function boxRows(lines: readonly Line[], boxes: readonly ShipBox[]): string[][] {
  const msku = new Map(lines.map((line) => [line.id, line.msku]));
  const plain = (text: string | null) => (text === null ? '' : plainDecimal(text));
  const filled = boxes.flatMap((box, index) =>
    box.items.map(({ lineId, qty }, place) => [
      String(index + 1),
      msku.get(lineId) ?? '',
      String(qty),
      ...(Object.keys(SIDES) as Side[]).map((side) => (place === 0 ? plain(box[side]) : '')),
    ]),
  );
  const open = lines
    .filter((line) => line.picked > 0)
    .map((line) => ['', line.msku, String(line.picked), '', '', '', '']);
  return [[...COLUMNS], ...(filled.length > 0 ? filled : open)];
}

function cellsOf(table: readonly (readonly string[])[]): { at: Map<Column, number>; missing: Column[] } {
  const heads = (table[0] ?? []).map(plainHeading);
  const at = new Map(COLUMNS.map((title) => [title, heads.indexOf(plainHeading(title))]));
  return { at, missing: COLUMNS.slice(0, 3).filter((title) => (at.get(title) ?? -1) < 0) };
}

const numberOf = (text: string): number => (/^\d{1,7}(\.0+)?$/.test(text) ? Number(text) : Number.NaN);

/** Puts the sizes of a line into its box; answers the columns that say something else than a line before, or nothing sensible. */
function putSides(box: Box, cells: Cells): { column: Column; reason: string }[] {
  return (Object.entries(SIDES) as [Side, Column][]).flatMap(([side, column]) => {
    const text = cells[column];
    if (text === '') return [];
    const read = BoxSchema.shape[side].safeParse(text);
    if (!read.success || read.data === null)
      return [{ column, reason: read.error?.issues[0]?.message ?? '请填写数字' }];
    const before = box[side];
    if (before !== null && plainDecimal(before) !== plainDecimal(read.data)) {
      return [{ column, reason: `与同一箱上面的 ${plainDecimal(before)} 不一致` }];
    }
    box[side] = read.data;
    return [];
  });
}

interface Collected {
  boxes: Map<number, Box>;
  /** Pieces by line so far. */
  packed: Map<string, number>;
}

/** What is wrong with one line; a good one is put into its box. */
function take(cells: Cells, lines: ReadonlyMap<string, Line>, into: Collected): { column: Column; reason: string }[] {
  const no = numberOf(cells.箱号);
  if (!(no >= 1 && no <= MOST_BOXES)) return [{ column: '箱号', reason: `箱号为 1 到 ${MOST_BOXES} 的整数` }];
  const line = lines.get(cells.平台SKU) ?? lines.get(cells.平台SKU.toUpperCase());
  if (!line) return [{ column: '平台SKU', reason: '发货单中没有该平台SKU' }];
  const qty = numberOf(cells.数量);
  if (!(qty >= 1)) return [{ column: '数量', reason: '数量必须为正整数' }];
  const box = into.boxes.get(no) ?? { length: null, width: null, height: null, weight: null, items: [] };
  into.boxes.set(no, box);
  const wrong = putSides(box, cells);
  if (box.items.some((item) => item.lineId === line.id)) {
    wrong.push({ column: '平台SKU', reason: `第 ${no} 箱重复填写了该平台SKU` });
  } else box.items.push({ lineId: line.id, qty });
  const packed = (into.packed.get(line.id) ?? 0) + qty;
  into.packed.set(line.id, packed);
  if (packed > line.picked) wrong.push({ column: '数量', reason: `装箱数 ${packed} 超过配货数 ${line.picked}` });
  return wrong;
}

/** Reads a sheet whole: every line is good, or each that is not is named with its column and the reason. */
export function readBoxes(table: readonly (readonly string[])[], order: readonly Line[]): ReadBoxes {
  const { at, missing } = cellsOf(table);
  if (missing.length > 0) {
    const problems = missing.map((column) => ({ line: 1, column, value: '', reason: `缺少列【${column}】` }));
    return { rows: 0, problems, boxes: [] };
  }
  // As it is written before any other spelling of it.
  const lines = new Map([
    ...order.map((line) => [line.msku.toUpperCase(), line] as const),
    ...order.map((line) => [line.msku, line] as const),
  ]);
  const into: Collected = { boxes: new Map(), packed: new Map() };
  const problems: SheetProblem[] = [];
  let rows = 0;
  for (const [index, row] of table.slice(1).entries()) {
    const cells = Object.fromEntries(COLUMNS.map((one) => [one, (row[at.get(one) ?? -1] ?? '').trim()])) as Cells;
    if (Object.values(cells).every((text) => text === '')) continue;
    rows += 1;
    for (const { column, reason } of take(cells, lines, into)) {
      problems.push({ line: index + 2, column, value: cells[column], reason });
    }
  }
  const numbers = [...into.boxes.keys()].sort((a, b) => a - b);
  const gap = numbers.findIndex((no, index) => no !== index + 1);
  if (rows === 0) problems.push({ line: 2, column: '箱号', value: '', reason: '没有数据' });
  if (gap >= 0) problems.push({ line: 1, column: '箱号', value: '', reason: `箱号须从 1 连续，缺少第 ${gap + 1} 箱` });
  const boxes = numbers.flatMap((no) => into.boxes.get(no) ?? []);
  return { rows, problems, boxes: problems.length > 0 ? [] : boxes };
}
