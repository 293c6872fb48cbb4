import { FileRefused } from './refusal.ts';

/** One column that a reader knows. */
export interface ColumnSpec<Name extends string> {
  name: Name;
  /** A file without it is refused. */
  required?: boolean;
  /** Other spellings, localised ones among them. */
  aliases?: readonly string[];
}

/** Where the known columns stand (-1 when absent), and the columns that nobody asked for. */
export interface ColumnMap<Name extends string> {
  index: Readonly<Record<Name, number>>;
  extra: readonly { name: string; index: number }[];
  /** Cells a row must at least have: up to the last required column. */
  minimumCells: number;
}

/**
 * A header word without the differences that mean nothing: case, blanks, hyphens, underscores, slashes, brackets, full
 * width forms. 'Order_ID', 'order-id ' and 'Order ID' are the same word.
 */
export function headerKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-‐‑–./:()[\]・'’"]+/g, '');
}

/**
 * Maps known columns by name, in whatever order they stand.
 * @param title the report in Chinese, for the message
 * @throws FileRefused COLUMNS, naming every missing required column, or a column that stands there twice
 */
export function mapColumns<Name extends string>(
  headers: readonly string[],
  specs: readonly ColumnSpec<Name>[],
  title: string,
  line = 1,
): ColumnMap<Name> {
  const keys = headers.map(headerKey);
  const taken = new Set<number>();
  const index: Partial<Record<Name, number>> = {};
  for (const spec of specs) {
    const at = findColumn(keys, spec, headers, line);
    index[spec.name] = at;
    if (at >= 0) taken.add(at);
  }
  const missing = specs.filter((spec) => spec.required && index[spec.name] === -1).map((spec) => spec.name);
  if (missing.length > 0) {
    throw new FileRefused('COLUMNS', `文件列与报表类型不符（${title}）：缺少 ${missing.join('、')}`, { line });
  }
  const required = specs.filter((spec) => spec.required).map((spec) => index[spec.name] ?? -1);
  const extra = headers
    .map((name, at) => ({ name: name.trim(), index: at }))
    .filter((column) => column.name !== '' && !taken.has(column.index));
  return { index: index as Record<Name, number>, extra, minimumCells: Math.max(0, ...required) + 1 };
}

function findColumn(
  keys: readonly string[],
  spec: ColumnSpec<string>,
  headers: readonly string[],
  line: number,
): number {
  // Amazon's own name wins over an alias, so that a file with both keeps its official column.
  for (const name of [spec.name, ...(spec.aliases ?? [])]) {
    const key = headerKey(name);
    const at = keys.indexOf(key);
    if (at < 0) continue;
    if (keys.indexOf(key, at + 1) >= 0) {
      throw new FileRefused('COLUMNS', `表头列重复：${(headers[at] ?? '').trim()}`, { line });
    }
    return at;
  }
  return -1;
}

/** Required columns that the header lacks. */
export function missingColumns(headers: readonly string[], specs: readonly ColumnSpec<string>[]): string[] {
  const keys = new Set(headers.map(headerKey));
  const absent = (spec: ColumnSpec<string>): boolean =>
    ![spec.name, ...(spec.aliases ?? [])].some((name) => keys.has(headerKey(name)));
  return specs.filter((spec) => spec.required && absent(spec)).map((spec) => spec.name);
}

/** Share (0 to 1) of the required columns that the header has; 1 means the file can be read as this report. */
export function columnMatch(headers: readonly string[], specs: readonly ColumnSpec<string>[]): number {
  const required = specs.filter((spec) => spec.required).length;
  return required === 0 ? 0 : 1 - missingColumns(headers, specs).length / required;
}

/** Text of a column in a row; '' when the column or the cell is absent. */
export function cellAt(cells: readonly string[], index: number): string {
  return index < 0 ? '' : (cells[index] ?? '');
}

/** The unknown columns of a row that hold something, or undefined when there are none. */
export function extraOf(
  cells: readonly string[],
  extra: readonly { name: string; index: number }[],
): Record<string, string> | undefined {
  let found: Record<string, string> | undefined;
  for (const column of extra) {
    const value = cells[column.index];
    if (value !== undefined && value !== '') {
      found ??= {};
      found[column.name] = value;
    }
  }
  return found;
}
