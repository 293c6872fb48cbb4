import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { labelsPdf, paperFor } from '#kit/server/pdf/label.ts';
import { type PrintColumn, type SheetField, sheetPdf } from '#kit/server/pdf/sheet.ts';
import { localProducts } from '#modules/product/server/index.ts';
import type { HeadRow, LineRow } from '../../../contract/documents/fields.ts';
import { type KindName, loaded, type StockKind } from '../core/load.ts';
import { detailOf } from './detail.ts';

type Key =
  | 'product'
  | 'toProduct'
  | 'lotNo'
  | 'location'
  | 'qty'
  | 'qtyPer'
  | 'bookQty'
  | 'reason'
  | 'byHand'
  | 'again';

const COLUMNS: Record<Key, PrintColumn & { cell: (line: LineRow) => string }> = {
  product: { title: '产品', share: 240, cell: ({ product }) => `${product.code}\n${product.name}` },
  toProduct: {
    title: '调入产品',
    share: 240,
    cell: ({ toProduct }) => `${toProduct?.code ?? ''}\n${toProduct?.name ?? ''}`,
  },
  lotNo: { title: '批次', share: 80, cell: (line) => line.lotNo },
  location: { title: '库位', share: 110, cell: (line) => line.location ?? '' },
  qty: { title: '数量', share: 60, right: true, cell: (line) => String(line.qty) },
  qtyPer: { title: '单套用量', share: 60, right: true, cell: (line) => line.qtyPer ?? '' },
  bookQty: { title: '账面', share: 60, right: true, cell: (line) => String(line.bookQty ?? '') },
  reason: { title: '备注', share: 120, cell: (line) => line.reason },
  byHand: { title: '', share: 90, cell: () => '' },
  again: { title: '复盘数', share: 80, cell: () => '' },
};

interface Paper {
  title: string;
  columns: readonly Key[];
  /** Title of the column that is left open to be written by hand. */
  hand?: string;
  /** Who signs. */
  signs: readonly string[];
}

/** What stands on the paper of a kind. */
const PAPER: Record<KindName, Paper> = {
  inbound: {
    title: '入库单',
    columns: ['product', 'lotNo', 'location', 'qty', 'byHand', 'reason'],
    hand: '实收',
    signs: ['制单', '送货', '收货', '审核'],
  },
  outbound: {
    title: '拣货单',
    columns: ['location', 'product', 'qty', 'byHand', 'reason'],
    hand: '实拣',
    signs: ['制单', '拣货', '复核', '领货'],
  },
  transfer: {
    title: '调库单',
    columns: ['location', 'product', 'qty', 'byHand', 'reason'],
    hand: '实收',
    signs: ['制单', '发货', '收货', '审核'],
  },
  exchange: { title: '代料单', columns: ['product', 'toProduct', 'qty', 'reason'], signs: ['制单', '作业', '审核'] },
  stocktake: {
    title: '盘点表',
    columns: ['location', 'product', 'lotNo', 'bookQty', 'byHand', 'again', 'reason'],
    hand: '盘点数',
    signs: ['盘点', '复盘', '监盘', '审核'],
  },
  assembly: {
    title: '加工单',
    columns: ['product', 'qtyPer', 'qty', 'byHand', 'reason'],
    hand: '实领',
    signs: ['制单', '领料', '加工', '审核'],
  },
  overseas: {
    title: '海外仓备货单',
    columns: ['location', 'product', 'qty', 'byHand', 'reason'],
    hand: '实拣',
    signs: ['制单', '拣货', '装箱', '审核'],
  },
};

type Head = Partial<z.output<typeof HeadRow>> & { number: string; state: string };

function headOf(ctx: Ctx, kind: StockKind, head: Head): SheetField[] {
  const state = kind.def.states[head.state]?.title ?? head.state;
  const fields: [string, string | null | undefined][] = [
    ['仓库', head.warehouse],
    ['调入仓库', head.toWarehouse],
    [kind.name === 'overseas' ? '店铺' : '往来单位', head.partner],
    ['物流', [head.carrier, head.channel].filter(Boolean).join(' ')],
    ['箱数', head.boxes ? String(head.boxes) : null],
    ['主产品', head.product && `${head.product.code} × ${head.qty ?? 0}`],
    ['预计日期', head.plannedOn],
    ['状态', state],
    ['SKU数', String(head.skuCount ?? 0)],
    ['制单人', head.createdByName],
    ['打印日期', ctx.clock.today()],
  ];
  return fields.flatMap(([title, value]) => (value ? [{ title, value }] : []));
}

async function companyName(ctx: Ctx): Promise<string> {
  const row = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row?.name ?? '';
}

/**
 * The sheet of a document, A4: receipt, picking list in the order of the shelves, transfer, count sheet. What a person
 * writes down at the shelf is left open; a blind count does not say what the books say. @throws notFound
 */
export async function printDocument(ctx: Ctx, kind: StockKind, id: string): Promise<FileReply> {
  const { document, lines } = await detailOf(ctx, kind, id);
  const head = document as Head;
  const paper = PAPER[kind.name];
  const keys = paper.columns.filter((key) => !(key === 'bookQty' && head.blind));
  const columns = keys.map((key) => (key === 'byHand' ? { ...COLUMNS.byHand, title: paper.hand ?? '' } : COLUMNS[key]));
  const pieces = lines.reduce((sum, line) => sum + line.qty, 0);
  const pdf = sheetPdf({
    title: paper.title,
    company: await companyName(ctx),
    number: head.number,
    head: headOf(ctx, kind, head),
    columns: [{ title: '#', share: 30, right: true }, ...columns],
    rows: lines.map((line, index) => [String(index + 1), ...columns.map((column) => column.cell(line))]),
    ...(keys.includes('qty')
      ? { totals: ['', ...keys.map((key, at) => (at === 0 ? '合计' : key === 'qty' ? String(pieces) : ''))] }
      : {}),
    notes: head.remark ? [`备注：${head.remark}`] : [],
    signatures: paper.signs,
  });
  return new FileReply(`${paper.title}-${head.number}.pdf`, 'application/pdf', pdf, true);
}

/** More labels than that are several rolls. */
const MOST_LABELS = 5_000;

/**
 * Labels of the pieces of a document with the barcode, or the SKU where there is none: one for each piece; one for each line
 * of a count, whose pieces are not known, and beyond 5,000 pieces. 50 x 30 mm with bars; 60 x 40 mm with QR codes where a SKU has signs that bars cannot say.
 * @throws notFound, refused B0839 where there is nothing to label
 */
export async function printLabels(ctx: Ctx, kind: StockKind, id: string): Promise<FileReply> {
  const doc = await loaded(ctx, kind, id);
  const products = await localProducts(
    ctx,
    doc.lines.map((line) => line.product),
  );
  const pieces = doc.lines.reduce((sum, line) => sum + line.qty, 0);
  const labels = doc.lines.flatMap((line) => {
    const product = products.get(line.product);
    if (!product) return [];
    const label = {
      content: product.barcode ?? product.sku,
      title: product.sku,
      lines: [
        product.name,
        ...(line.lotNo ? [`批次 ${line.lotNo}`] : []),
        ...(line.expiresAt ? [`效期 ${line.expiresAt}`] : []),
      ],
    };
    const copies = kind.name === 'stocktake' || pieces > MOST_LABELS ? 1 : line.qty;
    return Array.from({ length: copies }, () => label);
  });
  if (labels.length === 0) throw refused('单据还没有产品，不能打印标签', 'B0839');
  return new FileReply(`SKU标签-${doc.number}.pdf`, 'application/pdf', labelsPdf(labels, paperFor(labels)), true);
}
