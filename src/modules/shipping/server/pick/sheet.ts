import QRCode from 'qrcode';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { cartonsOf, localProducts } from '#modules/product/server/index.ts';
import type { PickingSheet } from '../../contract/picking.ts';
import { rowOf } from '../order/detail.ts';
import { holdings } from '../order/events.ts';
import { stockIn } from '../order/listings.ts';
import { loaded } from '../order/load.ts';
import { placesByPart } from './rows.ts';

/** Everything that stands on the picking sheet of an order: a row for each local product of each line. @throws notFound */
export async function sheetOf(ctx: Ctx, id: string): Promise<PickingSheet> {
  const row = await rowOf(ctx, id);
  const order = await loaded(ctx, id);
  const ids = order.parts.map((part) => part.product);
  const [products, cases, stock] = [
    await localProducts(ctx, ids),
    await cartonsOf(ctx, ids),
    await stockIn(ctx, order.warehouse, ids),
  ];
  const places = await placesByPart(ctx, await holdings(ctx, order));
  const itemList = order.parts.map((part) => {
    const line = order.lines.find((one) => one.id === part.line);
    const product = products.get(part.product);
    const size = cases.get(part.product);
    return {
      image: product?.image ?? line?.image ?? null,
      name: product?.name || (line?.title ?? ''),
      sku: product?.sku ?? '—',
      sellersku: line?.msku ?? '',
      invquantity: stock.get(part.product) ?? 0,
      quantityShipped: (line?.qty ?? 0) * part.qtyPer,
      boxnum: line?.boxQty ?? size?.units ?? null,
      boxweight: size?.weight ?? null,
      boxlength: size?.length ?? null,
      boxwidth: size?.width ?? null,
      boxheight: size?.height ?? null,
      place: places.get(part.id) ?? '',
    };
  });
  return {
    shipmentid: order.number,
    createdate: row.createdAt,
    skuamount: itemList.length,
    sumQuantity: itemList.reduce((total, item) => total + item.quantityShipped, 0),
    groupname: row.store.name,
    country: row.store.country,
    center: order.shipmentNo,
    warehouse: row.warehouse,
    remark: order.remark,
    auditime: row.approvedAt,
    itemList,
  };
}

/**
 * The code on the sheet: an address that opens the order at the scanner's page; it carries no secret, whoever opens it has
 * to be logged in. `size`: pixels of a module, 0 for the usual 3. PNG, error correction M, four modules of white.
 * @throws notFound
 */
export async function codeOf(ctx: Ctx, id: string, size: number): Promise<FileReply> {
  const row = await rowOf(ctx, id);
  const address = new URL(`/scancode?c=PS.${id}`, ctx.runtime.config.publicUrl).href;
  const png = await QRCode.toBuffer(address, { errorCorrectionLevel: 'M', margin: 4, scale: size || 3 });
  return new FileReply(`${row.number}.png`, 'image/png', png, true);
}
