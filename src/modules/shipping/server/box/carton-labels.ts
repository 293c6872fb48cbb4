import { sql } from 'kysely';
import type { z } from 'zod';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { pdf417, qrOfModules } from '#kit/server/pdf/codes.ts';
import { LABEL_100X150, type Label, labelsPdf } from '#kit/server/pdf/label.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { boxCode, type ShipBox } from '../../contract/box/box.ts';
import type { ContentCode, printCartonLabels } from '../../contract/box/labels.ts';
import { shipOrder } from '../../contract/order.ts';
import { boxesOf, packedByLine } from '../order/boxes.ts';
import { locked, type ShipOrder } from '../order/load.ts';
import { contentText } from './content.ts';
import { homesOf } from './homes.ts';

/** e.g. "12.5 kg · 60×40×40 cm"; what was not measured is left out. */
function measuresOf({ length, width, height, weight }: ShipBox): string {
  const size = [length, width, height];
  return [
    weight === null ? '' : `${plainDecimal(weight)} kg`,
    size.includes(null) ? '' : `${size.map((side) => plainDecimal(side ?? '')).join('×')} cm`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** @throws refused B1356 for more SKUs than a code holds */
function symbolOf(order: ShipOrder, box: ShipBox, shipmentNo: string, content: ContentCode): Pick<Label, 'symbol'> {
  if (content === 'NONE') return {};
  const text = contentText({ shipmentNo, lines: order.lines }, box);
  const code = content === 'PDF417' ? pdf417(text) : qrOfModules(text);
  const height = (LABEL_100X150.height * 72) / 25.4;
  if (!code || code.height > height * 0.9 || code.width > ((LABEL_100X150.width - 8) * 72) / 25.4) {
    throw refused(`第 ${box.no} 箱SKU过多，放不进一个箱内信息码`, 'B1356', { box: box.no });
  }
  return { symbol: { caption: shipmentNo, code } };
}

async function labelsOf(
  ctx: Ctx,
  order: ShipOrder,
  boxes: readonly ShipBox[],
  all: readonly ShipBox[],
  content: ContentCode,
) {
  const store = (await storeNames(ctx)).get(order.account) ?? '';
  const homes = await homesOf(ctx, order);
  const packed = packedByLine(all);
  // Before everything is packed nobody knows how many boxes there will be.
  const whole = order.lines.every((line) => (packed.get(line.id) ?? 0) === line.picked);
  const msku = new Map(order.lines.map((line) => [line.id, line.msku]));
  return boxes.map((box): Label => {
    const pieces = box.items.reduce((sum, item) => sum + item.qty, 0);
    const { shipmentNo, center } = homes.of(box.no);
    const site = `${store}-${countryOf(order.marketplaceId)}`;
    return {
      content: boxCode(order.number, box.no),
      title: whole ? `${box.no} / ${all.length}` : `第 ${box.no} 箱`,
      lines: [
        boxCode(order.number, box.no),
        center ? `${site} → ${center}` : site,
        shipmentNo,
        measuresOf(box),
        `${box.items.length} 个SKU 共 ${pieces} 件`,
      ].filter((text) => text !== ''),
      items: box.items.map((item) => `${msku.get(item.lineId) ?? ''} ×${item.qty}`),
      ...symbolOf(order, box, shipmentNo, content),
    };
  });
}

async function printed(ctx: Ctx, input: z.output<typeof printCartonLabels.body>): Promise<FileReply> {
  const order = await locked(ctx, input.id);
  const all = await boxesOf(ctx, order.id);
  const wanted = input.boxNos && new Set(input.boxNos);
  const boxes = all.filter((box) => (wanted ? wanted.has(box.no) : box.items.length > 0));
  if (wanted && boxes.length < wanted.size) throw notFound('箱子不存在，可能已被删除');
  if (boxes.length === 0) throw refused('还没有装箱数据', 'B1356');
  const labels = await labelsOf(ctx, order, boxes, all, input.content);
  const nos = boxes.map((box) => box.no);
  await sql`
    UPDATE shipping.box SET label_printed_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} AND box_no = ANY (${nos}::int[])`.execute(ctx.db);
  await audit(ctx, {
    action: '发货单·打印箱唛',
    resource: shipOrder.name,
    resourceId: order.id,
    after: { number: order.number, boxes: nos.length, content: input.content },
  });
  const name = nos.length === 1 ? `${order.number}-${nos[0]}` : order.number;
  return new FileReply(`箱唛-${name}.pdf`, 'application/pdf', labelsPdf(labels, LABEL_100X150), true);
}

/**
 * 箱唛 of the boxes that are named, else of all that hold something, and the note that they were printed. The code on each
 * opens its box; a second one says what lies in it, where it is asked for.
 * @throws notFound, refused B1356 where there is no box, or nothing to say in the second code
 */
export const cartonLabels = (open: OpenCtx, input: z.output<typeof printCartonLabels.body>): Promise<FileReply> =>
  inTenant(open.runtime, open.principal, (ctx) => printed(ctx, input), { requestId: open.requestId, ip: open.ip });
