import { writtenDay } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { FeePer } from '../../../contract/transport/fields.ts';
import { CardInput } from '../../../contract/transport/price.ts';
import { tierProblem } from '../rules/tiers.ts';

/** Headings of a sheet with one price card: what a line says, its words, a range and an amount. */
export const COLUMNS = ['项目', '内容', '起(含)', '止(含)', '金额', '计收方式'] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Record<Column, string>;

/** Items of which there is one line, by what they are called, and the field that they fill. */
const SINGLE = {
  生效日期: 'validFrom',
  失效日期: 'validTo',
  币种: 'currency',
  燃油附加: 'fuel',
  最低收费: 'minCharge',
  备注: 'remark',
} as const;

export interface SheetProblem {
  line: number;
  column: Column;
  value: string;
  reason: string;
}

export interface ReadCard {
  rows: number;
  problems: SheetProblem[];
  /** Null where anything is wrong. */
  card: CardInput | null;
}

const PER = Object.entries(FeePer.meta()?.states ?? {}).map(([value, { title }]) => ({ value, title }));

/** "8%" and "0.08" are both eight per cent; "8" is neither, and stays as it is to be refused. */
function shareOf(text: string): string {
  const found = /^(\d+(?:\.\d+)?)\s*[%％]$/.exec(text);
  return found ? new Decimal(found[1] ?? '0').div(100).toFixed() : text;
}

const dayOf = (text: string) => writtenDay(text) ?? text;

/** What a line fills in: the path of its field in the card, and the value. */
function partOf(cells: Cells, tiers: number, fees: number): { path: string; column: Column; value: unknown } | string {
  const { 项目: item, 内容: text, 金额: amount } = cells;
  if (item === '阶梯') {
    const value = { from: cells['起(含)'], to: cells['止(含)'] || null, price: amount };
    return { path: `tiers.${tiers}`, column: '金额', value };
  }
  if (item === '费用') {
    const per = PER.find((one) => one.title === (cells.计收方式 || '每票'))?.value ?? cells.计收方式;
    return { path: `fees.${fees}`, column: '金额', value: { name: text, amount, per } };
  }
  if (!Object.hasOwn(SINGLE, item)) return `项目只能是 ${[...Object.keys(SINGLE), '阶梯', '费用'].join('、')}`;
  const path = SINGLE[item as keyof typeof SINGLE];
  if (path === 'minCharge') return { path, column: '金额', value: amount || '0' };
  if (path === 'fuel') return { path, column: '内容', value: shareOf(text) || '0' };
  if (path === 'validFrom') return { path, column: '内容', value: dayOf(text) };
  if (path === 'validTo') return { path, column: '内容', value: text === '' ? null : dayOf(text) };
  return { path, column: '内容', value: path === 'currency' ? text.toUpperCase() || 'CNY' : text };
}

const FIELD_COLUMN: Record<string, Column> = {
  from: '起(含)',
  to: '止(含)',
  price: '金额',
  name: '内容',
  amount: '金额',
  per: '计收方式',
};
const WORDS: Record<string, string> = {
  validFrom: '请填写生效日期，例如 2026-12-01',
  validTo: '请填写日期，例如 2026-12-31，长期有效请留空',
  currency: '请填写币种代码，例如 CNY、USD',
  fuel: '燃油附加请填百分数，例如 8%',
  per: '计收方式只能是 每票、每箱',
};

interface Place {
  line: number;
  column: Column;
  cells: Cells;
}

/** Reads the lines one by one into the parts of a card, and remembers where each came from. */
function collect(table: readonly (readonly string[])[], at: ReadonlyMap<Column, number>) {
  const problems: SheetProblem[] = [];
  const places = new Map<string, Place>();
  const card: Record<string, unknown> & { tiers: unknown[]; fees: unknown[] } = { tiers: [], fees: [] };
  let rows = 0;
  for (const [index, row] of table.slice(1).entries()) {
    const cells = Object.fromEntries(COLUMNS.map((one) => [one, (row[at.get(one) ?? -1] ?? '').trim()])) as Cells;
    if (Object.values(cells).every((text) => text === '')) continue;
    rows += 1;
    const line = index + 2;
    const part = partOf(cells, card.tiers.length, card.fees.length);
    if (typeof part === 'string' || places.has(part.path)) {
      const reason = typeof part === 'string' ? part : `【${cells.项目}】只能有一行`;
      problems.push({ line, column: '项目', value: cells.项目, reason });
      continue;
    }
    places.set(part.path, { line, column: part.column, cells });
    if (part.path.startsWith('tiers.')) card.tiers.push(part.value);
    else if (part.path.startsWith('fees.')) card.fees.push(part.value);
    else card[part.path] = part.value;
  }
  return { rows, problems, places, card };
}

function whole(card: CardInput, places: ReadonlyMap<string, Place>): SheetProblem[] {
  const problem = (path: string, column: Column, reason: string) => {
    const place = places.get(path);
    return [{ line: place?.line ?? 1, column, value: place?.cells[column] ?? '', reason }];
  };
  if (card.validTo !== null && card.validTo < card.validFrom) {
    return problem('validTo', '内容', '失效日期不能早于生效日期');
  }
  const wrong = tierProblem(card.tiers);
  const index = Number(/第 (\d+) 档/.exec(wrong ?? '')?.[1] ?? 1) - 1;
  return wrong ? problem(`tiers.${index}`, '起(含)', wrong) : [];
}

/** Reads a sheet whole: it is a card, or each line that is not good is named with its column and the reason. */
export function readCard(table: readonly (readonly string[])[]): ReadCard {
  const heads = (table[0] ?? []).map((title) => title.trim());
  const at = new Map(COLUMNS.map((title) => [title, heads.indexOf(title)]));
  const missing = COLUMNS.filter((title) => (at.get(title) ?? -1) < 0);
  if (missing.length > 0) {
    const problems = missing.map((column) => ({ line: 1, column, value: '', reason: `缺少列【${column}】` }));
    return { rows: 0, problems, card: null };
  }
  const { rows, problems, places, card } = collect(table, at);
  const parsed = CardInput.safeParse(card);
  for (const issue of parsed.error?.issues ?? []) {
    const [field = '', index, inner] = issue.path.map(String);
    const place = places.get(index === undefined ? field : `${field}.${index}`);
    const column = (inner === undefined ? undefined : FIELD_COLUMN[inner]) ?? place?.column ?? '项目';
    const reason = WORDS[inner ?? field] ?? issue.message;
    problems.push({ line: place?.line ?? 1, column, value: place?.cells[column] ?? '', reason });
  }
  if (parsed.success) problems.push(...whole(parsed.data, places));
  problems.sort((a, b) => a.line - b.line);
  return { rows, problems, card: parsed.success && problems.length === 0 ? parsed.data : null };
}

/** A card as the rows of a sheet, headings first; what was written is read as the same card. */
export function cardRows(card: CardInput): string[][] {
  const percent = `${new Decimal(card.fuel).times(100).toFixed()}%`;
  return [
    [...COLUMNS],
    ['生效日期', card.validFrom, '', '', '', ''],
    ['失效日期', card.validTo ?? '', '', '', '', ''],
    ['币种', card.currency, '', '', '', ''],
    ['燃油附加', percent, '', '', '', ''],
    ['最低收费', '', '', '', card.minCharge, ''],
    ...card.tiers.map(({ from, to, price }) => ['阶梯', '', from, to ?? '', price, '']),
    ...card.fees.map(({ name, amount, per }) => ['费用', name, '', '', amount, per === 'BOX' ? '每箱' : '每票']),
    ['备注', card.remark, '', '', '', ''],
  ];
}
