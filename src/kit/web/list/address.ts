import { DEFAULT_PAGE_SIZE, PAGE_SIZES } from '../../contract/page.ts';
import type { Sort } from '../grid/definitions.tsx';
import { type FilterField, type FilterValue, isSet, rangeOf, rangeValue } from './fields.ts';

/** What a list remembers in its address, so that a reload, a tab and a sent link show the same rows. */
export interface ListState {
  filter: FilterValue;
  sort: Sort | undefined;
  page: number;
  size: number;
}

const PREFIX = 'f.';
const BETWEEN = '~';

function encode(field: FilterField, value: unknown): string[] {
  if (!isSet(value)) return [''];
  if (field.control === 'dateRange' || field.control === 'numberRange') {
    const [from = '', to = ''] = rangeOf(value);
    return [`${from}${BETWEEN}${to}`];
  }
  return (Array.isArray(value) ? value : [value]).map(String);
}

function decodeRange(field: Extract<FilterField, { shape: string }>, text: string): unknown {
  const [from, to] = text.split(BETWEEN);
  return rangeValue(field, from || undefined, to || undefined);
}

function decode(field: FilterField, texts: string[]): unknown {
  const values = texts.filter((text) => text !== '');
  const [first] = values;
  if (first === undefined) return undefined;
  switch (field.control) {
    case 'dateRange':
    case 'numberRange':
      return decodeRange(field, first);
    case 'boolean':
      return first === 'true';
    case 'number':
      return Number.isFinite(Number(first)) ? Number(first) : undefined;
    case 'multi':
      return values;
    case 'search':
      return field.many ? values : first;
    default:
      return first;
  }
}

function sortOf(text: string | null): Sort | undefined {
  const [key, order] = text?.split(':') ?? [];
  return key && (order === 'asc' || order === 'desc') ? { key, order } : undefined;
}

function sizeOf(text: string | null): number {
  return PAGE_SIZES.find((size) => String(size) === text) ?? DEFAULT_PAGE_SIZE;
}

/** Reads a list's state from a query. A filter that the query does not name has its default; unknown names are no filter. */
export function readState(search: URLSearchParams, fields: readonly FilterField[], defaults: FilterValue): ListState {
  const filter: Record<string, unknown> = {};
  for (const field of fields) {
    const name = PREFIX + field.key;
    const value = search.has(name) ? decode(field, search.getAll(name)) : defaults[field.key];
    if (isSet(value)) filter[field.key] = value;
  }
  const page = Number(search.get('page'));
  return {
    filter,
    sort: sortOf(search.get('sort')),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    size: sizeOf(search.get('size')),
  };
}

/** Writes a list's state into a query, leaving what else stands there. What equals its default is not written. */
export function writeState(
  search: URLSearchParams,
  state: ListState,
  fields: readonly FilterField[],
  defaults: FilterValue,
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of [...next.keys()]) if (name.startsWith(PREFIX)) next.delete(name);
  for (const field of fields) {
    const texts = encode(field, state.filter[field.key]);
    if (texts.join('\n') === encode(field, defaults[field.key]).join('\n')) continue;
    for (const text of texts) next.append(PREFIX + field.key, text);
  }
  const rest: Record<string, string | undefined> = {
    sort: state.sort ? `${state.sort.key}:${state.sort.order}` : undefined,
    page: state.page > 1 ? String(state.page) : undefined,
    size: state.size === DEFAULT_PAGE_SIZE ? undefined : String(state.size),
  };
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Address of a list with filters set, for links from figures to the rows behind them. */
export function filterQuery(fields: readonly FilterField[], filter: FilterValue): Record<string, string> {
  const query = writeState(
    new URLSearchParams(),
    { filter, sort: undefined, page: 1, size: DEFAULT_PAGE_SIZE },
    fields,
    {},
  );
  return Object.fromEntries(query);
}
