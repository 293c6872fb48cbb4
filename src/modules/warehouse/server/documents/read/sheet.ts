import type { Readable } from 'node:stream';
import type { Column } from '#kit/contract/columns.ts';
import { columnsOf } from '#kit/contract/columns.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { readSheet, SheetRefused } from '#kit/server/excel/read.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { localProducts, productIdsBySku } from '#modules/product/server/index.ts';
import { COST, LineRow } from '../../../contract/documents/fields.ts';
import type { KindName, StockKind } from '../core/load.ts';
import { detailOf } from './detail.ts';
import { availableOf } from './stock.ts';

type Heading = 'SKU' | '调入SKU' | '数量' | '批次' | '效期' | '库位' | '单价' | '分摊费用' | '盘点数' | '备注';

/** Columns of a kind's sheet; the first ones must be filled. */
const SHEETS: Record<KindName, { needed: readonly Heading[]; more: readonly Heading[] }> = {
  inbound: { needed: ['SKU', '数量'], more: ['批次', '效期', '库位', '单价', '备注'] },
  outbound: { needed: ['SKU', '数量'], more: ['库位', '备注'] },
  transfer: { needed: ['SKU', '数量'], more: ['库位', '分摊费用', '备注'] },
  exchange: { needed: ['SKU', '调入SKU', '数量'], more: ['库位', '备注'] },
  stocktake: { needed: ['SKU', '盘点数'], more: ['批次', '库位', '备注'] },
  assembly: { needed: ['SKU', '数量'], more: ['备注'] },
  overseas: { needed: ['SKU', '数量'], more: ['库位', '分摊费用', '备注'] },
};
const MAX_BYTES = 10 * 1024 * 1024;
const MAX_ROWS = 50_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MONEY = /^\d{1,12}(\.\d{1,4})?$/;

interface Problem {
  line: number;
  key: string;
  column: string;
  value: string;
  reason: string;
}

interface Known {
  products: ReadonlyMap<string, string>;
  locations: ReadonlyMap<string, string>;
}

type Cells = Partial<Record<Heading, string>>;

async function bytesOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > MAX_BYTES) throw refused('文件不能超过10MB', 'B0833');
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

async function tableOf(bytes: Buffer, kind: KindName): Promise<{ line: number; cells: Cells }[]> {
  const sheet = await readSheet(bytes).catch((error: unknown) => {
    throw error instanceof SheetRefused ? refused(error.message, 'B0833') : error;
  });
  const head = (sheet[0] ?? []).map((cell) => cell.replace(/[*＊\s]/g, ''));
  const { needed, more } = SHEETS[kind];
  const missing = needed.filter((name) => !head.includes(name));
  if (missing.length > 0) throw refused(`表格缺少列：${missing.join('、')}`, 'B0833');
  if (sheet.length - 1 > MAX_ROWS) throw refused(`一次最多导入 ${MAX_ROWS} 行`, 'B0833');
  return sheet.slice(1).flatMap((row, index) => {
    if (row.every((cell) => cell.trim() === '')) return [];
    const cells: Cells = {};
    for (const name of [...needed, ...more]) {
      const at = head.indexOf(name);
      if (at >= 0) cells[name] = (row[at] ?? '').trim();
    }
    return [{ line: index + 2, cells }];
  });
}

async function knownTo(ctx: Ctx, rows: readonly { cells: Cells }[], warehouse: string): Promise<Known> {
  const skus = rows.flatMap(({ cells }) => [cells.SKU ?? '', cells.调入SKU ?? '']).filter((sku) => sku !== '');
  const places = UUID.test(warehouse)
    ? await ctx.db
        .selectFrom('warehouse.location')
        .select(['id', 'code'])
        .where('company_id', '=', ctx.companyId)
        .where('warehouse_id', '=', warehouse)
        .where('type', '<>', 'AREA')
        .execute()
    : [];
  return {
    products: await productIdsBySku(ctx, skus),
    locations: new Map(places.map((place) => [place.code.toLowerCase(), place.id])),
  };
}

/** What is wrong with a row, by column. */
function problemsOf(
  cells: Cells,
  kind: KindName,
  known: Known,
  seen: Map<string, number>,
  line: number,
): [Heading, string][] {
  const found: [Heading, string][] = [];
  const sku = cells.SKU ?? '';
  if (sku === '') found.push(['SKU', 'SKU不能为空']);
  else if (!known.products.has(sku)) found.push(['SKU', '产品不存在']);
  if (kind === 'exchange') {
    const to = cells.调入SKU ?? '';
    if (!known.products.has(to)) found.push(['调入SKU', '产品不存在']);
    else if (known.products.get(to) === known.products.get(sku)) found.push(['调入SKU', '调出SKU与调入SKU不能相同']);
  }
  const count = kind === 'stocktake' ? '盘点数' : '数量';
  const least = kind === 'stocktake' ? 0 : 1;
  const qty = Number(cells[count]);
  if (!cells[count] || !Number.isSafeInteger(qty) || qty < least || qty > 100_000_000) {
    found.push([count, least === 0 ? '盘点数须为不小于0的整数' : '数量必须为正整数']);
  }
  if (cells.效期 && (!DAY.test(cells.效期) || Number.isNaN(Date.parse(cells.效期))))
    found.push(['效期', '效期格式应为 年-月-日']);
  if (cells.批次 && cells.批次.length > 60) found.push(['批次', '批次不能超过60个字符']);
  if (cells.库位 && !known.locations.has(cells.库位.toLowerCase())) found.push(['库位', '所选仓库没有该库位']);
  for (const money of ['单价', '分摊费用'] as const) {
    if (cells[money] && !MONEY.test(cells[money])) found.push([money, `${money}须为不小于0的数字，最多4位小数`]);
  }
  if (cells.备注 && cells.备注.length > 200) found.push(['备注', '备注不能超过200个字符']);
  const key = `${known.products.get(sku) ?? sku} ${cells.批次 ?? ''} ${(cells.库位 ?? '').toLowerCase()}`;
  const before = seen.get(key);
  if (sku !== '' && before !== undefined) found.push(['SKU', `不能重复添加SKU（与第${before}行重复）`]);
  seen.set(key, before ?? line);
  return found;
}

function lineOf(cells: Cells, known: Known, lineNo: number, mayCost: boolean) {
  const number = (text: string | undefined) => (text ? Number(text) : 0);
  return {
    id: crypto.randomUUID(),
    lineNo,
    productId: known.products.get(cells.SKU ?? '') ?? '',
    toProductId: cells.调入SKU ? (known.products.get(cells.调入SKU) ?? null) : null,
    qty: number(cells.数量),
    countedQty: cells.盘点数 === undefined ? null : number(cells.盘点数),
    lotNo: cells.批次 ?? '',
    expiresAt: cells.效期 || null,
    locationId: cells.库位 ? (known.locations.get(cells.库位.toLowerCase()) ?? null) : null,
    location: cells.库位 || null,
    unitCost: (mayCost && cells.单价) || null,
    fee: (mayCost && cells.分摊费用) || null,
    reason: cells.备注 ?? '',
  };
}

async function rowsOf(ctx: Ctx, lines: readonly ReturnType<typeof lineOf>[], warehouse: string): Promise<LineRow[]> {
  const ids = lines.flatMap((line) => [line.productId, ...(line.toProductId ? [line.toProductId] : [])]);
  const products = await localProducts(ctx, ids);
  const stock = await availableOf(ctx, warehouse, ids);
  const cell = (id: string) => products.get(id)?.cell ?? { name: '—', code: '—' };
  return lines.map((line) => ({
    ...line,
    product: cell(line.productId),
    toProduct: line.toProductId ? cell(line.toProductId) : null,
    doneQty: 0,
    pickedQty: 0,
    shortQty: 0,
    qtyPer: null,
    amount: null,
    bookQty: null,
    recountQty: null,
    diff: null,
    skipped: false,
    countedByName: '',
    available: stock.get(line.productId)?.available ?? 0,
    toAvailable: line.toProductId ? (stock.get(line.toProductId)?.available ?? 0) : null,
  }));
}

/**
 * Reads the lines of a document from a sheet; writes nothing. One bad row is enough that none is taken; each bad row says
 * why. @throws refused B0833 for a file that cannot be read
 */
export async function readLines(open: OpenCtx, kind: StockKind, warehouse: string) {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const { stream } = await open.upload();
  const table = await tableOf(await bytesOf(stream), kind.name);
  if (table.length === 0) throw refused('文件没有数据行', 'B0833');
  return inTenant(open.runtime, open.principal, async (ctx) => {
    const known = await knownTo(ctx, table, warehouse);
    const seen = new Map<string, number>();
    const problems = table.flatMap(({ line, cells }): Problem[] =>
      problemsOf(cells, kind.name, known, seen, line).map(([column, reason]) => ({
        line,
        key: cells.SKU ?? '',
        column,
        value: cells[column] ?? '',
        reason,
      })),
    );
    if (problems.length > 0) return { rows: table.length, problems: problems.slice(0, 500), lines: [] };
    const lines = table.map(({ cells }, index) => lineOf(cells, known, index + 1, can(ctx, COST)));
    return { rows: table.length, problems: [], lines: await rowsOf(ctx, lines, warehouse) };
  });
}

/** A sheet with a column by heading, in the order of the import. */
function sheetOf(kind: StockKind, rows: readonly Record<string, unknown>[], name: string, mayCost: boolean): FileReply {
  const { needed, more } = SHEETS[kind.name];
  const money: readonly Heading[] = ['单价', '分摊费用'];
  const all = columnsOf(LineRow);
  const [text, number] = [all.find((column) => column.key === 'reason'), all.find((column) => column.key === 'qty')];
  const headings = [...needed, ...more].filter((heading) => mayCost || !money.includes(heading));
  const columns = headings.flatMap((heading): Column[] => {
    const like = ['数量', '盘点数'].includes(heading) ? number : text;
    return like ? [{ ...like, key: heading, title: heading, optional: false, hidden: false }] : [];
  });
  async function* source() {
    yield* rows;
  }
  const body = exportStream(source(), { format: 'xlsx', sheet: kind.def.title, columns });
  return new FileReply(name, MEDIA_TYPES.xlsx, body);
}

/** An empty sheet with the right columns and one row that shows how. */
export function templateOf(ctx: Ctx, kind: StockKind): FileReply {
  const example = { SKU: 'SKU-001', 调入SKU: 'SKU-002', 数量: 100, 盘点数: 100 };
  return sheetOf(kind, [example], `${kind.def.title}明细模板.xlsx`, can(ctx, COST));
}

/** The lines of a document in the columns of the import: change them and send them back. */
export async function exportLines(ctx: Ctx, kind: StockKind, id: string): Promise<FileReply> {
  const { document, lines } = await detailOf(ctx, kind, id);
  if (!document) throw notFound();
  const rows = lines.map((line) => ({
    SKU: line.product.code,
    调入SKU: line.toProduct?.code ?? '',
    数量: line.qty,
    盘点数: line.countedQty,
    批次: line.lotNo,
    效期: line.expiresAt ?? '',
    库位: line.location ?? '',
    单价: line.unitCost ?? '',
    分摊费用: line.fee ?? '',
    备注: line.reason,
  }));
  return sheetOf(kind, rows, `${document.number}.xlsx`, can(ctx, COST));
}
