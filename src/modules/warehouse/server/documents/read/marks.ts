import type { Box } from '#kit/contract/box.ts';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { LABEL_100X100, labelsPdf } from '#kit/server/pdf/label.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { loaded, type StockKind } from '../core/load.ts';
import { warehouses } from '../core/places.ts';
import { boxesOf } from '../kinds/boxes.ts';

function measuresOf(box: Box): string[] {
  const size = [box.length, box.width, box.height];
  return [
    ...(box.weight === null ? [] : [`${plainDecimal(box.weight)} kg`]),
    ...(size.includes(null) ? [] : [`${size.map((side) => plainDecimal(side ?? '')).join('×')} cm`]),
  ];
}

/**
 * 箱唛: a label for each box, 100 x 100 mm, whose QR code reads "BX.<number>-<box>". @throws notFound, refused B0827 where
 * nothing is packed
 */
export async function printMarks(ctx: Ctx, kind: StockKind, id: string): Promise<FileReply> {
  const doc = await loaded(ctx, kind, id);
  const boxes = await boxesOf(ctx, id);
  if (boxes.length === 0) throw refused('还没有装箱数据', 'B0827');
  const names = await warehouses(ctx);
  const products = await localProducts(
    ctx,
    doc.lines.map((line) => line.product),
  );
  const skuOf = (lineId: string) => {
    const line = doc.lines.find((one) => one.id === lineId);
    return line ? (products.get(line.product)?.sku ?? '') : '';
  };
  const labels = boxes.map((box, index) => ({
    content: `BX.${doc.number}-${index + 1}`,
    title: `${index + 1} / ${boxes.length}`,
    lines: [
      doc.number,
      names.get(doc.toWarehouse ?? '')?.name ?? '',
      ...measuresOf(box),
      `共 ${box.items.reduce((sum, item) => sum + item.qty, 0)} 件`,
    ].filter((text) => text !== ''),
    items: box.items.map((item) => `${skuOf(item.lineId)} ×${item.qty}`),
  }));
  return new FileReply(`箱唛-${doc.number}.pdf`, 'application/pdf', labelsPdf(labels, LABEL_100X100), true);
}
