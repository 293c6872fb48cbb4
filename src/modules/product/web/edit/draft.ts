import { plainDecimal } from '#kit/contract/decimal.ts';
import type { ProductDetail, ProductInput } from '../../contract/material.ts';
import type { BomPart } from '../../contract/parts.ts';
import type { Line } from './EditTable.tsx';

/** The parts of a product while they are edited, as lines of tables. */
export interface Draft {
  dimensions: Line[];
  customs: Line[];
  consumables: Line[];
  supplies: Line[];
  bom: Line[];
  box: Line[];
}

const ROLES = [
  ['net', '净品'],
  ['packed', '带包装'],
  ['carton', '单箱'],
] as const;

const EXPORT = { country: '', place: '出口' };
const NO_SIZE = { length: null, width: null, height: null, weight: null, unitsPerCarton: null };
const NO_BOX = { innerLength: null, innerWidth: null, innerHeight: null, loadWeight: null };

const plain = (text: string | null | undefined) => (text ? plainDecimal(text) : (text ?? null));

/** Lines of a product, or of one that does not exist yet. */
export function draftOf(detail: ProductDetail | undefined): Draft {
  const customs = detail?.customs ?? [];
  const first = customs.find((row) => row.country === '');
  return {
    dimensions: ROLES.map(([role, title]) => {
      const { length, width, height, weight, unitsPerCarton } =
        detail?.dimensions.find((one) => one.role === role) ?? NO_SIZE;
      return {
        role,
        title,
        length: plain(length),
        width: plain(width),
        height: plain(height),
        weight: plain(weight),
        unitsPerCarton,
      };
    }),
    customs: [
      { ...EXPORT, ...first },
      ...customs.filter((row) => row.country !== '').map((row) => ({ ...row, place: row.country })),
    ],
    consumables: (detail?.consumables ?? []).map((row) => ({
      consumableId: row.consumableId,
      label: `${row.sku} ${row.name}`,
      qtyPer: plain(row.qtyPer),
    })),
    supplies: (detail?.supplies ?? []).map(({ id: _, prices: __, supplierCode: ___, ...row }) => row),
    bom: (detail?.bom?.lines ?? []).map((row) => ({
      componentId: row.componentId,
      label: `${row.sku} ${row.name}`,
      qtyPer: plain(row.qtyPer),
      scrapShare: plain(row.scrapShare) ?? '0',
    })),
    box: [{ ...NO_BOX, ...detail?.box }],
  };
}

const filled = (line: Line, except: readonly string[]) =>
  Object.entries(line).some(
    ([key, value]) => !except.includes(key) && value !== null && value !== undefined && value !== '',
  );

/** What of the lines goes to the server; schemas of the contract check it there. */
export function partsOf(draft: Draft, kind: unknown): Partial<ProductInput> {
  const parts = {
    dimensions: draft.dimensions.map(({ title: _, ...row }) => row),
    customs: draft.customs
      .filter((row) => filled(row, ['country', 'place']))
      .map(({ place: _, ...row }) => ({ ...row, country: String(row.country ?? '').toUpperCase() })),
    consumables: draft.consumables.map(({ consumableId, qtyPer }) => ({ consumableId, qtyPer: String(qtyPer ?? '') })),
    supplies: draft.supplies.map(({ supplier: _, ...row }) => row),
    ...(kind === 'package' ? { box: draft.box[0] } : {}),
  };
  return parts as Partial<ProductInput>;
}

/** The parts of a bundle as they are saved. */
export function bomOf(draft: Draft): BomPart[] {
  return draft.bom.map(({ componentId, qtyPer, scrapShare }) => ({
    componentId: String(componentId),
    qtyPer: String(qtyPer ?? ''),
    scrapShare: String(scrapShare ?? '0'),
  }));
}

export interface Difference {
  title: string;
  before: string;
  after: string;
}

const words = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '空';
  if (typeof value === 'boolean') return value ? '是' : '否';
  return String(value);
};

/** Lines of a table in words, for comparing. */
export function linesText(lines: readonly Line[], keys: readonly string[]): string {
  const rows = lines.filter((line) => filled(line, ['role', 'title', 'country', 'place', 'label']) || line.componentId);
  return (
    rows
      .map((line) =>
        keys
          .map((key) => words(line[key]))
          .filter((text) => text !== '空')
          .join(' '),
      )
      .join('；') || '空'
  );
}

/** What differs between two states, by title; `show` says a value in words. */
export function differences(
  fields: readonly { key: string; title: string }[],
  before: Line,
  after: Line,
  show: (key: string, value: unknown) => string | undefined,
): Difference[] {
  return fields.flatMap(({ key, title }) => {
    const old = show(key, before[key]) ?? words(before[key]);
    const now = show(key, after[key]) ?? words(after[key]);
    return old === now ? [] : [{ title, before: old, after: now }];
  });
}
