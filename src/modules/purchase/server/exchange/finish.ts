import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { type Move, requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { type ExchangeEnding, purchaseExchange } from '../../contract/exchange.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { touch } from '../order/act.ts';
import { happen } from '../order/events.ts';
import { settle } from '../order/settle.ts';
import { creditExchange } from '../payable.ts';
import { AT_REST } from '../places.ts';
import { move, requireFresh } from './act.ts';
import { type Exchange, type ExchangeLine, expected, lockedExchange, openOf } from './load.ts';
import { tellDecided } from './tell.ts';

interface Came {
  line: ExchangeLine;
  qty: number;
  /** CNY */
  cost: string;
}

/**
 * What so many more pieces of a line are worth: their part of what the bad ones cost, so that all of them together are worth
 * exactly that. CNY, four decimals.
 */
export function costOf(line: Pick<ExchangeLine, 'qty' | 'received' | 'cost' | 'costBack'>, qty: number): string {
  const sofar = new Decimal(line.cost ?? 0).times(line.received + qty).div(line.qty);
  return new Decimal(sofar.toFixed(4)).minus(line.costBack).toFixed(4);
}

/** @throws refused B1044 for lines of another exchange, or more than is waited for */
function cameOf(doc: Exchange, lines: readonly { lineId: string; qty: number }[]): Came[] {
  if (new Set(lines.map((line) => line.lineId)).size < lines.length) throw refused('不能重复添加明细', 'B1044');
  return lines.map(({ lineId, qty }) => {
    const line = doc.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1044');
    const most = openOf(line);
    if (qty > most) throw refused(`超出待收货数量，最多还可收${most}`, 'B1044', { line: line.id, most });
    return { line, qty, cost: costOf(line, qty) };
  });
}

async function writeArrivals(ctx: Ctx, doc: Exchange, came: readonly Came[], trackingNo: string): Promise<void> {
  const rows = JSON.stringify(came.map(({ line, qty, cost }) => ({ line: line.id, qty, cost })));
  await sql`
    INSERT INTO purchase.exchange_arrival (company_id, exchange_line_id, qty, cost, tracking_no, by_name)
    SELECT ${ctx.companyId}, v.line, v.qty, v.cost, ${trackingNo}, ${ctx.userName}
      FROM jsonb_to_recordset(${rows}::jsonb) AS v(line uuid, qty int, cost numeric)`.execute(ctx.db);
  await sql`
    UPDATE purchase.exchange_line AS l SET received = l.received + v.qty, cost_back = l.cost_back + v.cost
      FROM jsonb_to_recordset(${rows}::jsonb) AS v(line uuid, qty int, cost numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.line`.execute(ctx.db);
  await sql`
    UPDATE purchase.exchange_order SET version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ${doc.id}`.execute(ctx.db);
}

const finished = (doc: Exchange, came: readonly Came[]) =>
  doc.lines.every((line) => openOf(line) === (came.find((one) => one.line.id === line.id)?.qty ?? 0));

/**
 * Good pieces came for bad ones, at what those had cost; with the last of them the exchange is over.
 * @throws refused B1044 for more than is waited for, or an exchange that waits for nothing; conflict for a stale version
 */
export async function receiveExchange(
  ctx: Ctx,
  input: {
    id: string;
    version?: number | undefined;
    trackingNo: string;
    lines: readonly { lineId: string; qty: number }[];
  },
): Promise<Outcome> {
  const doc = await lockedExchange(ctx, input.id);
  requireMove(ctx, doc.target);
  requireFresh(doc, input.version);
  if (doc.state !== 'receiving') throw refused('换货单不在待收货状态', 'B1044');
  const came = cameOf(doc, input.lines);
  const to = { warehouse: doc.target, status: 'AVAILABLE' } as const;
  const effect = await happen(ctx, doc.order, {
    event: 'exchangeReceive',
    changes: new Map(came.map(({ line, qty }) => [line.orderLine, { exchanging: -qty }] as const)),
    moves: came.flatMap(({ line: { product }, qty, cost }): Move[] => [
      { product, qty, from: 'SUPPLIER', to, cost: { value: cost } },
      expected(doc, product, -qty),
    ]),
    note: doc.number,
    unvalued: true,
  });
  await writeArrivals(ctx, doc, came, input.trackingNo);
  const pieces = came.reduce((total, one) => total + one.qty, 0);
  await note(ctx, purchaseExchange.name, doc.id, { kind: 'note', title: '收货', body: `${pieces} 件` });
  const body = `${doc.number}，${pieces} 件`;
  await note(ctx, purchaseOrder.name, doc.order.id, { kind: 'note', title: '换货到货', body });
  await audit(ctx, {
    action: '采购换货·收货',
    resource: purchaseExchange.name,
    resourceId: doc.id,
    after: { number: doc.number, lines: came.map(({ line, qty, cost }) => ({ line: line.id, qty, cost })) },
  });
  const over = finished(doc, came);
  const state = over ? await move(ctx, doc, 'finish', { stamp: { ended_at: sql`kit.now()` } }) : doc.state;
  await settle(ctx, await touch(ctx, effect.order));
  const words = over ? '已换完' : '已收货';
  return outcome({ ...doc, state, version: doc.version + 1 + Number(over) }, `采购换货单${doc.number}${words}`);
}

interface Rest {
  line: ExchangeLine;
  qty: number;
}

/** Pieces that are not replaced lie again where they lay, at what is left of their cost. */
async function backAgain(ctx: Ctx, doc: Exchange, rest: readonly Rest[]): Promise<Move[]> {
  if (!doc.takesStock) return [];
  const place = await warehouseOf(ctx, doc.warehouse);
  const to = { warehouse: doc.warehouse, status: AT_REST[place.quality] ?? 'AVAILABLE' };
  return rest.map(({ line, qty }) => {
    const value = new Decimal(line.cost ?? 0).minus(line.costBack).toFixed(4);
    return { product: line.product, qty, from: 'SUPPLIER', to, cost: { value } };
  });
}

/** Ends what is not replaced: owed no longer, or ours again. */
async function end(ctx: Ctx, doc: Exchange, ending: ExchangeEnding): Promise<void> {
  const rest = doc.lines.flatMap((line): Rest[] => (openOf(line) > 0 ? [{ line, qty: openOf(line) }] : []));
  const credits = ending === 'CREDIT';
  const moves = rest.map(({ line, qty }) => expected(doc, line.product, -qty));
  const back = credits ? [] : await backAgain(ctx, doc, rest);
  const effect = await happen(ctx, doc.order, {
    event: 'exchangeEnd',
    changes: new Map(
      rest.map(({ line, qty }) => [line.orderLine, { exchanging: -qty, returned: credits ? qty : 0 }] as const),
    ),
    moves: [...back, ...moves],
    note: doc.number,
    unvalued: true,
  });
  const rows = rest.map(({ line, qty }) => ({
    id: line.id,
    qty,
    back: back.length > 0,
    credit: new Decimal(effect.owed.get(line.orderLine) ?? 0).negated().toFixed(4),
  }));
  await sql`
    UPDATE purchase.exchange_line AS l
       SET ended = v.qty, credit = v.credit, cost_back = CASE WHEN v.back THEN l.cost ELSE l.cost_back END
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v(id uuid, qty int, back boolean, credit numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.id`.execute(ctx.db);
  if (credits) {
    await creditExchange(
      ctx,
      doc.order,
      doc,
      rows.map((row) => row.credit),
    );
  }
  const pieces = rest.reduce((total, one) => total + one.qty, 0);
  const body = `${doc.number}，${pieces} 件${credits ? '抵扣应付' : '原货退回'}`;
  await note(ctx, purchaseOrder.name, doc.order.id, { kind: 'note', title: '终止换货', body });
  await settle(ctx, await touch(ctx, effect.order));
}

/**
 * The supplier sends no more. What he did not replace counts as returned and is owed no longer, or is ours again as it was.
 * Answers 「该操作已完成」 where it was ended so before.
 * @throws conflict for a stale version or an exchange that waits for nothing
 */
export async function terminateExchange(
  ctx: Ctx,
  input: { id: string; version?: number | undefined; reason: string; ending: ExchangeEnding },
): Promise<Outcome> {
  const doc = await lockedExchange(ctx, input.id);
  if (doc.state === 'terminated') {
    ctx.audited = true;
    return outcome(doc, DONE_BEFORE, true);
  }
  requireFresh(doc, input.version);
  if (doc.state !== 'receiving') throw conflict('换货单不在待收货状态，不能终止');
  requireMove(ctx, input.ending === 'BACK' ? doc.warehouse : doc.target);
  const state = await move(ctx, doc, 'terminate', {
    run: (run, one) => end(run, one, input.ending),
    reason: input.reason,
    stamp: { ending: sql`${input.ending}`, ended_at: sql`kit.now()` },
  });
  await tellDecided(ctx, doc, '已终止');
  return outcome({ ...doc, state, version: doc.version + 1 }, `采购换货单${doc.number}已终止`);
}
