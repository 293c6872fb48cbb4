import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { boxReceipts } from '../../contract/receipt/calls.ts';
import type { BoxReceiptRow, BoxState } from '../../contract/receipt/receipt.ts';
import { loaded } from '../order/load.ts';
import { type KnownBox, LEFT, type Sent, sentBoxes } from './load.ts';
import { type SharedBox, shareOut } from './share.ts';
import { reasonOf } from './words.ts';

const sum = (pieces: Iterable<number>): number => [...pieces].reduce((total, one) => total + one, 0);

function stateOf(packed: number, received: number, settled: boolean): BoxState {
  if (received >= packed) return 'RECEIVED';
  if (received > 0) return 'PARTLY';
  return settled ? 'MISSING' : 'WAITING';
}

function rowOf({ counted }: Sent, box: KnownBox, shared: SharedBox): BoxReceiptRow {
  const packed = sum(box.items.values());
  const received = sum(shared.received.values());
  const items = box.lines.map(({ lineId, msku, qty }) => ({
    lineId,
    msku,
    packed: qty,
    received: shared.received.get(msku) ?? 0,
  }));
  return {
    no: box.no,
    shipmentNo: box.shipmentNo,
    amazonBoxId: box.amazonBoxId,
    trackingNo: box.trackingNo,
    size: box.size,
    weight: box.weight,
    content: items.map((item) => `${item.msku} ${item.received}/${item.packed}`).join('，'),
    packed,
    received,
    state: stateOf(packed, received, counted.stage === 'closed' || box.mark === 'MISSING'),
    mark: box.mark,
    conflict: shared.conflict,
    score: shared.suspicion?.score ?? null,
    suspect: shared.suspicion ? reasonOf(shared.suspicion) : '',
    deliveredOn: box.deliveredOn,
    remark: box.remark,
    updatedByName: box.updatedByName,
    items,
    version: box.version,
  };
}

/**
 * 按箱收货 of an order: what Amazon received of each SKU, shared out over its boxes; nothing before it has left.
 * @throws notFound
 */
export async function boxReceiptsOf(ctx: Ctx, id: string): Promise<Reply<typeof boxReceipts>> {
  const order = await loaded(ctx, id);
  if (!LEFT.includes(order.state)) return { skus: [], boxes: [] };
  const all = (await sentBoxes(ctx, order)).map((sent) => ({ sent, shared: shareOut(sent.boxes, sent.counted) }));
  return {
    skus: all.flatMap(({ sent, shared }) => shared.skus.map((sku) => ({ shipmentNo: sent.shipmentNo, ...sku }))),
    boxes: all
      .flatMap(({ sent, shared }) => {
        const known = new Map(shared.boxes.map((box) => [box.no, box]));
        return sent.boxes.flatMap((box) => {
          const mine = known.get(box.no);
          return mine ? [rowOf(sent, box, mine)] : [];
        });
      })
      .sort((a, b) => a.no - b.no),
  };
}
