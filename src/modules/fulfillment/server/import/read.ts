import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { PLATFORMS } from '#modules/channel/contract/fields.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import type { GenericTable, TableRow } from '#modules/marketplace/server/index.ts';
import { McfWish } from '../../contract/create.ts';
import type { McfImport } from '../../contract/import.ts';
import { POLICIES, SPEEDS } from '../../contract/states.ts';
import { lineProblem } from '../amazon/words.ts';

/** Headings of a sheet of orders and the fields of the form that they fill; a line of the sheet is a line of an order. */
export const HEADINGS = {
  店铺: 'store',
  站点: 'country_of_site',
  平台: 'platform',
  平台订单号: 'orderNo',
  履约单号: 'number',
  MSKU: 'sku',
  数量: 'quantity',
  收件人: 'name',
  地址1: 'line1',
  地址2: 'line2',
  城市: 'city',
  '州/省': 'region',
  邮政编码: 'postalCode',
  国家: 'country',
  电话: 'phone',
  配送速度: 'speed',
  缺货处理: 'policy',
  暂存: 'hold',
  装箱单留言: 'comment',
} as const;
export type Heading = keyof typeof HEADINGS;
export type Cells = Partial<Record<Heading, string>>;
const REQUIRED: readonly Heading[] = [
  '店铺',
  '站点',
  '平台',
  '平台订单号',
  'MSKU',
  '数量',
  '收件人',
  '地址1',
  '邮政编码',
  '国家',
];
const MAX_ROWS = 2_000;

type Problems = McfImport['problems'];

/** Lines of one order with where they stand in the sheet. */
export interface SheetOrder {
  line: number;
  cells: Cells;
  lines: { line: number; cells: Cells }[];
}

/** A problem of a cell, as the check of a file names it. */
export function problemOf(at: { line: number; cells: Cells }, column: Heading, reason: string): Problems[number] {
  return { line: at.line, key: at.cells.平台订单号 ?? '', column, value: at.cells[column] ?? '', reason };
}

function cellsOf(table: GenericTable, row: TableRow): Cells {
  const entries = table.headers.flatMap((heading, index) =>
    Object.hasOwn(HEADINGS, heading) ? [[heading, (row.values[index] ?? '').trim()]] : [],
  );
  return Object.fromEntries(entries) as Cells;
}

/** The orders of a sheet: lines of one store, site and order number are one order. Says which headings it lacks. */
export async function ordersOf(
  table: GenericTable,
): Promise<{ rows: number; orders: SheetOrder[]; problems: Problems }> {
  const missing = REQUIRED.filter((heading) => !table.headers.includes(heading));
  if (missing.length > 0) {
    const problems = missing.map((heading) =>
      problemOf({ line: 1, cells: {} }, heading, `缺少列「${heading}」，请使用导入模板的表头`),
    );
    return { rows: 0, orders: [], problems };
  }
  const orders = new Map<string, SheetOrder>();
  let rows = 0;
  for await (const batch of table.rows()) {
    for (const row of batch) {
      if (row.values.every((value) => value.trim() === '')) continue;
      rows += 1;
      if (rows > MAX_ROWS) throw refused(`一次最多导入${MAX_ROWS}行`, 'B0363');
      const at = { line: row.lineNo, cells: cellsOf(table, row) };
      const key = [at.cells.店铺, at.cells.站点, at.cells.平台, at.cells.平台订单号].join('\t');
      const order = orders.get(key) ?? { ...at, lines: [] };
      order.lines.push(at);
      orders.set(key, order);
    }
  }
  return { rows, orders: [...orders.values()], problems: [] };
}

/** The code of a name of a closed list, or the code itself as it was written; the first where nothing was. */
function codeOf(names: Readonly<Record<string, string>>, text: string | undefined, fallback: string): string {
  if (!text) return fallback;
  return (
    Object.entries(names).find(([code, name]) => code === text.toUpperCase() || code === text || name === text)?.[0] ??
    text
  );
}

/** Stores of the company by name, with the sites that each has in which account. */
export async function sitesByName(ctx: Ctx): Promise<Map<string, { accountId: string; marketplaceId: string }>> {
  const rows = await ctx.db
    .selectFrom('marketplace.store as s')
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 's.company_id').onRef('a.store_id', '=', 's.id'),
    )
    .innerJoin('marketplace.seller_marketplace as m', (join) =>
      join.onRef('m.company_id', '=', 'a.company_id').onRef('m.account_id', '=', 'a.id'),
    )
    .select(['s.name', 'a.id', 'm.marketplace_id'])
    .where('s.company_id', '=', ctx.companyId)
    .where('s.deleted_at', 'is', null)
    .where('a.status', '!=', 'deleted')
    .where('m.enabled', '=', true)
    .execute();
  return new Map(
    rows.map((row) => [`${row.name}\t${row.marketplace_id}`, { accountId: row.id, marketplaceId: row.marketplace_id }]),
  );
}

/** The id of a marketplace by its country, name or id. */
export function marketplaceOf(text: string): string | undefined {
  const wanted = text.toUpperCase();
  return MARKETPLACES.find(({ country, name, id }) => country === wanted || name === text || id === text)?.id;
}

const Form = McfWish.omit({ site: true });
export type SheetForm = z.infer<typeof Form>;

/** An order of a sheet by the form's own rules. */
export function formOf(order: SheetOrder): SheetForm | Problems {
  const { cells, lines } = order;
  const texts = Object.entries(cells).flatMap(([heading, text]) =>
    text === '' ? [] : [[HEADINGS[heading as Heading], text] as const],
  );
  const parsed = Form.safeParse({
    ...Object.fromEntries(texts),
    platform: codeOf(PLATFORMS, cells.平台, ''),
    speed: codeOf(SPEEDS, cells.配送速度, 'STANDARD'),
    policy: codeOf(POLICIES, cells.缺货处理, 'FillOrKill'),
    hold: ['是', 'true', '1', 'y', 'yes'].includes((cells.暂存 ?? '').toLowerCase()),
    blankBox: false,
    lines: lines.map((each) => ({ sku: each.cells.MSKU ?? '', quantity: Number(each.cells.数量 || Number.NaN) })),
  });
  if (parsed.success) {
    const line = lineProblem(parsed.data);
    return line ? [problemOf(order, '地址1', line)] : parsed.data;
  }
  const byField = new Map(Object.entries(HEADINGS).map(([heading, field]) => [field as string, heading as Heading]));
  return parsed.error.issues.map(({ path, message }) => {
    const [field, index, inner] = path;
    const at = field === 'lines' && typeof index === 'number' ? (lines[index] ?? order) : order;
    const column = byField.get(String(field === 'lines' ? (inner ?? 'sku') : field)) ?? '平台订单号';
    const words = /^(Invalid|Too) /.test(message)
      ? `${column}${at.cells[column] ? '填写不正确' : '不能为空'}`
      : message;
    return problemOf(at, column, words);
  });
}
