import { exchange } from '../../../contract/documents/exchange.ts';
import type { Move } from '../../ledger/types.ts';
import type { Effect } from '../core/act.ts';
import { reserveLines } from '../core/draw.ts';
import { addAmounts, hold, holdings, postEvent, takeBack } from '../core/events.ts';
import { addDone, clearDone } from '../core/lines.ts';
import type { StockKind } from '../core/load.ts';
import { requireMove } from '../core/places.ts';
import type { Check } from '../core/save.ts';
import { requireOtherApprover } from '../core/setting.ts';

export const exchangeKind: StockKind = { name: 'exchange', def: exchange, audit: 'erp:wh:exchange:audit' };

export const checkExchange: Check = (input, from) => {
  if (from.quality !== 'GOOD') return '代料须选择正品仓';
  return input.lines.some((line) => line.productId === line.toProductId) ? '调出SKU与调入SKU不能相同' : undefined;
};

/** Both legs of each line in one posting: what comes in takes over the layers of what went out. */
const approve: Effect = async (ctx, doc) => {
  requireMove(ctx, doc.warehouse);
  await requireOtherApprover(ctx, exchangeKind, doc);
  await hold(ctx, doc, reserveLines(doc));
  const held = await holdings(ctx, doc);
  const moves: Move[] = [];
  const lineOf: (string | undefined)[] = [];
  doc.lines.forEach((line, index) => {
    if (line.toProduct === null) return;
    const group = index + 1;
    for (const { id, product, location, lot, held: qty } of held.filter((one) => one.line === line.id)) {
      moves.push({
        product,
        qty,
        group,
        reservation: id,
        from: { warehouse: doc.warehouse, status: 'RESERVED', location, lot },
        to: 'CONVERSION',
      });
      lineOf.push(line.id);
    }
    moves.push({
      product: line.toProduct,
      qty: line.qty,
      group,
      from: 'CONVERSION',
      to: { warehouse: doc.warehouse, status: 'AVAILABLE', location: line.location ?? undefined },
      cost: { carry: true },
    });
    lineOf.push(undefined);
  });
  const posting = await postEvent(ctx, doc, 'swap', moves);
  await addAmounts(ctx, posting, lineOf, 'out');
  await addDone(ctx, new Map(doc.lines.map((line) => [line.id, line.qty])));
};

const undo: Effect = async (ctx, doc, { reason }) => {
  requireMove(ctx, doc.warehouse);
  await takeBack(ctx, doc, reason);
  await clearDone(ctx, doc);
};

export const exchangeEffects: Record<string, Effect> = { approve, reverse: undo };
