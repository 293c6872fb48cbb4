import { plainHeading } from '#kit/server/excel/headings.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { Pieces, Transport } from '../../contract/fields.ts';
import type { PlanInput } from '../../contract/plan.ts';
import { MOST_PLAN_LINES } from '../../contract/plan-sheet.ts';

/** Headings of a sheet of planned pieces. */
export const PLAN_COLUMNS = ['店铺', '站点', '平台SKU', '数量', '仓库', '运输方式', '备注'] as const;
type Column = (typeof PLAN_COLUMNS)[number];
type Cells = Record<Column, string>;

/** What people call the SKU of a listing besides. */
const OTHER_NAMES: Partial<Record<Column, string>> = { 平台SKU: 'MSKU', 仓库: '发货仓' };
const MUST: readonly Column[] = ['店铺', '站点', '平台SKU', '数量', '仓库'];

export const TRANSPORTS = Object.entries(Transport.meta()?.states ?? {}).map(([code, { title }]) => ({
  code: code as Transport,
  title,
}));

/** What the caller may name in a sheet. */
export interface Names {
  /** A store has an account in each region, with its own sites. */
  stores: readonly { id: string; name: string; sites: readonly string[]; mine: boolean }[];
  warehouses: readonly { id: string; name: string; code: string; mine: boolean }[];
}

export interface PlanProblem {
  line: number;
  column: Column;
  value: string;
  reason: string;
}

export interface ReadPlan {
  rows: number;
  problems: PlanProblem[];
  /** Of the lines that are good so far. */
  items: { line: number; item: PlanInput }[];
}

type Wrong = { column: Column; reason: string };
const wrong = (column: Column, reason: string): Wrong => ({ column, reason });
const isWrong = (found: object | string): found is Wrong => typeof found === 'object' && 'reason' in found;
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function siteOf(text: string, sites: readonly string[]): string | undefined {
  return sites.find((id) => {
    const site = marketplaceOf(id);
    return same(text, id) || (site && (same(text, site.country) || text === site.name));
  });
}

/** The account of a store that sells at a site, by their names. */
function placeOf(cells: Cells, { stores }: Names): { authid: string; marketplaceId: string } | Wrong {
  if (cells.店铺 === '') return wrong('店铺', '请填写店铺');
  const named = stores.filter(({ name }) => name === cells.店铺);
  if (named.length === 0) return wrong('店铺', '店铺不存在，或没有权限');
  if (cells.站点 === '') return wrong('站点', '请填写站点');
  const found = named.flatMap(({ id, sites, mine }) => {
    const marketplaceId = siteOf(cells.站点, sites);
    return marketplaceId === undefined ? [] : [{ authid: id, marketplaceId, mine }];
  });
  const [only, second] = found;
  if (!only) return wrong('站点', '该店铺没有这个站点，请填写站点代码或名称，如 US、美国');
  if (second) return wrong('店铺', '有多个同名店铺，请先改名');
  return only.mine ? { authid: only.authid, marketplaceId: only.marketplaceId } : wrong('店铺', '没有该店铺的操作权限');
}

function warehouseIn(text: string, { warehouses }: Names): string | Wrong {
  if (text === '') return wrong('仓库', '请填写发货仓');
  const named = warehouses.filter(({ name, code }) => name === text || (code !== '' && same(code, text)));
  const [only, second] = named;
  if (!only) return wrong('仓库', '没有可发货的仓库叫这个名称或编码');
  if (second) return wrong('仓库', '有多个仓库叫这个名称或编码');
  return only.mine ? only.id : wrong('仓库', '没有该仓库的操作权限');
}

function transportIn(text: string): Transport | Wrong {
  if (text === '') return 'SEA';
  const found = TRANSPORTS.find(({ code, title }) => title === text || same(code, text));
  return found?.code ?? wrong('运输方式', `运输方式为 ${TRANSPORTS.map(({ title }) => title).join('、')} 之一`);
}

/** A whole number as sheets write it. */
const numberOf = (text: string): number => (/^\d{1,9}(\.0+)?$/.test(text) ? Number(text) : Number.NaN);

function qtyIn(text: string): { qty: number } | Wrong {
  const read = Pieces.safeParse(numberOf(text));
  return read.success ? { qty: read.data } : wrong('数量', '数量必须为正整数');
}

/** An item of one line, or all that is wrong with it. */
function itemOf(cells: Cells, names: Names): PlanInput | Wrong[] {
  const place = placeOf(cells, names);
  const warehouseId = warehouseIn(cells.仓库, names);
  const transport = transportIn(cells.运输方式);
  const pieces = qtyIn(cells.数量);
  const msku = cells.平台SKU;
  const texts = [
    ...(msku === '' ? [wrong('平台SKU', '请填写平台SKU')] : []),
    ...(msku.length > 100 ? [wrong('平台SKU', '平台SKU不能超过100个字符')] : []),
    ...(cells.备注.length > 200 ? [wrong('备注', '备注不能超过200个字符')] : []),
  ];
  if (isWrong(place) || isWrong(warehouseId) || isWrong(transport) || isWrong(pieces) || texts.length > 0) {
    return [...[place, warehouseId, transport, pieces].filter(isWrong), ...texts];
  }
  return { ...place, ...pieces, msku, warehouseId, transport, plannedOn: null, suggestedQty: null, remark: cells.备注 };
}

function columnsOf(heads: readonly string[]): Map<Column, number> {
  const plain = heads.map(plainHeading);
  const at = (title: string) => plain.indexOf(plainHeading(title));
  return new Map(PLAN_COLUMNS.map((title) => [title, Math.max(at(title), at(OTHER_NAMES[title] ?? title))]));
}

/** Reads a sheet whole: every line is an item, or is named with its columns and the reasons. */
export function readPlan(table: readonly (readonly string[])[], names: Names): ReadPlan {
  const at = columnsOf(table[0] ?? []);
  const missing = MUST.filter((title) => (at.get(title) ?? -1) < 0);
  if (missing.length > 0) {
    const problems = missing.map((column) => ({ line: 1, column, value: '', reason: `缺少列【${column}】` }));
    return { rows: 0, problems, items: [] };
  }
  const found: ReadPlan = { rows: 0, problems: [], items: [] };
  const seen = new Map<string, number>();
  for (const [index, row] of table.slice(1).entries()) {
    const cells = Object.fromEntries(PLAN_COLUMNS.map((one) => [one, (row[at.get(one) ?? -1] ?? '').trim()])) as Cells;
    if (Object.values(cells).every((text) => text === '')) continue;
    found.rows += 1;
    const line = index + 2;
    const put = ({ column, reason }: Wrong) => found.problems.push({ line, column, value: cells[column], reason });
    const item = itemOf(cells, names);
    if (Array.isArray(item)) {
      for (const one of item) put(one);
      continue;
    }
    const key = [item.authid, item.marketplaceId, item.warehouseId, item.transport, item.msku].join(' ');
    const before = seen.get(key);
    if (before !== undefined) put(wrong('平台SKU', `与第 ${before} 行的平台SKU、仓库、运输方式重复`));
    else found.items.push({ line, item });
    seen.set(key, before ?? line);
  }
  if (found.rows === 0) found.problems.push({ line: 2, column: '店铺', value: '', reason: '没有数据' });
  if (found.rows > MOST_PLAN_LINES) {
    const reason = `一次最多导入 ${MOST_PLAN_LINES} 行，请分批`;
    found.problems.push({ line: 1, column: '店铺', value: '', reason });
  }
  return found;
}
