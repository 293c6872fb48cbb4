import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { joinPdfs } from '#kit/server/pdf/join.ts';
import { LABEL_100X150, type Label, labelsPdf } from '#kit/server/pdf/label.ts';
import { sheetPdf } from '#kit/server/pdf/sheet.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { locationCodes, warehouses } from '#modules/warehouse/server/index.ts';
import { rowOf } from './detail.ts';
import { holdingsOfAll } from './events.ts';
import { boughtPdfs } from './label/print.ts';
import { loaded, type SelfDoc } from './load.ts';

async function companyName(ctx: Ctx): Promise<string> {
  const row = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row?.name ?? '';
}

async function docsOf(ctx: Ctx, ids: readonly string[]): Promise<SelfDoc[]> {
  const docs: SelfDoc[] = [];
  for (const id of [...new Set(ids)]) docs.push(await loaded(ctx, id));
  return docs;
}

const pdfReply = (name: string, pdf: Buffer) => new FileReply(`${name}.pdf`, 'application/pdf', pdf, true);

/**
 * 拣货单: a row for each product at each place, in the order in which a picker walks, with the documents that want it.
 * @throws notFound, refused B1411 for documents of several warehouses or where nothing is held
 */
export async function pickSheet(ctx: Ctx, ids: readonly string[]): Promise<FileReply> {
  const docs = await docsOf(ctx, ids);
  const [first] = docs;
  if (!first) throw notFound();
  if (new Set(docs.map((doc) => doc.warehouse)).size > 1) throw refused('拣货单须在同一个发货仓', 'B1411');
  const held = await holdingsOfAll(
    ctx,
    docs.map((doc) => doc.id),
  );
  if (held.length === 0) throw refused('没有占用的库存，请先审核', 'B1411');
  const places = await locationCodes(
    ctx,
    held.map((one) => one.location),
  );
  const products = await localProducts(
    ctx,
    held.map((one) => one.product),
  );
  const numbers = new Map(docs.map((doc) => [doc.id, doc.number]));
  const stops = [...Map.groupBy(held, (one) => `${one.location} ${one.product}`).values()];
  const rows = stops.map((mine, index) => {
    const [one] = mine;
    const product = products.get(one?.product ?? '');
    const shares = [...Map.groupBy(mine, (each) => each.document)].map(
      ([id, held]) => `${numbers.get(id) ?? ''}×${held.reduce((sum, each) => sum + each.held, 0)}`,
    );
    const qty = mine.reduce((sum, each) => sum + each.held, 0);
    return [
      String(index + 1),
      places.get(one?.location ?? '') ?? '暂存',
      product?.sku ?? '—',
      product?.name ?? '',
      String(qty),
      shares.join('、'),
      '',
    ];
  });
  const total = held.reduce((sum, each) => sum + each.held, 0);
  const place = (await warehouses(ctx)).get(first.warehouse)?.name ?? '';
  const pdf = sheetPdf({
    title: '拣货单',
    company: await companyName(ctx),
    number: docs.length === 1 ? first.number : `${first.number}+${docs.length - 1}`,
    head: [
      { title: '发货仓', value: place },
      { title: '单据数', value: String(docs.length) },
      { title: '打印日期', value: ctx.clock.today() },
    ],
    columns: [
      { title: '#', share: 30, right: true },
      { title: '库位', share: 90 },
      { title: 'SKU', share: 120 },
      { title: '名称', share: 200 },
      { title: '数量', share: 50, right: true },
      { title: '单据', share: 150 },
      { title: '实拣', share: 60 },
    ],
    rows,
    totals: ['', '合计', '', '', String(total), '', ''],
    signatures: ['拣货', '复核'],
  });
  return pdfReply(`拣货单-${first.number}`, pdf);
}

/** 装箱清单 of one parcel. @throws notFound */
export async function packingList(ctx: Ctx, id: string): Promise<FileReply> {
  const row = await rowOf(ctx, id);
  const doc = await loaded(ctx, id);
  const head = [
    ['平台订单', row.orders],
    ['发货仓', row.warehouse],
    ['收件国', row.country],
    ['承运商', row.carrier],
    ['运单号', row.trackingNo],
    ['打印日期', ctx.clock.today()],
  ] as const;
  const pdf = sheetPdf({
    title: '装箱清单',
    company: await companyName(ctx),
    number: doc.number,
    head: head.flatMap(([title, value]) => (value ? [{ title, value }] : [])),
    columns: [
      { title: '#', share: 30, right: true },
      { title: 'SKU', share: 140 },
      { title: '商品', share: 300 },
      { title: '数量', share: 60, right: true },
    ],
    rows: doc.lines.map((line, index) => [String(index + 1), line.msku, line.title, String(line.qty)]),
    totals: ['', '合计', '', String(row.qty)],
    notes: doc.remark ? [`备注：${doc.remark}`] : [],
  });
  return pdfReply(`装箱清单-${doc.number}`, pdf);
}

/**
 * What a label says of where it goes: the whole address of a customer of our own; of a platform's customer the orders and
 * what they keep, as the carrier's own label has the rest.
 */
function linesOf(doc: SelfDoc): string[] {
  const { recipient, phone, street, city, region, postalCode, country } = doc;
  const to =
    doc.origin === 'OFFLINE'
      ? [recipient, phone, street, [city, region, postalCode].filter(Boolean).join(' '), country]
      : [
          ...doc.orders.map(({ orderId }) => orderId),
          [country, region, postalCode && `${postalCode}…`].filter(Boolean).join(' '),
        ];
  const way = [doc.carrier, doc.trackingNo].filter(Boolean).join(' ');
  const weight = doc.weightG === null ? '' : `${doc.weightG} g`;
  return [...to, way, weight].filter((text) => text !== '');
}

const plainLabel = (doc: SelfDoc): Label => ({
  content: doc.number,
  title: doc.number,
  lines: linesOf(doc),
  items: doc.lines.map((line) => `${line.msku} ×${line.qty}`),
});

/**
 * 面单 of each document in their order: the one that was bought, else a plain one of 100 x 150 mm.
 * @throws notFound; refused B1425 for a bought label that is no PDF or has no file
 */
export async function parcelLabels(ctx: Ctx, ids: readonly string[]): Promise<FileReply> {
  const docs = await docsOf(ctx, ids);
  const bought = await boughtPdfs(ctx, docs);
  const name = `面单-${docs[0]?.number ?? ''}`;
  if (bought.size === 0) return pdfReply(name, labelsPdf(docs.map(plainLabel), LABEL_100X150));
  const pages = docs.map((doc) => bought.get(doc.id) ?? labelsPdf([plainLabel(doc)], LABEL_100X150));
  return pdfReply(name, Buffer.from(await joinPdfs(pages)));
}
