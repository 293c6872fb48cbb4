import { Decimal } from '#kit/contract/decimal.ts';
import type { FormAttribute, FormField, FormModel, FormNode, Values } from '../../contract/form.ts';

/** Where a cell's value stands: which value of the attribute, and the way down to a text, number or choice in it. */
export interface Cell {
  /** As the second row of a sheet names the column: "bullet_point[0].value". */
  code: string;
  /** As its first row names it: "五点描述 1". */
  label: string;
  attribute: FormAttribute;
  index: number;
  path: readonly (string | number)[];
  node: FormNode;
}

/** So many values of an attribute get columns at first; of those that are there already each does. */
const OFFERED = 5;

interface Below {
  path: (string | number)[];
  words: string[];
  node: FormNode;
}

/** Texts, numbers and choices below a node; of a list those that `values` have, and one. */
function below(node: FormNode, values: readonly unknown[], at: Pick<Below, 'path' | 'words'>): Below[] {
  if (node.kind === 'object') return belowFields(node.fields, values, at);
  if (node.kind !== 'list') return [{ ...at, node }];
  const longest = Math.max(1, ...values.map((value) => (Array.isArray(value) ? value.length : 0)));
  return Array.from({ length: longest }, (_, item) =>
    below(
      node.item,
      values.map((value) => (Array.isArray(value) ? value[item] : undefined)),
      { path: [...at.path, item], words: longest > 1 ? [...at.words, String(item + 1)] : at.words },
    ),
  ).flat();
}

function belowFields(
  fields: readonly FormField[],
  values: readonly unknown[],
  { path, words }: Pick<Below, 'path' | 'words'>,
): Below[] {
  return fields.flatMap(({ name, title, node }) =>
    below(
      node,
      values.map((value) => part(value, name)),
      { path: [...path, name], words: fields.length > 1 ? [...words, title] : words },
    ),
  );
}

function part(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

const codeOf = (name: string, index: number, path: Cell['path']): string =>
  `${name}[${index}]${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;

/** Columns of an attribute for drafts of which it has these values. */
export function cellsOf(attribute: FormAttribute, values: readonly Values[]): Cell[] {
  const { name, title, many, fields } = attribute;
  const count = Math.max(Math.min(many, OFFERED), ...values.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) =>
    belowFields(
      fields,
      values.map((each) => each[index]),
      { path: [], words: [] },
    ).map(({ path, words, node }) => ({
      code: codeOf(name, index, path),
      label: [count > 1 ? `${title} ${index + 1}` : title, ...words].join(' · '),
      attribute,
      index,
      path,
      node,
    })),
  ).flat();
}

const CODE = /^([a-z0-9_]+)\[(\d{1,3})\]((?:\.[a-z0-9_]+|\[\d{1,3}\])+)$/;

/** The cell that a code names, or in words why there is none. */
export function cellAt(form: FormModel, code: string): Cell | string {
  const [, name = '', index = '', steps = ''] = CODE.exec(code) ?? [];
  if (name === '') return '不是属性代码，应形如 bullet_point[0].value';
  const attribute = form.attributes.find((one) => one.name === name);
  if (!attribute) return '商品类型没有这个属性';
  if (Number(index) >= attribute.many) return `这个属性最多 ${attribute.many} 个值`;
  const path = [...steps.matchAll(/\.([a-z0-9_]+)|\[(\d+)\]/g)].map(([, key, item]) => key ?? Number(item));
  let node: FormNode | undefined = { kind: 'object', fields: attribute.fields };
  for (const step of path) {
    if (node?.kind === 'list' && typeof step === 'number') node = step < node.most ? node.item : undefined;
    else if (node?.kind === 'object') node = node.fields.find((field) => field.name === step)?.node;
    else node = undefined;
  }
  if (!node || node.kind === 'object' || node.kind === 'list') return '属性没有这一部分';
  return { code, label: attribute.title, attribute, index: Number(index), path, node };
}

/** What stands in a cell of a draft, as a person reads it; empty where nothing does. */
export function textIn({ index, path, node }: Cell, values: Values | undefined): string {
  const value = path.reduce<unknown>((at, step) => part(at, step), values?.[index]);
  if (value === undefined || value === null) return '';
  if (node.kind === 'choice') return node.options.find((option) => option.value === value)?.label ?? String(value);
  return String(value);
}

/** The value that a text means in a cell, or why it means none. */
export function meantBy(node: FormNode, text: string): { value: unknown } | string {
  if (node.kind === 'number') return numberOf(node, text);
  if (node.kind === 'choice') {
    const found = node.options.find(({ value, label }) => label === text || String(value) === text);
    if (found) return { value: found.value };
    if (node.open) return { value: text };
    const some = node.options.slice(0, 5).map(({ label }) => label);
    return `不在可选值中，可填 ${some.join('、')}${node.options.length > some.length ? ' 等' : ''}`;
  }
  if (node.kind === 'text' && node.maxLength !== undefined && [...text].length > node.maxLength) {
    return `最多 ${node.maxLength} 个字符，现在 ${[...text].length} 个`;
  }
  return { value: text };
}

function numberOf(node: FormNode & { kind: 'number' }, text: string): { value: number } | string {
  const plain = text.replaceAll(/,(?=\d{3})/g, '');
  if (!/^-?\d+(\.\d+)?$/.test(plain)) return '请输入数字';
  const number = new Decimal(plain);
  if (node.whole && !number.isInteger()) return '请输入整数';
  if (node.min !== undefined && number.lt(node.min)) return `不能小于 ${node.min}`;
  if (node.max !== undefined && number.gt(node.max)) return `不能大于 ${node.max}`;
  return { value: number.toNumber() };
}

/** Values of an attribute with another value in a cell; undefined takes it away. The old ones stay as they are. */
export function withValue({ attribute, index, path }: Cell, values: Values | undefined, value: unknown): Values {
  const next = structuredClone(values ?? []) as Record<string, unknown>[];
  while (next.length <= index) next.push({ ...attribute.defaults });
  let at: object = next[index] ?? {};
  for (const [n, step] of path.slice(0, -1).entries()) {
    if (typeof part(at, step) !== 'object' || part(at, step) === null) {
      Reflect.set(at, step, typeof path[n + 1] === 'number' ? [] : {});
    }
    at = part(at, step) as object;
  }
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(at, last);
  else Reflect.set(at, last, value);
  return next;
}
