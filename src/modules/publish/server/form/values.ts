import type { AttributeChange } from '../../contract/draft.ts';
import type { Attributes, FormField, FormModel, FormNode, Values } from '../../contract/form.ts';

/** Parts of a value that only say where it holds. */
const PLACES = new Set(['marketplace_id', 'language_tag']);

/** JSON whose keys stand in order: the same value is the same text, however it was stored. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/** Values of an attribute that hold in a marketplace, as Listings Items answers them for one or several. */
export function valuesHere(values: unknown, marketplaceId: string): Values {
  const list = Array.isArray(values) ? (values as Values) : [];
  return list.filter(({ marketplace_id: id }) => id === undefined || id === marketplaceId);
}

/** All attributes of an answer in one marketplace; those without values there are left out. */
export function attributesHere(attributes: Readonly<Record<string, unknown>>, marketplaceId: string): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, values]) => {
      const here = valuesHere(values, marketplaceId);
      return here.length > 0 ? [[name, here]] : [];
    }),
  );
}

/** Attributes without those that hold nothing: a form leaves empty lists and empty texts behind. */
export function withoutEmpty(attributes: Attributes): Attributes {
  const isEmpty = (value: unknown): boolean => {
    if (value === undefined || value === null || value === '') return true;
    if (Array.isArray(value)) return value.every(isEmpty);
    if (typeof value !== 'object') return false;
    return Object.entries(value).every(([key, inner]) => PLACES.has(key) || isEmpty(inner));
  };
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => !isEmpty(one)).map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([k, inner]) => (isEmpty(inner) ? [] : [[k, clean(inner)]])),
    );
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, values]) => (isEmpty(values) ? [] : [[name, clean(values) as Values]])),
  );
}

/** Names of attributes whose values differ. */
export function changedNames(before: Attributes, after: Attributes): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => canonical(before[name] ?? []) !== canonical(after[name] ?? []));
}

function partWords(node: FormNode | undefined, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (node?.kind === 'choice') return node.options.find((option) => option.value === value)?.label ?? String(value);
  if (Array.isArray(value)) {
    return value.map((one) => partWords(node?.kind === 'list' ? node.item : undefined, one)).join('、');
  }
  if (typeof value === 'object') return objectWords(node?.kind === 'object' ? node.fields : [], value);
  return String(value);
}

function objectWords(fields: readonly FormField[], value: object): string {
  const parts = Object.entries(value).filter(([key]) => !PLACES.has(key));
  const order = (key: string): number => {
    const at = fields.findIndex(({ name }) => name === key);
    // "750 毫升", not "毫升 750".
    return key === 'unit' ? fields.length : at < 0 ? fields.length + 1 : at;
  };
  return parts
    .sort(([a], [b]) => order(a) - order(b))
    .map(([key, inner]) => partWords(fields.find(({ name }) => name === key)?.node, inner))
    .filter((text) => text !== '')
    .join(' ');
}

/** Values of an attribute as a person reads them, one a line; null where there are none. */
export function valueWords(form: FormModel, name: string, values: Values | undefined): string | null {
  if (!values || values.length === 0) return null;
  const fields = form.attributes.find((one) => one.name === name)?.fields ?? [];
  return values.map((value) => objectWords(fields, value)).join('\n');
}

export function labelOf(form: FormModel, name: string): string {
  return form.attributes.find((one) => one.name === name)?.title ?? name;
}

/** Names of attributes in the order of the form; others behind them. */
export function inFormOrder(form: FormModel, names: readonly string[]): string[] {
  const places = new Map(form.attributes.map(({ name }, index) => [name, index]));
  const place = (name: string): number => places.get(name) ?? places.size;
  return [...names].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** What differs between two states of a listing, attribute by attribute, in words. */
export function diffOf(form: FormModel, before: Attributes, after: Attributes): AttributeChange[] {
  return inFormOrder(form, changedNames(before, after)).map((name) => ({
    attribute: name,
    label: labelOf(form, name),
    before: valueWords(form, name, before[name]),
    after: valueWords(form, name, after[name]),
  }));
}

/** Whether `live` holds all that was sent: Amazon adds parts of its own, e.g. an audience. */
function covers(live: unknown, sent: unknown): boolean {
  if (Array.isArray(sent)) {
    return (
      Array.isArray(live) && live.length === sent.length && sent.every((one) => live.some((each) => covers(each, one)))
    );
  }
  if (typeof sent !== 'object' || sent === null) return live === sent;
  if (typeof live !== 'object' || live === null) return false;
  return Object.entries(sent).every(([key, value]) => covers(Reflect.get(live, key), value));
}

/** Names of what was sent and the marketplace does not show; null was sent where an attribute was taken away. */
export function notShown(live: Attributes, sent: Readonly<Record<string, Values | null>>): string[] {
  return Object.entries(sent)
    .filter(([name, values]) => (values === null ? live[name] !== undefined : !covers(live[name], values)))
    .map(([name]) => name);
}
