import { refused } from '#kit/server/errors.ts';
import type { ShipBox } from '../../contract/box/box.ts';
import type { ShipLine, ShipOrder } from '../order/load.ts';

/** How Amazon names a piece: by FNSKU, else by ASIN. @throws refused B1356 with neither */
function named({ fnsku, asin, msku }: ShipLine): string {
  if (fnsku) return `FNSKU:${fnsku}`;
  if (asin) return `ASIN:${asin}`;
  throw refused(`SKU【${msku}】没有FNSKU，不能打印箱内信息码`, 'B1356');
}

/** e.g. 2027-05-01 as 270501. */
const expiry = (day: string): string => day.slice(2).replaceAll('-', '');

/**
 * The text of a box's content code as Amazon reads it (handbook 08 §6):
 * "AMZN,PO:<FBA id>,FNSKU:<code>,QTY:<n>[,EXP:YYMMDD]", item after item.
 * @throws refused B1356 without the number of the shipment, or for a SKU without a code
 */
export function contentText(order: Pick<ShipOrder, 'shipmentNo' | 'lines'>, box: Pick<ShipBox, 'items'>): string {
  if (order.shipmentNo === '') throw refused('请先在物流信息填写货件编号，再打印箱内信息码', 'B1356');
  const lines = new Map(order.lines.map((line) => [line.id, line]));
  const items = box.items.flatMap(({ lineId, qty }) => {
    const line = lines.get(lineId);
    if (!line) return [];
    return [`${named(line)},QTY:${qty}${line.expiresOn ? `,EXP:${expiry(line.expiresOn)}` : ''}`];
  });
  return ['AMZN', `PO:${order.shipmentNo}`, ...items].join(',');
}
